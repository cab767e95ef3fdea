/**
 * Requests of one connection are handled one after the other: otherwise one read of 64 KiB would
 * begin a thousand answers at once, and those whom nobody reads would fill the memory.
 */
import type { ServerResponse } from 'node:http';

/** Of one connection. */
export interface Line {
  /** Requests that wait until the ones before them are answered. */
  waiting: number;
  isOpen: boolean;
}

export interface Lines {
  /** Begins when the answer `earlier` is sent. False if there is no room: close the connection. */
  join(line: Line, earlier: ServerResponse, begin: () => void): boolean;
  /** For a connection that is lost. */
  close(line: Line): void;
}

/** Sent before the answers to earlier ones came; no browser and no proxy does so. */
const mostInLine = 32;
/** In all lines. */
const mostWaiting = 40_000;

export function createLines(): Lines {
  let waitingInAll = 0;
  return {
    join(line, earlier, begin) {
      if (line.waiting >= mostInLine || waitingInAll >= mostWaiting) return false;
      line.waiting += 1;
      waitingInAll += 1;
      // Comes when the system has taken all of the answer, or the connection is lost.
      earlier.once('close', () => {
        if (!line.isOpen) return;
        line.waiting -= 1;
        waitingInAll -= 1;
        begin();
      });
      return true;
    },
    close(line) {
      line.isOpen = false;
      waitingInAll -= line.waiting;
    },
  };
}
