/** Reads facts and sums for questions, between erasures. */

import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { assert } from '../../lib/assert.ts';
import { shareNext } from '../../lib/tasks/serial-work.ts';
import { type Clock, sleep } from '../../lib/time/clock.ts';
import { findKeptSince } from '../../vocabulary/erasures.ts';
import { Fault } from '../../vocabulary/faults.ts';
import type { CurrentVerdicts, SuspectName } from '../../vocabulary/suspects.ts';
import type { FactStore, OpenedStore } from '../client/store-client.ts';
import { readAudienceDays } from '../days/day-counts.ts';
import { readCheckedDays } from '../days/regular-views.ts';
import type { FactQuery, FactReader, MeterStatement, SlotRange, VerdictSource } from '../facts.ts';
import { quality } from '../migrations/0002-quality.ts';
import type { Migration } from '../migrations/migrations.ts';
import type { RollUp } from '../roll-up/roll-up.ts';
import { erasedState, filterAccepted, findErased } from '../sql/verdicts.ts';
import { tables } from '../tables/schema.ts';

interface ReaderOptions {
  readonly store: FactStore;
  readonly verdicts: VerdictSource;
  readonly clock: Clock;
  readonly requireSummed: () => void;
  readonly opened: Pick<OpenedStore, 'readsAsOfOneMoment'>;
  readonly fewFacts: number | undefined;
  /** Default: each statement is run at once. */
  readonly meter?: MeterStatement | undefined;
  /** Undefined until something has been summed. */
  readonly rollUp: () => RollUp | undefined;
}

/**
 * Up to this many facts are merged faster than the slots in several parts are found
 * (docs/decisions/any-question.md).
 */
const usualFewFacts = 100_000;

/** How long a question waits for the sums of an erasure. */
const longestWaitMs = 10_000;
const lookAgainMs = 50;
const retryAfterSeconds = 2;

export function createFactReader(options: ReaderOptions): FactReader {
  const { verdicts, clock, requireSummed, rollUp, opened } = options;
  const { fewFacts = usualFewFacts, meter = (_query, run) => run() } = options;
  const store = keeping(metered(sharing(options.store), meter), clock);
  let qualitySince: number | undefined;

  /** Resolves to the account's state between two erasures. */
  const waitForSums = async (accountId: number, untilMs: number): Promise<string> => {
    for (;;) {
      const current = await verdicts.current();
      if (!isSumming(current, accountId)) return erasedState(current, accountId);
      if (clock.monotonic() >= untilMs) throw erasing();
      await sleep(clock, lookAgainMs);
    }
  };

  return {
    async read(query) {
      requireSummed();
      return store.select(query);
    },
    async readMany(query) {
      requireSummed();
      return store.selectMany(query);
    },
    async write(query, format, signal) {
      requireSummed();
      return store.write(query, format, signal);
    },
    async unsettledDays(accountId) {
      requireSummed();
      return rollUp()?.unsettledDays(accountId) ?? [];
    },
    async unsettledPeaks(accountId) {
      requireSummed();
      return rollUp()?.unsettledPeaks(accountId) ?? [];
    },
    async checkedDays(range) {
      requireSummed();
      return readCheckedDays(store, range);
    },
    async audienceDays(range) {
      requireSummed();
      return readAudienceDays(store, range, await verdicts.current());
    },
    async countedWithin(range) {
      requireSummed();
      const current = await verdicts.current();
      const accepted = await readAcceptedSuspects(store, current, range);
      const facts = await estimateFacts(store, range);
      const isMany = facts > fewFacts;
      return {
        ...{ accepted, erased: findErased(current, range.accountId) },
        mergesAll: !opened.readsAsOfOneMoment() || !isMany,
        ...(isMany && { manyFactsMs: (fewFacts / facts) * (range.untilMs - range.fromMs) }),
      };
    },
    async between(accountId, read) {
      const untilMs = clock.monotonic() + longestWaitMs;
      for (;;) {
        const before = await waitForSums(accountId, untilMs);
        const answer = await read();
        const current = await verdicts.current();
        const isSame = erasedState(current, accountId) === before;
        if (isSame && !isSumming(current, accountId)) return answer;
        if (clock.monotonic() >= untilMs) throw erasing();
      }
    },
    async keptSince(accountId) {
      return findKeptSince((await verdicts.current()).erasures, accountId);
    },
    async keepsQualitySince() {
      qualitySince ??= await readAppliedAt(options.store, quality);
      return qualitySince;
    },
    completeThrough: () => rollUp()?.completeThrough() ?? 0,
  };
}

/** When a migration was applied, which is so before anything is read. */
async function readAppliedAt(store: FactStore, { name }: Pick<Migration, 'name'>): Promise<number> {
  const [row] = await store.select<{ appliedMs: number }>({
    name: 'read when migrated',
    sql: `SELECT toUnixTimestamp64Milli(min(at)) AS appliedMs FROM ${tables.migration.name}
      WHERE name = {name:String}`,
    parameters: { name },
  });
  assert(row, 'a minimum is a row');
  return row.appliedMs;
}

