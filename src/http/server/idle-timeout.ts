/**
 * Closes connections on which nothing has come for long since the last answer. Node would make and
 * cancel a timer for every request, for about 1 us; this looks at all connections now and then.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../../lib/time/clock.ts';
import type { Connection } from './connection-group.ts';

/** So long an idle connection is kept, and up to one look longer. */
const keptIdleSeconds = 72;
/** A header of answers after which it is kept, as Node writes it where it closes them itself. */
export const keepAlive = ['keep-alive', `timeout=${keptIdleSeconds}`] as const;
const lookEveryMs = 6_000;
const looksUntilClosed = (keptIdleSeconds * 1_000) / lookEveryMs;

export interface LookedAtConnection extends Connection {
  /** At the last look. */
  bytesRead: number;
  /** How many looks in a row found it idle. */
  idleLooks: number;
}

/** From when the server listens until it is closed. */
export function limitIdleTime(
  server: Server,
  connections: ReadonlyMap<Socket, LookedAtConnection>,
  clock: Pick<Clock, 'after'>,
): void {
  let cancel = () => {};
  const look = (): void => {
    cancel = clock.after(lookEveryMs, look);
    for (const [socket, connection] of connections) {
      const isIdle = isAnswered(socket, connection) && connection.bytesRead === socket.bytesRead;
      connection.idleLooks = isIdle ? connection.idleLooks + 1 : 0;
      connection.bytesRead = socket.bytesRead;
      if (connection.idleLooks === looksUntilClosed) connection.close();
    }
  };
  server.once('listening', look);
  server.once('close', () => cancel());
}

/** Before its first request, Node bounds how long one may take. */
function isAnswered(socket: Socket, { requests, answer }: Connection): boolean {
  return requests > 0 && (answer === undefined || answer.closed) && socket.writableLength === 0;
}
