/**
 * Counts days again, without storing it, and compares it with the counts that questions read. A day
 * whose counts are not current is not wrong: questions then read its facts. Checking the views of a
 * day again, as a repair does, leaves the day without current counts until it is counted again.
 */
import { dayMs } from '../../lib/time/utc-day.ts';
import type { CurrentVerdicts } from '../../vocabulary/suspects.ts';
import type { FactStore } from '../client/store-client.ts';
import type { AudienceDay, SumDifference } from '../facts.ts';
import { type AccountDay, isOfDays, parametersOfDays } from '../sql/account-days.ts';
import { mostOfDay, statementTimeoutSeconds } from '../sums/sum-check.ts';
import { audienceCounts } from '../tables/audience.ts';
import { tables } from '../tables/schema.ts';
import { listColumns } from '../tables/table.ts';
import { readAudienceDays, selectAudienceDays, selectIrregularFacts } from './day-counts.ts';
import { selectSeenOfDays } from './day-views.ts';

const { audienceDay, audienceSeen, irregularFact } = tables;

const keys = 'accountId, slot, value, version';
const sumsOf = (side: string, condition: string) =>
  audienceCounts.map((name) => `sumIf(made_${name}, ${condition}) AS ${side}_${name}`).join(', ');
const madeOf = (prefix: string) => audienceCounts.map((name) => `${prefix}${name}`).join(', ');
const ofDay = 'toUnixTimestamp(toStartOfDay(slot))';
const isOfCounting = (countedAt: string) => `(accountId, ${ofDay},
          toUnixTimestamp64Milli(${countedAt})) IN arrayZip({accounts:Array(UInt32)},
          {days:Array(UInt32)}, {countings:Array(Int64)})`;

const countsSql = `SELECT accountId, ${ofDay} * 1000 AS day, toUnixTimestamp(slot) * 1000 AS at,
      name AS grouping, toString((value, version)) AS about,
      ${sumsOf('expected', 'isMade')}, ${sumsOf('found', 'NOT isMade')}
    FROM (
      SELECT ${keys}, toString(grouping) AS name, ${madeOf('made_')}, 1 AS isMade
      FROM (
      ${selectAudienceDays}
      )
      UNION ALL
      SELECT ${keys}, toString(grouping) AS name, ${madeOf('')}, 0
      FROM ${audienceDay.name} FINAL WHERE ${isOfDays} AND ${isOfCounting('countedAt')}
    )
    GROUP BY ${keys}, name
    HAVING ${audienceCounts.map((name) => `expected_${name} != found_${name}`).join(' OR ')}
    ORDER BY day, at, grouping, about
    LIMIT ${mostOfDay} BY accountId, day`;

const factKeys = 'accountId, slot, packageId, videoId, view, about';
/** What is noted in other places is as wrong as what is missing. */
const factsSql = `SELECT accountId, ${ofDay} * 1000 AS day, day AS at,
      'facts beside' AS grouping, '' AS about, countIf(isMade) AS expected_facts,
      countIf(isMade AND isStored) AS rightOnes,
      if(rightOnes < expected_facts, rightOnes, countIf(isStored)) AS found_facts
    FROM (
      SELECT ${factKeys}, max(made) AS isMade, max(stored) AS isStored
      FROM (
        SELECT ${factKeys}, 1 AS made, 0 AS stored FROM (
        ${selectIrregularFacts}
        )
        UNION ALL
        SELECT ${factKeys}, 0, 1 FROM ${irregularFact.name}
        WHERE ${isOfDays} AND ${isOfCounting('countedAt')}
      )
      GROUP BY ${factKeys}
    )
    GROUP BY accountId, day
    HAVING expected_facts != found_facts
    ORDER BY day`;

const seenKeys = audienceSeen.orderBy.filter((name) => name !== 'countedAt').join(', ');
const seenHash = `cityHash64(${listColumns(audienceSeen)
  .filter((name) => name !== 'countedAt')
  .join(', ')})`;
