/**
 * Facts on their way into the store: first into a file, which makes them durable, and into the
 * store a little later, many at a time. An insert costs the store about the same however few rows
 * it has, so this pays off if the store shares the machine. See docs/decisions/journal.md.
 */
import type { Logger } from '../../lib/logger.ts';
import { oneAtATime } from '../../lib/tasks/serial-work.ts';
import { type Clock, sleep } from '../../lib/time/clock.ts';
import { Fault } from '../../vocabulary/faults.ts';
import { findReason, isStoreMistake } from '../client/store-failure.ts';
import type { LedgerRow } from '../facts.ts';
import { type FactBatch, factColumns, joinByColumns } from './fact-batch.ts';
import {
  type FileSystem,
  type JournalFolder,
  type LeftFile,
  openJournalFolder,
} from './journal-file.ts';
import { createSegments, latestCounts, type RefusedFile } from './journal-segments.ts';
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
  /**
   * Resolves when the facts are durable, and the counts of what they came from. After a rejection
   * they may or may not be: write again.
   */
  write(batch: FactBatch, ledger?: readonly LedgerRow[]): Promise<void>;
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
  /** The same for counts of the ledger. */
  readonly storeLedger: (rows: readonly LedgerRow[]) => Promise<void>;
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
        const reason = findReason(error);
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
    write: (batch, ledger = []) => writeInTurn(() => segments.append(batch, ledger)),
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
        const reason = findReason(error);
        logger.warn({ reason, waitingFacts }, 'facts stay in the journal for the next start');
      });
    },
  };
}

/* Inserts into the store what an earlier run has left in its journal. */

interface ReplayOptions {
  /** Called for a file that stays; returns whether it is the first time. */
  readonly refuse: (file: RefusedFile, error: unknown) => boolean;
  readonly store: JournalOptions['store'];
  readonly storeLedger: JournalOptions['storeLedger'];
  readonly logger: Logger;
  readonly metrics: FactMetrics;
  /** Counted up. */
  readonly recovered: Recovered;
}

/** What all attempts of a start have found. */
export interface Recovered {
  files: number;
  facts: number;
  /** Files of which a part cannot be read, and those that the store refuses: they are kept. */
  keptFiles: number;
}

export async function replayJournal(folder: JournalFolder, options: ReplayOptions): Promise<void> {
  const { store, storeLedger, logger, metrics, recovered } = options;
  for await (const file of folder.leftFiles()) {
    requireKnownColumns(file);
    const { name, tornBytes, frames } = file;
    const facts = frames.reduce((sum, { batch }) => sum + batch.count, 0);
    try {
      for (const batch of joinByColumns(frames.map(({ batch }) => batch))) await store(batch);
      const ledger = latestCounts(frames.flatMap(({ ledger }) => ledger));
      if (ledger.length > 0) await storeLedger(ledger);
    } catch (error) {
      if (!isStoreMistake(error)) throw error;
      const since = frames[0]?.writtenAtMs ?? file.createdAtMs;
      if (options.refuse({ name, facts, since }, error)) recovered.keptFiles += 1;
      continue;
    }
    if (file.damagedPlaces.length > 0) {
      metrics.journalDamaged();
      recovered.keptFiles += 1;
      const keptAs = await file.keepAside();
      logger.error(
        { file: name, keptAs, facts, damagedPlaces: listPlaces(file) },
        'journal damaged: some facts acknowledged in these spans of time may be missing',
      );
    } else {
      await file.remove();
    }
    recovered.files += 1;
    recovered.facts += facts;
    logger.info({ file: name, facts, tornBytes }, 'journal of the last run replayed');
  }
}

/** Storing the others without these would lose acknowledged facts. */
function requireKnownColumns({ name, frames }: LeftFile): void {
  const columns = new Set(frames.flatMap(({ batch }) => batch.columns));
  const unknown = [...columns].filter((column) => !factColumns.includes(column));
  if (unknown.length === 0) return;
  throw new Fault(
    'INTERNAL',
    `Journal file ${name} is of a later release: it has the column ${unknown.join(', ')}`,
  );
}

/** When the lost facts of each place were acknowledged, as closely as the file shows. */
function listPlaces({ damagedPlaces, createdAtMs, writtenAtMs }: LeftFile) {
  return damagedPlaces.map(({ at, bytes, afterMs, beforeMs }) => ({
    at,
    bytes,
    from: new Date(afterMs ?? createdAtMs).toISOString(),
    until: new Date(beforeMs ?? writtenAtMs).toISOString(),
  }));
}
