/** What the operator's commands do with stored facts: check, repair. */
import type { CurrentVerdicts } from '../../vocabulary/suspects.ts';
import type { FactStore, OneServer, OpenedStore } from '../client/store-client.ts';
import { checkCounts } from '../days/count-check.ts';
import { checkMarks, repairMarks } from '../days/regular-views.ts';
import type {
  AccountDay,
  DayOfFacts,
  Fact,
  OtherBeginnings,
  ServerClocks,
  StoreDisk,
  StoreHealth,
  StoreVerification,
  SumDifference,
  VerdictSource,
} from '../facts.ts';
import type { RollUp, RollUpPace } from '../roll-up/roll-up.ts';
import { checkPeaks, repairPeaks } from '../sums/peaks.ts';
import { checkSums, repairSums } from '../sums/sum-check.ts';
import { mostDays } from '../sums/verdict-changes.ts';
import { selectOtherBeginnings } from '../sums/view-beginnings.ts';
import { tables } from '../tables/schema.ts';
import type { GroupingName } from '../tables/sums.ts';
import { freezeTables } from './frozen-tables.ts';
import { checkParts } from './part-check.ts';

interface FactUpkeepOptions {
  readonly store: FactStore;
  readonly opened: Pick<OpenedStore, 'coveredSkewMs' | 'measureSkewMs'>;
  readonly verdicts: VerdictSource;
  readonly pace: RollUpPace;
  /** This process's time, in milliseconds. */
  readonly now: () => number;
  /** Throws while sums lack what was acknowledged before the start. */
  readonly requireSummed: () => void;
  /** Undefined until something has been summed. */
  readonly rollUp: () => Pick<RollUp, 'runWhole'> | undefined;
}

const { stretch, playbackSum } = tables;
const timeoutSeconds = 600;

const isOfAccount = 'accountId = {accountId:UInt32}';

export function createStoreVerification(options: FactUpkeepOptions): StoreVerification {
  const { store, opened, verdicts, pace, now, requireSummed, rollUp } = options;
  const select = <Row>(
    name: string,
    sql: string,
    parameters: Readonly<Record<string, number>> = {},
  ) => {
    requireSummed();
    return store.select<Row>({ name, sql, parameters }, { timeoutSeconds });
  };
  return {
    settlesWithinMs: pace.lookBackMs,
    daysAtOnce: mostDays,
    async accounts() {
      const rows = await select<{ accountId: number }>(
        'list accounts of facts',
        `SELECT DISTINCT accountId FROM (
          SELECT accountId FROM ${stretch.name}
          UNION ALL SELECT accountId FROM ${playbackSum.name})
        ORDER BY accountId`,
      );
      return rows.map(({ accountId }) => accountId);
    },
    daysOf: (accountId) =>
      select<DayOfFacts>(
        'list days of facts',
        `SELECT accountId, toUnixTimestamp(toStartOfDay(slot)) * 1000 AS day,
          sum(isFact) AS facts
        FROM (
          SELECT accountId, slot, 1 AS isFact FROM ${stretch.name} WHERE ${isOfAccount}
          UNION ALL SELECT accountId, slot, 0 FROM ${playbackSum.name} WHERE ${isOfAccount})
        GROUP BY accountId, day ORDER BY day`,
        { accountId },
      ),
    namesOf: (accountId) =>
      select<Pick<Fact, 'packageId' | 'videoId'>>(
        'list names of facts',
        `SELECT DISTINCT packageId, videoId FROM (
          SELECT packageId, videoId FROM ${stretch.name} WHERE ${isOfAccount}
          UNION ALL SELECT packageId, videoId FROM ${playbackSum.name}
          WHERE ${isOfAccount} AND grouping = '${'video' satisfies GroupingName}')
        ORDER BY packageId, videoId`,
        { accountId },
      ),
    otherBeginnings: (accountId) =>
      select<OtherBeginnings>('list other beginnings', selectOtherBeginnings, { accountId }),
    async rollUp() {
      requireSummed();
      await rollUp()?.runWhole();
    },
    async checkSums(days) {
      requireSummed();
      if (days.length === 0) return [];
      return checkDays(store, days, await verdicts.current());
    },
    async repairSums(days) {
      requireSummed();
      await repairDays(store, days, await verdicts.current());
      await repairMarks(store, days, pace.lookBackMs);
    },
    async freeze(storeFolder) {
      requireSummed();
      return freezeTables(store, storeFolder);
    },
    health: () => readStoreHealth(store, now),
    clocks: () => readClocks(opened),
    checkParts: (noteProgress) => checkParts(store, noteProgress),
  };
}

async function checkDays(
  store: FactStore,
  days: readonly AccountDay[],
  verdicts: CurrentVerdicts,
): Promise<SumDifference[]> {
  const wrongSums = await checkSums(store, days, verdicts);
  const wrongPeaks = await checkPeaks(store, days, verdicts);
  const wrongMarks = await checkMarks(store, days);
  const wrongCounts = await checkCounts(store, days, verdicts);
  return [...wrongSums, ...wrongPeaks, ...wrongMarks, ...wrongCounts];
}

