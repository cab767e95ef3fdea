/** Connections that share a bound, in the order in which they would have to make room. */
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface Connection {
  /** The latest request on it and its answer; undefined before the first. */
  latest?: { readonly request: IncomingMessage; readonly response: ServerResponse };
  /** Takes it out of its crowds and closes it. */
  close(): void;
}

export interface Crowd {
  readonly size: number;
  add(connection: Connection): void;
  /** A request came on it: it is the last that has to go. */
  renew(connection: Connection): void;
  /** It was answered for the first time: from now on it goes only after all that never were. */
  admit(connection: Connection): void;
  remove(connection: Connection): void;
  /** Closes one that waits for its sender, if the crowd is full. False if it stays full. */
  makeRoom(): boolean;
  /** Closes all on which no request has come; with `alsoIdle`, all that wait for their senders. */
  close(alsoIdle?: boolean): void;
}

/** So many are looked at to find one that can go: more would take too long for a newcomer. */
const mostLookedAt = 256;

export function createCrowd(most: number, onReplaced: () => void): Crowd {
  const unanswered = new Set<Connection>();
  const answered = new Set<Connection>();
  const size = () => unanswered.size + answered.size;
  return {
    get size() {
      return size();
    },
    add(connection) {
      unanswered.add(connection);
    },
    renew(connection) {
      const ranks = answered.has(connection) ? answered : unanswered;
      if (ranks.delete(connection)) ranks.add(connection);
    },
    admit(connection) {
      if (unanswered.delete(connection)) answered.add(connection);
    },
    remove(connection) {
      if (!unanswered.delete(connection)) answered.delete(connection);
    },
    makeRoom() {
      if (size() < most) return true;
      const idle = firstIdle(unanswered) ?? firstIdle(answered);
      idle?.close();
      if (idle) onReplaced();
      return idle !== undefined;
    },
    close(alsoIdle = false) {
      for (const connection of [...unanswered, ...answered]) {
        const goes = alsoIdle ? waitsForSender(connection) : !connection.latest;
        if (goes) connection.close();
      }
    },
  };
}

function firstIdle(ranks: Iterable<Connection>): Connection | undefined {
  let looked = 0;
  for (const connection of ranks) {
    if (waitsForSender(connection)) return connection;
    looked += 1;
    if (looked === mostLookedAt) break;
  }
  return undefined;
}

/** Nothing is being done for it here: its sender has to send more. */
function waitsForSender({ latest }: Connection): boolean {
  if (!latest || latest.response.writableEnded) return true;
  // A body that nobody reads is not late: it waits for room here.
  return !latest.request.complete && latest.request.readableFlowing === true;
}
