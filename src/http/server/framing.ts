/**
 * Refuses requests whose end or content a proxy and this service could see differently (RFC 9112,
 * sections 2.3 and 6.1), or whose body the service would not decode (RFC 9110, section 15.5.16).
 */
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { Fault } from '../../vocabulary/faults.ts';

type Framed = Pick<IncomingMessage, 'headers' | 'httpVersion'>;

export function refuseFraming(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }, reply) => {
    const fault = framingFault(raw);
    if (fault === undefined) return;
    // Nobody knows where the next request begins.
    reply.header('connection', 'close');
    throw fault;
  });
}

/** What is wrong with how a request is framed; undefined if nothing is. */
export function framingFault({ headers, httpVersion }: Framed): Fault | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    return new Fault('VERSION_NOT_SUPPORTED', `Send HTTP/1.1, not HTTP/${httpVersion}`);
  }
  const { 'transfer-encoding': transfer, 'content-encoding': content } = headers;
  if (transfer !== undefined && httpVersion === '1.0') {
    return new Fault('INVALID_PARAMETER', 'HTTP/1.0 has no Transfer-Encoding');
  }
  if (transfer !== undefined && transfer.toLowerCase() !== 'chunked') {
    return new Fault('INVALID_PARAMETER', 'The only Transfer-Encoding that is taken is chunked');
  }
  if (content !== undefined && content.toLowerCase() !== 'identity') {
    return new Fault('UNSUPPORTED_MEDIA_TYPE', 'Send the body without a Content-Encoding');
  }
  return undefined;
}
