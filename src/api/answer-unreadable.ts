/** Answers what is hardly HTTP: no request, and so no handler, comes of it. */
import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { Fault, faultCatalogue, problemOf } from '../wire/faults.ts';
import { sendFault } from './answer-faults.ts';

/** An address that the router cannot read. */
export function answerBadAddress(
  error: FastifyError,
  _request: FastifyRequest,
  reply: FastifyReply,
): void {
  const fault =
    error.code === 'FST_ERR_MAX_PARAM_LENGTH'
      ? new Fault('NOT_FOUND', 'There is nothing at this address')
      : new Fault('INVALID_PARAMETER', 'The address is not valid');
  sendFault(reply, fault);
}

/** Bytes that Node's HTTP parser refuses. */
export function answerBadBytes(error: BadBytes, socket: Socket): void {
  // After a reset there is nobody to answer.
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy(error);
  const problem = problemOf(faultOfBytes(error));
  const body = JSON.stringify(problem);
  const head = [
    `HTTP/1.1 ${problem.status} ${faultCatalogue[problem.code].title}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  const isHead = `${error.rawPacket ?? ''}`.startsWith('HEAD ');
  socket.end(`${head.join('\r\n')}\r\n\r\n${isHead ? '' : body}`);
}

/** `rawPacket` is what the parser was given last: the method is in it unless more came before. */
type BadBytes = NodeJS.ErrnoException & { readonly rawPacket?: unknown };

function faultOfBytes({ code }: BadBytes): Fault {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new Fault('PAYLOAD_TOO_LARGE', 'The address and the headers are larger than is taken');
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new Fault('INVALID_PARAMETER', 'The request did not arrive in time');
  }
  return new Fault('INVALID_PARAMETER', 'The request is not valid HTTP');
}
