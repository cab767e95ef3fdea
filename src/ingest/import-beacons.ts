/** The way of a file of beacons: lines -> batches, many at once -> collected -> how far it is. */
import { readPlacedLines } from '../lib/read-lines.ts';
import type { BeaconsAnswer } from '../wire/beacon.ts';
import type { ImportPosition } from './import-position.ts';
import { retryUnavailable } from './retry-unavailable.ts';

const beaconsPerBatch = 1_000;
/** So many wait together, so that each insert into the store is a large one. */
const batchesAtOnce = 32;
const maxLineBytes = 65_536;

export interface BeaconsImport {
  /** From `start` on. */
  readonly bytes: AsyncIterable<Buffer>;
  readonly start: ImportPosition;
  collect(beacons: readonly unknown[]): Promise<BeaconsAnswer>;
  /** `line` counts from 1 at the beginning of the file. */
  refused(line: number, refusal: BeaconsAnswer['rejected'][number]): void;
  /** Everything before this position is durable, or refused. */
  reached(position: ImportPosition): void;
}

interface Batch {
  readonly beacons: unknown[];
  readonly lines: number[];
}

/** A batch on its way, or done behind one that is not. */
interface Part {
  readonly end: Pick<ImportPosition, 'bytes' | 'lines'>;
  answer?: BeaconsAnswer;
}

/** Resolves with the end of the file, when all of it is durable or refused. */
export async function importBeacons(work: BeaconsImport): Promise<ImportPosition> {
  const underWay = new Set<Promise<void>>();
  const parts: Part[] = [];
  let { start: reached } = work;
  let { bytes, lines } = work.start;
  let batch: Batch = { beacons: [], lines: [] };

  const collect = async (one: Batch, part: Part): Promise<void> => {
    part.answer = await retryUnavailable(() => work.collect(one.beacons));
    for (const refusal of part.answer.rejected) {
      work.refused(one.lines[refusal.index] as number, refusal);
    }
    for (let [first] = parts; first?.answer; [first] = parts) {
      const { accepted, rejected } = first.answer;
      reached = {
        ...reached,
        ...first.end,
        accepted: reached.accepted + accepted,
        rejected: reached.rejected + rejected.length,
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
    // Whoever waits for it hears of it; of several that fail one is enough.
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

/** What is no JSON goes on as it is and is refused, with its line, like any other bad beacon. */
function parse(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}
