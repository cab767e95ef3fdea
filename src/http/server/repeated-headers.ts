/**
 * Refuses headers that come twice where two programs, such as a proxy and this service, could each
 * believe another one. RFC 9112, section 3.2, demands it for Host.
 */
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { Fault } from '../../vocabulary/faults.ts';

const single = new Set([
  'host',
  'authorization',
  'x-api-key',
  'idempotency-key',
  'content-type',
  'origin',
  'referer',
]);

export function refuseRepeatedHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }) => {
    const name = repeatedHeader(raw);
    if (name === undefined) return;
    throw new Fault('INVALID_PARAMETER', `Send the header ${name} only once`);
  });
}

/** The name of a header that comes more often than once and must not. */
export function repeatedHeader(
  request: Pick<IncomingMessage, 'headers' | 'rawHeaders'>,
): string | undefined {
  const { headers, rawHeaders } = request;
  // The usual case, at once: as many names as there are headers.
  if (Object.keys(headers).length * 2 === rawHeaders.length) return undefined;
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? '';
    if (seen.has(name) && single.has(name)) return name;
    seen.add(name);
  }
  return undefined;
}