/** A screen asks many questions about one range at once: what they all read is read once. */
function sharing(store: FactStore): FactStore {
  const share = shareNext();
  const nameOf = ({ sql, parameters }: FactQuery) => `${sql} ${JSON.stringify(parameters)}`;
  return {
    ...store,
    select: (query, options) =>
      query.isCostly
        ? store.select(query, options)
        : share(nameOf(query), () => store.select(query, options)),
    selectMany: (query) =>
      query.isCostly
        ? store.selectMany(query)
        : share(`many ${nameOf(query)}`, () => store.selectMany(query)),
  };
}

/** Of all statements together, and of one: some 25 MB at most. */
const mostRowsKept = 50_000;
const mostRowsKeptOfOne = 5_000;
/** Names of what is erased meanwhile stay in memory no longer. */
const keptMs = 3_600_000;
const estimateMs = 5_000;

/**
 * Keeps what settled days gave for whoever looks at them again, and how much a range is for the
 * questions of one screen.
 */
function keeping(store: FactStore, clock: Clock): FactStore {
  const kept = new LRUCache<string, readonly unknown[]>({
    maxSize: mostRowsKept,
    maxEntrySize: mostRowsKeptOfOne,
    sizeCalculation: (rows) => rows.length + 1,
    // For the library the instant 0 is none.
    ...{ perf: { now: () => 1 + clock.monotonic() }, ttlResolution: 0 },
  });
  const keptOr = async <Row>(query: FactQuery, read: () => Promise<Row[]>): Promise<Row[]> => {
    const { sql, parameters, isFinal, isEstimate = false } = query;
    if (isFinal === undefined && !isEstimate) return read();
    const name = hash('sha256', JSON.stringify([sql, parameters]), 'base64');
    const before = kept.get(name);
    if (before) return [...before] as Row[];
    const rows = await read();
    const isKept = isEstimate || isFinal?.(rows as never[]) === true;
    if (isKept) kept.set(name, rows, { ttl: isEstimate ? estimateMs : keptMs });
    return rows;
  };
  return {
    ...store,
    select: (query, options) => keptOr(query, () => store.select(query, options)),
    selectMany: (query) => keptOr(query, () => store.selectMany(query)),
  };
}

function metered(store: FactStore, meter: MeterStatement): FactStore {
  const known = (query: FactQuery): FactQuery => ({ isCostly: false, ...query });
  return {
    ...store,
    select: (query, options) => meter(query, () => store.select(known(query), options)),
    selectMany: (query) => meter(query, () => store.selectMany(known(query))),
    write: (query, ...how) => meter(query, () => store.write(query, ...how)),
  };
}

function isSumming({ erasures }: CurrentVerdicts, accountId: number): boolean {
  return (
    erasures?.open.some((one) => one.accountId === accountId && one.state === 'summing') ?? false
  );
}

function erasing(): Fault {
  const detail = 'Playback of the account is being erased';
  return new Fault('UNAVAILABLE', detail, { retryAfterSeconds });
}

/** Those with facts in the range; few of all that were ever accepted. */
export async function readAcceptedSuspects(
  store: FactStore,
  verdicts: CurrentVerdicts,
  { accountId, fromMs, untilMs }: SlotRange,
): Promise<readonly string[]> {
  if (!verdicts.accepted.some((name) => name.accountId === accountId)) return [];
  const found = await store.select<SuspectName>({
    name: 'find suspects of a range',
    sql: `SELECT DISTINCT accountId, suspect FROM ${tables.stretch.name}
      WHERE accountId = {accountId:UInt32} AND suspect != ''
        AND slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({until:UInt32}, 'UTC')
      ORDER BY suspect`,
    parameters: { accountId, from: fromMs / 1_000, until: untilMs / 1_000 },
  });
  return filterAccepted(verdicts, found).map(({ suspect }) => suspect);
}

/**
 * About how many facts a range has, suspects included: the number that the store would read, which
 * it knows without reading any. It reads by granules, so there may be up to 16,382 too many for
 * each part of the table.
 */
export async function estimateFacts(
  store: FactStore,
  { accountId, fromMs, untilMs }: SlotRange,
): Promise<number> {
  const estimates = await store.select<{ rows: string | number }>({
    name: 'estimate facts of a range',
    sql: `EXPLAIN ESTIMATE SELECT 1 FROM ${tables.stretch.name}
      WHERE accountId = {accountId:UInt32} AND slot >= toDateTime({from:UInt32}, 'UTC')
        AND slot < toDateTime({until:UInt32}, 'UTC')`,
    parameters: { accountId, from: fromMs / 1_000, until: untilMs / 1_000 },
    isEstimate: true,
  });
  return estimates.reduce((sum, { rows }) => sum + Number(rows), 0);
}
