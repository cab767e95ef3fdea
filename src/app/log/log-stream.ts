import { writeSync } from 'node:fs';

/** A full pipe is tried so often, `waitMs` apart; then the line is lost, and the service goes on. */
const mostWaits = 5;
const waitMs = 10;
const tellAgainMs = 1_000;

interface LogStream {
  write(line: string): void;
  /** Since the start. */
  lostLines(): number;
  /** `tell` writes a line about those that were lost, once lines can be written again. */
  onLost(tell: (lostLines: number) => void): void;
}

/**
 * Writes each line at once. What cannot be written, on a full disk or into a pipe that nobody
 * reads, is lost and counted: the service outlives its log.
 *
 * TRICKY: not pino's own destination, which ends the process, or is silent for ever after EPIPE.
 */
export function openLogStream(fd: number, write: typeof writeSync = writeSync): LogStream {
  let lost = 0;
  let untold = 0;
  let isTorn = false;
  let tell: (lostLines: number) => void = () => {};
  let willTell = false;

  const tryToWrite = (line: string): boolean => {
    const bytes = Buffer.from(isTorn ? `\n${line}` : line);
    let written = 0;
    for (let waits = 0; written < bytes.length; ) {
      try {
        written += write(fd, bytes, written);
      } catch (error) {
        const isFull = (error as NodeJS.ErrnoException).code === 'EAGAIN';
        if (!isFull || untold > 0 || waits === mostWaits) {
          isTorn ||= written > 0;
          return false;
        }
        waits += 1;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, waitMs);
      }
    }
    isTorn = false;
    return true;
  };
  const tellLater = (): void => {
    if (willTell) return;
    willTell = true;
    setTimeout(() => {
      willTell = false;
      const before = lost;
      const lostLines = untold;
      untold = 0;
      tell(lostLines);
      if (lost === before) return;
      // The report itself could not be written: it is no lost line, and is tried again.
      lost = before;
      untold = lostLines;
    }, tellAgainMs).unref();
  };
  return {
    write(line) {
      if (tryToWrite(line)) return;
      lost += 1;
      untold += 1;
      tellLater();
    },
    lostLines: () => lost,
    onLost(given) {
      tell = given;
    },
  };
}