async function repairDays(
  store: FactStore,
  days: readonly AccountDay[],
  verdicts: CurrentVerdicts,
): Promise<void> {
  await repairSums(store, days, verdicts);
  await repairPeaks(store, days, verdicts);
}

async function readClocks(opened: FactUpkeepOptions['opened']): Promise<ServerClocks | undefined> {
  const apartMs = await opened.measureSkewMs();
  return apartMs === undefined ? undefined : { apartMs, coveredMs: opened.coveredSkewMs };
}

/* The state of the store, as it reports it. */

interface Row {
  readonly version: string;
  readonly nowMs: number;
  readonly latestMs: number;
  readonly bytes: number;
  readonly table: string;
  readonly parts: number;
  readonly allParts: number;
  readonly setAside: number;
  readonly merges: number;
  readonly mutations: number;
  readonly memoryBytes: number;
  readonly diskFree: number | null;
  readonly diskSize: number | null;
}

/** `now`: this process's time, ms. The store's clock is compared with the middle of the request. */
export async function readStoreHealth(store: FactStore, now: () => number): Promise<StoreHealth> {
  const servers = await store.onEachServer((server) => readServerHealth(server, now));
  return servers.reduce((one, other) => ({
    version: one.version,
    clockAheadMs:
      Math.abs(one.clockAheadMs) < Math.abs(other.clockAheadMs)
        ? other.clockAheadMs
        : one.clockAheadMs,
    latestAheadMs: Math.max(one.latestAheadMs, other.latestAheadMs),
    bytes: one.bytes + other.bytes,
    busiest: (one.busiest?.parts ?? 0) < (other.busiest?.parts ?? 0) ? other.busiest : one.busiest,
    parts: one.parts + other.parts,
    partsSetAside: one.partsSetAside + other.partsSetAside,
    merges: one.merges + other.merges,
    unfinishedMutations: one.unfinishedMutations + other.unfinishedMutations,
    memoryBytes: one.memoryBytes + other.memoryBytes,
    disk: fuller(one.disk, other.disk),
  }));
}

function fuller(one: StoreDisk | undefined, other: StoreDisk | undefined): StoreDisk | undefined {
  const freeShare = (disk: StoreDisk | undefined) => (disk ? disk.freeBytes / disk.sizeBytes : 1);
  return freeShare(other) < freeShare(one) ? other : one;
}

async function readServerHealth(store: OneServer, now: () => number): Promise<StoreHealth> {
  const began = now();
  const [row] = await store.select<Row>({
    name: 'read health',
    sql: `WITH crowded AS (
        SELECT table, count() AS parts, sum(bytes_on_disk) AS bytes FROM system.parts
        WHERE database = currentDatabase() AND active GROUP BY table, partition_id),
      -- An object store says that it has room without end.
      fullest AS (
        SELECT free_space AS free, total_space AS size FROM system.disks
        WHERE NOT is_remote AND size > 0 AND name IN (
          SELECT disk_name FROM system.parts WHERE database = currentDatabase() AND active)
        ORDER BY free / size LIMIT 1)
      SELECT version() AS version, toUnixTimestamp64Milli(now64(3)) AS nowMs,
        (SELECT toUnixTimestamp64Milli(greatest(max(through), now64(3)))
          FROM ${tables.rolled.name}) AS latestMs,
        (SELECT sum(bytes) FROM crowded) AS bytes,
        (SELECT argMax(table, parts) FROM crowded) AS table,
        (SELECT max(parts) FROM crowded) AS parts,
        (SELECT sum(parts) FROM crowded) AS allParts,
        (SELECT count() FROM system.detached_parts
          WHERE database = currentDatabase() AND reason LIKE 'broken%') AS setAside,
        (SELECT count() FROM system.merges WHERE database = currentDatabase()) AS merges,
        (SELECT count() FROM system.mutations
          WHERE database = currentDatabase() AND NOT is_done) AS mutations,
        (SELECT sum(value) FROM system.metrics WHERE metric = 'MemoryTracking') AS memoryBytes,
        (SELECT free FROM fullest) AS diskFree,
        (SELECT size FROM fullest) AS diskSize`,
    parameters: {},
  });
  if (!row) throw new Error('the store answered without a row');
  const { version, nowMs, latestMs, bytes, table, parts, allParts, merges, mutations } = row;
  const { diskFree: freeBytes, diskSize: sizeBytes } = row;
  const askedAtMs = (began + now()) / 2;
  return {
    version,
    clockAheadMs: nowMs - askedAtMs,
    latestAheadMs: latestMs - askedAtMs,
    bytes,
    busiest: parts > 0 ? { table, parts } : undefined,
    parts: allParts,
    partsSetAside: row.setAside,
    merges,
    unfinishedMutations: mutations,
    memoryBytes: row.memoryBytes,
    disk: freeBytes === null || sizeBytes === null ? undefined : { freeBytes, sizeBytes },
  };
}
