/** Answers input that is not HTTP, for which there is no request and so no handler. */
import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { Fault, faultCatalogue, toProblem } from '../../vocabulary/faults.ts';
import { createHeaders, sendFault } from './fault-answers.ts';

/**
 * The framework's options for both; `headers` are those of every answer, and `note` is called with
 * the status of each that no hook of the framework sees.
 */
export function answerUnreadable(
  headers: Readonly<Record<string, string>>,
  note: (status: number) => void,
) {
  return {
    /** A URL that the router cannot parse. */
    frameworkErrors(error: FastifyError, _request: FastifyRequest, reply: FastifyReply): void {
      const fault = faultOfUrl(error);
      note(toProblem(fault).status);
      sendFault(reply.headers(headers), fault);
    },

    /** Bytes that Node's HTTP parser refuses. */
    clientErrorHandler(error: BadBytes, socket: Socket): void {
      // After a reset nobody is left to answer. Who opened a connection and sent nothing, as
      // browsers do in advance, would take an answer for that to the next request.
      const isAsked = error.code !== 'ECONNRESET' && socket.bytesRead > 0;
      if (!isAsked || !socket.writable) return void socket.destroy(error);
      const fault = faultOfBytes(error);
      note(toProblem(fault).status);
      socket.write(createAnswer(fault, error, headers));
      // Not just `end`: a sender that never closes its side would keep the descriptor for ever.
      socket.destroySoon();
    },
  };
}

function faultOfUrl({ code }: FastifyError): Fault {
  return code === 'FST_ERR_MAX_PARAM_LENGTH'
    ? new Fault('NOT_FOUND', 'Nothing exists at this path')
    : new Fault('INVALID_PARAMETER', 'The URL is invalid');
}

function createAnswer(
  fault: Fault,
  { rawPacket }: BadBytes,
  headers: Readonly<Record<string, string>>,
): string {
  const problem = toProblem(fault);
  const body = JSON.stringify(problem);
  const all = {
    ...headers,
    ...createHeaders(fault),
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const head = [
    `HTTP/1.1 ${problem.status} ${faultCatalogue[problem.code].title}`,
    ...Object.entries(all).map(([name, value]) => `${name}: ${value}`),
  ];
  const isHead = `${rawPacket ?? ''}`.startsWith('HEAD ');
  return `${head.join('\r\n')}\r\n\r\n${isHead ? '' : body}`;
}

/** `rawPacket` is the parser's last input: it contains the method unless more came before. */
type BadBytes = NodeJS.ErrnoException & { readonly rawPacket?: unknown };

function faultOfBytes({ code }: BadBytes): Fault {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new Fault('PAYLOAD_TOO_LARGE', 'The URL and the headers are too large');
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new Fault('INVALID_PARAMETER', 'The request did not arrive in time');
  }
  if (code === 'HPE_INVALID_VERSION') {
    return new Fault('VERSION_NOT_SUPPORTED', 'Send HTTP/1.1');
  }
  return new Fault('INVALID_PARAMETER', 'The request is not valid HTTP');
}
