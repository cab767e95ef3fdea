/** The journal's files in use: one being written, and those being moved into the store. */
import { assert } from '../../lib/assert.ts';
import type { Logger } from '../../lib/logger.ts';
import { followSteps } from '../../lib/tasks/clock-steps.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { isStoreMistake } from '../client/store-failure.ts';
import type { LedgerRow } from '../facts.ts';
import { type FactBatch, joinByColumns } from './fact-batch.ts';
import type { JournalFile, JournalFolder } from './journal-file.ts';
import type { FactMetrics } from './store-metrics.ts';

/** A file that takes writes, and what is in it. */
interface FillingSegment {
  readonly file: JournalFile;
  readonly batches: FactBatch[];
  ledger: readonly LedgerRow[];
  /** When the first of them became durable, by the service's clock. */
  readonly since: () => number;
  bytes: number;
}

/** A file that takes no more writes. */
interface FullSegment {
  readonly file: JournalFile;
  /** One for each set of columns: in most files, one. */
  readonly batches: readonly FactBatch[];
  readonly ledger: readonly LedgerRow[];
  /** Of all rows. */
  readonly bytes: number;
  readonly since: () => number;
}

interface Waiting {
  facts: number;
  /** Of the rows in memory. */
  bytes: number;
}

interface SegmentsOptions {
  /** Once its rows have this size a file takes no more writes; bounds an insert as well. */
  readonly bytesPerFile: number;
  readonly store: (batch: FactBatch) => Promise<void>;
  readonly storeLedger: (rows: readonly LedgerRow[]) => Promise<void>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: FactMetrics;
}

export function createSegments(options: SegmentsOptions) {
  const { bytesPerFile, clock, logger, metrics } = options;
  let folder: JournalFolder | undefined;
  const waiting: Waiting = { facts: 0, bytes: 0 };
  let filling: FillingSegment | undefined;
  const refused = createRefusedFiles({ logger, metrics });
  const full = createFullSegments({ ...options, waiting, refused });

  const setAside = async (): Promise<void> => {
    if (!filling) return;
    const { file, batches, ledger, bytes, since } = filling;
    const isEmpty = batches.length === 0 && ledger.length === 0;
    // Joined once: while the store is away, thousands of small batches would take several times
    // the memory of their rows.
    if (!isEmpty) full.add({ file, batches: joinByColumns(batches), ledger, bytes, since });
    filling = undefined;
    await file.close();
    if (isEmpty) await file.remove();
  };

  return {
    /** Call it once, before anything is written. */
    open(opened: JournalFolder): void {
      folder = opened;
    },
    /** Treats a file of an earlier run as one of this run. */
    refuseLeft(file: RefusedFile, error: unknown): boolean {
      // The attempt to bring in all files may be repeated.
      const isNew = refused.add(file, error);
      if (isNew) waiting.facts += file.facts;
      return isNew;
    },
    setAside,
    async append(batch: FactBatch, ledger: readonly LedgerRow[]): Promise<void> {
      assert(folder, 'the journal is replayed before it is written to');
      if (filling && filling.bytes >= bytesPerFile) await setAside();
      const file = filling?.file ?? (await folder.createFile());
      const writtenAtMs = clock.now();
      const since = followSteps(clock, writtenAtMs);
      filling ??= { file, batches: [], ledger: [], since, bytes: 0 };
      try {
        await filling.file.append(batch, ledger, writtenAtMs);
      } catch (error) {
        // Part of the frame may be in the file, and frames after that would be taken for damage.
        await setAside();
        throw error;
      }
      if (batch.count > 0) filling.batches.push(batch);
      if (ledger.length > 0) filling.ledger = latestCounts([...filling.ledger, ...ledger]);
      filling.bytes += batch.rows.length;
      waiting.facts += batch.count;
      waiting.bytes += batch.rows.length;
    },
    storeFull: full.store,
    /** Those that the store refuses are among them: they take room until a release mends it. */
    waitingFacts: () => waiting.facts,
    waitingBytes: () => waiting.bytes,
    hasFacts: () => full.oldestSince() !== undefined || isFilled(filling),
    /** Undefined if nothing waits. */
    oldestSince(): number | undefined {
      const kept = full.oldestSince() ?? (filling?.batches.length ? filling.since() : undefined);
      const oldest = Math.min(refused.since(), kept ?? Number.POSITIVE_INFINITY);
      return Number.isFinite(oldest) ? oldest : undefined;
    },
  };
}

