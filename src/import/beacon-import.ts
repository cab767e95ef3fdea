/** Imports a file of beacons: lines -> batches, several at once -> collected -> progress. */
import type { Clock } from '../lib/time/clock.ts';
import { readPlacedLines } from '../lib/values/line-stream.ts';
import type { BeaconsAnswer, ImportAnswer } from '../wire/beacons/beacon.ts';
import type { ImportPosition } from './import-position.ts';
import { retryUnavailable } from './retry-unavailable.ts';

const beaconsPerBatch = 1_000;
/** Batches in flight at once, so that each insert into the store is large. */
const batchesAtOnce = 32;
const maxLineBytes = 65_536;

export interface BeaconsImport {
  readonly clock: Clock;
  /** From `start` on. */
  readonly bytes: AsyncIterable<Buffer>;
  readonly start: ImportPosition;
  collect(beacons: readonly unknown[]): Promise<ImportAnswer>;
  /** `line` counts from 1 at the beginning of the file. */
  refused(line: number, refusal: BeaconsAnswer['rejected'][number]): void;
  /** Everything before this position is durable, or refused. */
  reached(position: ImportPosition): void;
}

interface Batch {
  readonly beacons: unknown[];
  readonly lines: number[];
}

/** A batch in flight, or done but behind one that is not. */
interface Part {
  readonly end: Pick<ImportPosition, 'bytes' | 'lines'>;
  answer?: ImportAnswer;
}

/** Resolves with the end of the file, when all of it is durable or refused. */
export async function importBeacons(work: BeaconsImport): Promise<ImportPosition> {
  const underWay = new Set<Promise<void>>();
  const parts: Part[] = [];
  let { start: reached } = work;
  let { bytes, lines } = work.start;
  let batch: Batch = { beacons: [], lines: [] };

  const collect = async (one: Batch, part: Part): Promise<void> => {
    part.answer = await retryUnavailable(work.clock, () => work.collect(one.beacons));
    for (const refusal of part.answer.rejected) {
      work.refused(one.lines[refusal.index] as number, refusal);
    }
    for (let [first] = parts; first?.answer; [first] = parts) {
      const { accepted, rejected, erased } = first.answer;
      reached = {
        ...reached,
        ...first.end,
        accepted: reached.accepted + accepted,
        rejected: reached.rejected + rejected.length,
        erased: reached.erased + erased,
      };
      parts.shift();
    }
    work.reached(reached);
  };
  const send = async (): Promise<void> => {
    const part = { end: { bytes, lines } };
    parts.push(part);
    const job = collect(batch, part).finally(() => underWay.delete(job));
    underWay.add(job);
    // The error is thrown where it is awaited; if several fail, one is enough.
    job.catch(() => {});
    batch = { beacons: [], lines: [] };
    if (underWay.size >= batchesAtOnce) await Promise.race(underWay);
  };

  for await (const placed of readPlacedLines(work.bytes, maxLineBytes)) {
    for (const { text, nextAt } of placed) {
      bytes = work.start.bytes + nextAt;
      lines += 1;
      if (text?.trim() === '') continue;
      batch.beacons.push(parse(text));
      batch.lines.push(lines);
      if (batch.beacons.length === beaconsPerBatch) await send();
    }
  }
  await send();
  await Promise.all(underWay);
  return reached;
}

/** A line that is not JSON becomes undefined, and is refused like any other bad beacon. */
function parse(text = ''): unknown {
  try {
    // Editors write a byte order mark first; concatenated files contain it further on as well.
    return JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text);
  } catch {
    return undefined;
  }
}
