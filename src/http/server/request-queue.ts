/**
 * Requests of one connection are handled one after the other: otherwise one read of 64 KiB would
 * begin a thousand answers at once, and those whom nobody reads would fill the memory.
 */
import type { ServerResponse } from 'node:http';

/** Of one connection. */
export interface RequestQueue {
  /** Requests that wait until the ones before them are answered. */
  waiting: number;
  isOpen: boolean;
}

export interface RequestQueues {
  /** Begins when the answer `earlier` is sent. False if there is no room: close the connection. */
  join(queue: RequestQueue, earlier: ServerResponse, begin: () => void): boolean;
  /** For a connection that is lost. */
  close(queue: RequestQueue): void;
}

/** Sent before the answers to earlier ones came; no browser and no proxy does so. */
const mostOfConnection = 32;
/** Of all connections. */
const mostWaiting = 40_000;

export function createRequestQueues(): RequestQueues {
  let waitingInAll = 0;
  return {
    join(queue, earlier, begin) {
      if (queue.waiting >= mostOfConnection || waitingInAll >= mostWaiting) return false;
      queue.waiting += 1;
      waitingInAll += 1;
      // Comes when the system has taken all of the answer, or the connection is lost.
      earlier.once('close', () => {
        if (!queue.isOpen) return;
        queue.waiting -= 1;
        waitingInAll -= 1;
        begin();
      });
      return true;
    },
    close(queue) {
      queue.isOpen = false;
      waitingInAll -= queue.waiting;
    },
  };
}
