/** A file that an import reads, and its progress; `-` is standard input. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { SingleBar } from 'cli-progress';
import { Fault } from '../../vocabulary/faults.ts';

export interface Input {
  readonly bytes: AsyncIterable<Buffer>;
  /** Shows on the terminal how much has been read. */
  advance(): void;
  end(): void;
}

/** `startAt`: offset of the first byte to read; standard input ignores it. */
export async function openInput(file: string, startAt = 0): Promise<Input> {
  if (file === '-') return { bytes: process.stdin, advance: () => {}, end: () => {} };
  const totalBytes = await measureSize(file);
  const bytes = createReadStream(file, { start: startAt });
  let bar: SingleBar | undefined;
  return {
    bytes,
    advance() {
      bar ??= startBar(totalBytes);
      bar?.update(startAt + bytes.bytesRead);
    },
    end() {
      bar?.stop();
      bytes.destroy();
    },
  };
}

/** Undefined if nobody watches, that is, if standard error is not a terminal. */
export function startBar(total: number): SingleBar | undefined {
  if (total === 0 || !process.stderr.isTTY) return undefined;
  const bar = new SingleBar({ etaBuffer: 1_000 });
  bar.start(total, 0);
  return bar;
}

/** In bytes; rejects with NOT_FOUND. */
async function measureSize(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (cause) {
    throw new Fault('NOT_FOUND', `${file} cannot be read`, { cause });
  }
}

const steps = 1_000;

/** Shows on the terminal what share of the work is done. */
export async function withBar<Value>(
  work: (noteProgress: (share: number) => void) => Promise<Value>,
): Promise<Value> {
  const bar = startBar(steps);
  try {
    return await work((share) => bar?.update(Math.round(share * steps)));
  } finally {
    bar?.stop();
  }
}
