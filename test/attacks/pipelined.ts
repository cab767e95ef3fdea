/** Requests that are sent on one connection without waiting for answers. */
import { connect } from 'node:net';
import type { Target } from './target.ts';

/** As many as the service lets wait on one connection. */
export const mostPipelined = 32;
const answerWithinMs = 60_000;

/** Resolves to the statuses of the answers that came: fewer if the connection was closed. */
export function pipeline(
  { port }: Pick<Target, 'port'>,
  localAddress: string,
  requests: readonly string[],
): Promise<{ status: number }[]> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    let received = '';
    const answers = () =>
      [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((one) => ({ status: Number(one[1]) }));
    const finish = () => {
      socket.destroy();
      resolve(answers());
    };
    socket.on('data', (chunk) => {
      received += chunk;
      if (answers().length === requests.length) finish();
    });
    socket.on('error', finish).on('close', finish);
    socket.setTimeout(answerWithinMs, finish);
    socket.write(requests.join(''));
  });
}