function isFilled(filling: FillingSegment | undefined): boolean {
  return filling !== undefined && (filling.batches.length > 0 || filling.ledger.length > 0);
}

/** Of each count the last: it only grows. */
export function latestCounts(rows: readonly LedgerRow[]): readonly LedgerRow[] {
  const keyOf = ({ accountId, day, outcome, run }: LedgerRow) =>
    `${accountId} ${day} ${outcome} ${run}`;
  return [...new Map(rows.map((row) => [keyOf(row), row])).values()];
}

type ToStore = Pick<SegmentsOptions, 'store' | 'storeLedger'>;

interface FullSegmentsOptions extends Pick<SegmentsOptions, 'bytesPerFile'>, ToStore {
  readonly waiting: Waiting;
  readonly refused: RefusedFiles;
}

/** The files on their way into the store, the oldest first. */
function createFullSegments({ bytesPerFile, waiting, refused, ...to }: FullSegmentsOptions) {
  let segments: readonly FullSegment[] = [];
  const leave = async ({ segment, error }: Stored): Promise<void> => {
    const { file, batches, bytes, since } = segment;
    const facts = batches.reduce((sum, { count }) => sum + count, 0);
    segments = segments.filter((other) => other !== segment);
    waiting.bytes -= bytes;
    if (error !== undefined) {
      refused.add({ name: file.name, facts, since: since() }, error);
      return;
    }
    waiting.facts -= facts;
    assert(waiting.facts >= 0, 'no more facts leave the journal than came');
    await file.remove();
  };
  return {
    add(segment: FullSegment): void {
      segments = [...segments, segment];
    },
    async store(): Promise<void> {
      for (const group of groupSegments(segments, bytesPerFile)) {
        for (const stored of await storeSegments(group, to)) await leave(stored);
      }
    },
    oldestSince: () => segments[0]?.since(),
  };
}

/** Neighbours together, as many as fit into one insert. */
function groupSegments(segments: readonly FullSegment[], mostBytes: number): FullSegment[][] {
  const groups: FullSegment[][] = [];
  let bytes = 0;
  for (const segment of segments) {
    const group = groups.at(-1);
    if (group && bytes + segment.bytes <= mostBytes) {
      group.push(segment);
      bytes += segment.bytes;
    } else {
      groups.push([segment]);
      bytes = segment.bytes;
    }
  }
  return groups;
}

interface Stored {
  readonly segment: FullSegment;
  /** Why the store refuses it. */
  readonly error?: unknown;
}

/**
 * One insert for all, or one for each set of columns; if the store refuses it, each file is
 * inserted separately, so that few facts are refused.
 */
async function storeSegments(
  segments: readonly FullSegment[],
  to: ToStore,
): Promise<readonly Stored[]> {
  try {
    for (const batch of joinByColumns(segments.flatMap(({ batches }) => batches))) {
      await to.store(batch);
    }
    // A file goes only then: what its facts came from is counted there alone.
    const ledger = latestCounts(segments.flatMap(({ ledger }) => ledger));
    if (ledger.length > 0) await to.storeLedger(ledger);
    return segments.map((segment) => ({ segment }));
  } catch (error) {
    if (!isStoreMistake(error)) throw error;
    if (segments.length === 1) return segments.map((segment) => ({ segment, error }));
    const stored: Stored[] = [];
    for (const segment of segments) stored.push(...(await storeSegments([segment], to)));
    return stored;
  }
}

/* Journal files whose facts the store refuses because of a bug of ours: kept, and counted. */

export interface RefusedFile {
  readonly name: string;
  readonly facts: number;
  /** When the first of them became durable, by the service's clock. */
  readonly since: number;
}

export interface RefusedFiles {
  /** Returns whether the file is new among them. */
  add(file: RefusedFile, error: unknown): boolean;
  /** Since when the oldest fact waits; Infinity if none does. */
  since(): number;
}

interface RefusedFilesOptions {
  readonly logger: Logger;
  readonly metrics: FactMetrics;
}

export function createRefusedFiles({ logger, metrics }: RefusedFilesOptions): RefusedFiles {
  const names = new Set<string>();
  let oldest = Number.POSITIVE_INFINITY;
  return {
    add({ name, facts, since }, error) {
      if (names.has(name)) return false;
      names.add(name);
      oldest = Math.min(oldest, since);
      metrics.journalRefused(facts);
      logger.error(
        { err: error, file: name, facts },
        'the store refuses facts of the journal; their file stays for the next start',
      );
      return true;
    },
    since: () => oldest,
  };
}
