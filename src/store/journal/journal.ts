/**
 * Facts on their way into the store: first into a file, which makes them durable, and into the
 * store a little later, many at a time. An insert costs the store about the same however few rows
 * it has, so this pays off if the store shares the machine. See docs/decisions/journal.md.
 */

import type { Logger } from '../../lib/logger.ts';
import { oneAtATime } from '../../lib/tasks/serial-work.ts';
import { type Clock, sleep } from '../../lib/time/clock.ts';
import { reasonOf } from '../client/store-failure.ts';
import type { FactBatch } from './fact-batch.ts';
import { type FileSystem, type JournalFolder, openJournalFolder } from './journal-file.ts';
import { type Recovered, replayJournal } from './journal-replay.ts';
import { createSegments } from './journal-segments.ts';
import type { FactMetrics } from './store-metrics.ts';

interface JournalLimits {
  /** Facts that may wait for the store; beyond that, new ones are refused. */
  readonly waitingFacts: number;
  /** The same in bytes of their rows, which stay in memory until the store has them. */
  readonly waitingBytes: number;
  /** Rows in one file and in one insert, or a write more; replaying reads whole files. */
  readonly bytesPerFile: number;
  /** How long facts wait where no `flush` stores them sooner. */
  readonly storeEveryMs: number;
}

/** Delay after a failure of the store. */
const retryPauseMs = 1_000;
const usualLimits: JournalLimits = {
  waitingFacts: 500_000,
  waitingBytes: 64 * 1_024 * 1_024,
  bytesPerFile: 8 * 1_024 * 1_024,
  storeEveryMs: 600,
};

export interface Journal {
  /** What `replay` found of an earlier run, which then did not stop in order. */
  readonly recovered: Readonly<Recovered>;
  /** Inserts what an earlier run has left into the store; await it before the first write. */
  replay(): Promise<void>;
  /** Resolves when the facts are durable. After a rejection they may or may not be: write again. */
  write(batch: FactBatch): Promise<void>;
  /** Why it does not accept facts; undefined while it does. */
  whyNotReady(): string | undefined;
  /** Whether half of what may wait for the store does. */
  isFilling(): boolean;
  waitingFacts(): number;
  /** Everything written before this instant (ms, the service's clock) is in the store. */
  storedThrough(): number;
  /** Resolves when everything written so far is in the store; rejects if that fails. */
  flush(): Promise<void>;
  /** Tries once to empty it; the next run replays what the store does not accept. */
  close(): Promise<void>;
}

export interface JournalOptions {
  /** Used by one process only. */
  readonly folder: string;
  /** Those that other processes used, which do not run any more: replayed, and left empty. */
  readonly leftFolders?: (() => Promise<readonly string[]>) | undefined;
  /** Inserts facts into the store; the same facts may be given again. */
  readonly store: (batch: FactBatch) => Promise<void>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: FactMetrics;
  readonly limits?: Partial<JournalLimits>;
  /** Replaced in tests; Node's own otherwise. */
  readonly fileSystem?: FileSystem;
}

export function createJournal(options: JournalOptions): Journal {
  const { clock, logger } = options;
  const limits = { ...usualLimits, ...options.limits };
  const segments = createSegments({ ...options, bytesPerFile: limits.bytesPerFile });
  // A file is not set aside while a write to it is under way; two stores would only do work twice.
  const writeInTurn = oneAtATime();
  const storeInTurn = oneAtATime();
  let flushedAt = clock.monotonic();
  const flush = (): Promise<void> =>
    storeInTurn(async () => {
      if (segments.hasFacts()) {
        await writeInTurn(segments.setAside);
        await segments.storeFull();
      }
      flushedAt = clock.monotonic();
    });
  const dueInMs = () => flushedAt + limits.storeEveryMs - clock.monotonic();

  const recovered: Recovered = { files: 0, facts: 0, keptFiles: 0 };
  const closing = new AbortController();
  const loop = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      await sleep(clock, Math.max(dueInMs(), 0), closing.signal);
      if (dueInMs() > 0) continue;
      await flush().catch(async (error) => {
        const waitingFacts = segments.waitingFacts();
        const reason = reasonOf(error);
        logger.warn({ reason, waitingFacts }, 'facts wait in the journal, trying again');
        await sleep(clock, retryPauseMs, closing.signal);
      });
    }
  };
  let looping: Promise<void> | undefined;
  const usedShare = () =>
    Math.max(
      segments.waitingFacts() / limits.waitingFacts,
      segments.waitingBytes() / limits.waitingBytes,
    );

  const replayFolder = async (name: string): Promise<JournalFolder> => {
    const folder = await openJournalFolder(name, options.fileSystem);
    await replayJournal(folder, { ...options, refuse: segments.refuseLeft, recovered });
    return folder;
  };

  return {
    recovered,
    async replay() {
      for (const left of (await options.leftFolders?.()) ?? []) await replayFolder(left);
      const folder = await replayFolder(options.folder);
      segments.open(folder);
      looping = loop();
    },
    write: (batch) => writeInTurn(() => segments.append(batch)),
    whyNotReady: () => (usedShare() < 1 ? undefined : 'Too much waits for the store'),
    isFilling: () => usedShare() >= 0.5,
    waitingFacts: segments.waitingFacts,
    storedThrough: () => segments.oldestSince() ?? clock.now(),
    flush,
    async close() {
      closing.abort();
      await looping;
      await flush().catch((error) => {
        const waitingFacts = segments.waitingFacts();
        const reason = reasonOf(error);
        logger.warn({ reason, waitingFacts }, 'facts stay in the journal for the next start');
      });
    },
  };
}