/** A row of views is right as a whole, or wrong. */
const seenSql = `SELECT accountId, ${ofDay} * 1000 AS day, day AS at,
      'what views saw' AS grouping, toString(videoId) AS about, countIf(isMade) AS expected_rows,
      countIf(isMade AND made = stored) AS rightOnes,
      if(rightOnes < expected_rows, rightOnes, countIf(isStored)) AS found_rows
    FROM (
      SELECT ${seenKeys}, max(isOfFacts) AS isMade, max(NOT isOfFacts) AS isStored,
        sumIf(hash, isOfFacts) AS made, sumIf(hash, NOT isOfFacts) AS stored
      FROM (
        SELECT ${seenKeys}, ${seenHash} AS hash, 1 AS isOfFacts FROM (
        ${selectSeenOfDays}
        )
        UNION ALL
        SELECT ${seenKeys}, ${seenHash}, 0 FROM ${audienceSeen.name}
        WHERE ${isOfDays} AND ${isOfCounting('countedAt')}
        LIMIT 1 BY ${seenKeys}
      )
      GROUP BY ${seenKeys}
    )
    GROUP BY accountId, day, about
    HAVING expected_rows != found_rows
    ORDER BY day, about
    LIMIT ${mostOfDay} BY accountId, day`;

type Row = Readonly<Record<string, string | number>>;

/** What is wrong of those of these days that have current counts. */
export async function checkCounts(
  store: FactStore,
  days: readonly AccountDay[],
  verdicts: CurrentVerdicts,
): Promise<SumDifference[]> {
  const counted: (AccountDay & AudienceDay)[] = [];
  for (const own of Object.values(Object.groupBy(days, ({ accountId }) => accountId))) {
    counted.push(...(await selectCounted(store, own ?? [], verdicts)));
  }
  if (counted.length === 0) return [];
  const none = counted.map(() => 0);
  const parameters = {
    ...parametersOfDays(counted),
    ...{ countings: counted.map(({ countedAtMs }) => countedAtMs), epoch: 0, countedAt: 0 },
    ...{ checks: none, marks: none },
  };
  const differences: SumDifference[] = [];
  for (const [sql, values] of [
    [countsSql, audienceCounts],
    [factsSql, ['facts']],
    [seenSql, ['rows']],
  ] as const) {
    const found = await store.select<Row>(
      { name: 'check counts of days', sql, parameters },
      { timeoutSeconds: statementTimeoutSeconds, settings: { max_threads: 1 } },
    );
    differences.push(...found.map((row) => toDifference(row, values)));
  }
  return differences;
}

/** Of days of one account. */
async function selectCounted(
  store: FactStore,
  days: readonly AccountDay[],
  verdicts: CurrentVerdicts,
): Promise<(AccountDay & AudienceDay)[]> {
  const [first] = days;
  if (first === undefined) return [];
  const { accountId } = first;
  const asked = new Set(days.map(({ day }) => day));
  const range = { fromMs: Math.min(...asked), untilMs: Math.max(...asked) + dayMs };
  const counted = await readAudienceDays(store, { accountId, ...range }, verdicts);
  return counted.filter(({ day }) => asked.has(day)).map((one) => ({ accountId, ...one }));
}

/** Of the values that differ. */
function toDifference(row: Row, values: readonly string[]): SumDifference {
  const differ = values.filter((name) => row[`expected_${name}`] !== row[`found_${name}`]);
  const read = (side: string) =>
    Object.fromEntries(differ.map((name) => [name, Number(row[`${side}_${name}`])]));
  return {
    ...{ accountId: Number(row.accountId), day: Number(row.day), atMs: Number(row.at) },
    ...{ grouping: `counts of ${row.grouping}`, about: String(row.about) },
    ...{ expected: read('expected'), found: read('found'), epochsAhead: 0 },
  };
}
