/** What the operator's commands do with stored facts: check, repair. */
import type { CurrentVerdicts } from '../../vocabulary/suspects.ts';
import type { FactStore, OpenedStore } from '../client/store-client.ts';
import { readStoreHealth } from '../client/store-health.ts';
import { checkCounts } from '../days/count-check.ts';
import { checkMarks, repairMarks } from '../days/mark-check.ts';
import type {
  AccountDay,
  DayOfFacts,
  Fact,
  ServerClocks,
  StoreVerification,
  SumDifference,
  VerdictSource,
} from '../facts.ts';
import type { RollUp, RollUpPace } from '../roll-up/roll-up.ts';
import { checkPeaks, repairPeaks } from '../sums/peak-check.ts';
import { checkSums } from '../sums/sum-check.ts';
import { mostDays } from '../sums/sum-rebuild.ts';
import { repairSums } from '../sums/sum-repair.ts';
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
    clocks: () => clocksOf(opened),
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

async function clocksOf(opened: FactUpkeepOptions['opened']): Promise<ServerClocks | undefined> {
  const apartMs = await opened.measureSkewMs();
  return apartMs === undefined ? undefined : { apartMs, coveredMs: opened.coveredSkewMs };
}
