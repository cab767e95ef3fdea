/**
 * Facts on their way into the store: into a file first, which makes them durable, and into the
 * store a little later, many at a time. An insert costs the store much the same however few rows it
 * has: worth it where the store shares the machine. See docs/decisions/journal.md.
 */
import { mkdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../lib/clock.ts';
import type { Logger } from '../lib/logger.ts';
import { oneAtATime } from '../lib/one-at-a-time.ts';
import { batchOfRows, type FactBatch, joinBatches } from './fact-batch.ts';
import { createFile, type JournalFile, leftFiles } from './journal-file.ts';

export interface JournalLimits {
  /** Facts that may wait for the store; beyond it new ones are refused. */
  readonly waitingFacts: number;
  /** Least time between two inserts into the store. */
  readonly storeEveryMs: number;
}

const usualLimits: JournalLimits = { waitingFacts: 500_000, storeEveryMs: 250 };

export interface Journal {
  /** Brings into the store what an earlier run has left; to be awaited before the first write. */
  replay(): Promise<void>;
  /** Resolves when the facts are durable. After a rejection they may be or not: write again. */
  write(batch: FactBatch): Promise<void>;
  /** Undefined while it takes facts; else why not. */
  whyNotReady(): string | undefined;
  waitingFacts(): number;
  /** All that was written before this instant (ms, the service's clock) is in the store. */
  storedThrough(): number;
  /** Resolves when all that was written by now is in the store; else rejects. */
  flush(): Promise<void>;
  /** Tries once to empty it; what the store does not take is for the next run to replay. */
  close(): Promise<void>;
}

interface JournalOptions {
  /** For one process alone. */
  readonly folder: string;
  /** Brings facts into the store; what it was given before it may be given again. */
  readonly store: (batch: FactBatch) => Promise<void>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly limits?: Partial<JournalLimits>;
}

/** One file and what is in it. */
interface Segment {
  readonly file: JournalFile;
  readonly batches: FactBatch[];
  /** When the first of them became durable, by the service's clock. */
  since: number;
}

export function createJournal(options: JournalOptions): Journal {
  const { folder, clock, logger } = options;
  const limits = { ...usualLimits, ...options.limits };
  const segments = createSegments(options);
  // A file is not set aside while a write to it is under way; two stores would only do work twice.
  const writeInTurn = oneAtATime();
  const storeInTurn = oneAtATime();
  const flush = (): Promise<void> =>
    storeInTurn(async () => {
      await writeInTurn(segments.setAside);
      await segments.storeFull();
    });

  const closing = new AbortController();
  const loop = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      await sleep(limits.storeEveryMs, undefined, { signal: closing.signal }).catch(() => {});
      const waitingFacts = segments.waitingFacts();
      if (waitingFacts === 0) continue;
      await flush().catch((error) => {
        logger.warn({ err: error, waitingFacts }, 'facts wait in the journal, trying again');
      });
    }
  };
  let looping: Promise<void> | undefined;

  return {
    async replay() {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      for await (const { rows, tornBytes, remove } of leftFiles(folder)) {
        const batch = batchOfRows(rows);
        if (batch.count > 0) await options.store(batch);
        await remove();
        logger.info({ facts: batch.count, tornBytes }, 'journal of the last run brought in');
      }
      looping = loop();
    },
    write: (batch) => writeInTurn(() => segments.append(batch)),
    whyNotReady() {
      const hasRoom = segments.waitingFacts() < limits.waitingFacts;
      return hasRoom ? undefined : 'Too much waits for the store';
    },
    waitingFacts: segments.waitingFacts,
    storedThrough: () => segments.oldestSince() ?? clock.now(),
    flush,
    async close() {
      closing.abort();
      await looping;
      await flush().catch((error) => {
        const waitingFacts = segments.waitingFacts();
        logger.warn({ err: error, waitingFacts }, 'facts stay in the journal for the next start');
      });
    },
  };
}

/** The files in use. */
function createSegments({ folder, store, clock }: JournalOptions) {
  let opened = 0;
  let waitingFacts = 0;
  /** Takes what is written. */
  let filling: Segment | undefined;
  /** Take nothing more: on the way into the store, the oldest first. */
  let full: readonly Segment[] = [];

  const inUse = () => (filling && filling.batches.length > 0 ? [...full, filling] : full);

  const setAside = async (): Promise<void> => {
    if (!filling) return;
    const { file, batches } = filling;
    if (batches.length > 0) full = [...full, filling];
    filling = undefined;
    await file.close();
    if (batches.length === 0) await file.remove();
  };

  return {
    setAside,
    async append(batch: FactBatch): Promise<void> {
      opened += 1;
      filling ??= { file: await createFile(folder, opened), batches: [], since: 0 };
      try {
        await filling.file.append(batch.rows);
      } catch (error) {
        // Part of it may stand there, and what came behind it would not be read again.
        await setAside();
        throw error;
      }
      if (filling.batches.length === 0) filling.since = clock.now();
      filling.batches.push(batch);
      waitingFacts += batch.count;
    },
    async storeFull(): Promise<void> {
      const storing = full;
      const batch = joinBatches(storing.flatMap(({ batches }) => batches));
      if (batch.count > 0) await store(batch);
      full = full.slice(storing.length);
      waitingFacts -= batch.count;
      for (const { file } of storing) await file.remove();
    },
    waitingFacts: () => waitingFacts,
    /** Undefined where nothing waits. */
    oldestSince: () => inUse()[0]?.since,
  };
}
