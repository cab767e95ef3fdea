/**
 * A small load balancer: every request goes to the next server, which the answer names. One that
 * cannot be reached is passed over, for requests whose body has not been sent yet.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The header that names the server of an answer, by its host and port. */
export const servedBy = 'x-served-by';

export interface Balancer {
  readonly url: string;
  stop(): Promise<void>;
}

/** As long as other balancers keep a connection that is idle. */
const keepAliveMs = 75_000;
/** Bodies are kept until a server has answered; the service takes none that are larger. */
const mostBodyBytes = 8 * 1_048_576;

export async function startBalancer(servers: readonly string[], port = 0): Promise<Balancer> {
  let next = 0;
  const balancer = createServer((asked, answer) => {
    next += 1;
    const inTurn = servers.map((_, index) => servers[(next + index) % servers.length] ?? '');
    void bodyOf(asked).then(
      (body) => passOn(asked, body, answer, inTurn),
      () => answer.writeHead(413).end(),
    );
  });
  balancer.keepAliveTimeout = keepAliveMs;
  await once(balancer.listen(port, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(balancer.address() as AddressInfo).port}`,
    async stop() {
      balancer.close();
      balancer.closeAllConnections();
    },
  };
}

async function bodyOf(asked: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of asked) {
    bytes += part.length;
    if (bytes > mostBodyBytes) throw new Error('too large');
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function passOn(
  asked: IncomingMessage,
  body: Buffer,
  answer: ServerResponse,
  [server, ...others]: readonly string[],
): void {
  if (server === undefined) {
    answer.writeHead(503, { 'retry-after': '1' }).end();
    return;
  }
  const { host, hostname, port } = new URL(server);
  const sender = asked.socket.remoteAddress ?? '';
  const forwarded = asked.headers['x-forwarded-for'];
  const headers = {
    ...asked.headers,
    'x-forwarded-for': forwarded ? `${forwarded}, ${sender}` : sender,
  };
  const { method, url: path } = asked;
  const passed = request({ hostname, port, method, path, headers }, (answered) => {
    answer.writeHead(answered.statusCode ?? 502, { ...answered.headers, [servedBy]: host });
    answered.on('error', () => answer.destroy()).pipe(answer);
  });
  passed.on('error', (error: NodeJS.ErrnoException) => {
    if (answer.headersSent) answer.destroy();
    else if (error.code === 'ECONNREFUSED') passOn(asked, body, answer, others);
    // It may have been counted: the sender repeats it.
    else answer.writeHead(503, { 'retry-after': '1' }).end();
  });
  answer.on('close', () => passed.destroy());
  passed.end(body);
}
