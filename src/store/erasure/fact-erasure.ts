/** Finds, counts and deletes what erasures are about, and makes the sums without it. */

import { dayMs } from '../../lib/time/utc-day.ts';
import type { ErasureTarget } from '../../vocabulary/erasures.ts';
import { findKeptSince } from '../../vocabulary/erasures.ts';
import type { CurrentVerdicts } from '../../vocabulary/suspects.ts';
import type { FactStore } from '../client/store-client.ts';
import type { FactErasure, FactQuery, VerdictSource } from '../facts.ts';
import {
  type BoundCondition,
  isOfDays,
  parametersOfDays,
  storableMs,
} from '../sql/account-days.ts';
import {
  combineTargets,
  epochOfAccount,
  isErased,
  isLeft,
  parametersOfEpochs,
} from '../sql/verdicts.ts';
import { repairPeaks } from '../sums/peaks.ts';
import { slotGroupings, storeAtOnceSettingsSql, storeWithDays } from '../sums/sum-insert.ts';
import { mostDays, sumWithout } from '../sums/verdict-changes.ts';
import { valueSql } from '../tables/audience.ts';
import { tables } from '../tables/schema.ts';
import { firstVersion, sums, unpackSum, versionOfSum, withVersion } from '../tables/sums.ts';
import { listColumns } from '../tables/table.ts';

interface FactErasingOptions {
  readonly store: FactStore;
  readonly verdicts: VerdictSource;
  readonly settlesWithinMs: number;
  /** Throws while sums lack what was acknowledged before the start. */
  readonly requireSummed: () => void;
}

const { stretch, event, irregularView, irregularFact, audienceDay, audienceSeen } = tables;
/** A deletion writes each part of the table that it concerns anew. */
const timeoutSeconds = 3_600;
/** One statement deletes so many. */
const viewsAtOnce = 5_000;
/** One statement looks for so many. */
const targetsAtOnce = 20;

export function createFactErasure(options: FactErasingOptions): FactErasure {
  const { store, verdicts, settlesWithinMs, requireSummed } = options;
  const select: Select = <Row>(
    ...[name, sql, parameters]: [string, string, FactQuery['parameters']]
  ) => {
    requireSummed();
    return store.select<Row>({ name, sql, parameters }, { timeoutSeconds });
  };
  return {
    settlesWithinMs,

    viewsOf: (target) => viewsOfViewer(select, target),
    knownViews: (accountId, views) => knownViews(select, accountId, views),

    async count(target) {
      const { sql, parameters } = isErased(target);
      const ofEvents = `UNION ALL SELECT view, 0 FROM ${event.name} WHERE ${sql}`;
      const [row] = await select<{ views: number; facts: number }>(
        'count erased facts',
        `SELECT uniqExact(view) AS views, sum(isFact) AS facts FROM (
          SELECT view, 1 AS isFact FROM ${stretch.name} FINAL WHERE ${sql}
          ${isOfViews(target) ? ofEvents : ''})`,
        parameters,
      );
      return row ?? { views: 0, facts: 0 };
    },

    async isAnyLeft(targets) {
      const isAny = async (table: string, { sql, parameters }: BoundCondition) => {
        const statement = `SELECT 1 AS one FROM ${table} WHERE ${sql} LIMIT 1`;
        return (await select('look for what was erased', statement, parameters)).length > 0;
      };
      for (let first = 0; first < targets.length; first += targetsAtOnce) {
        const some = targets.slice(first, first + targetsAtOnce);
        if (await isAny(stretch.name, combineTargets(some, isLeft))) return true;
        const ofViews = some.filter(isOfViews);
        if (ofViews.length > 0 && (await isAny(event.name, combineTargets(ofViews, isErased))))
          return true;
        // Counts do not tell what they are of; who counts days deletes outdated ones.
        for (const { name } of [irregularFact, audienceSeen]) {
          if (await isAny(name, combineTargets(some.map(ofWholeDays), isErased))) return true;
        }
      }
      return false;
    },

    async sumWithout(target) {
      requireSummed();
      const current = await verdicts.current();
      await emptyOldSums(store, target, current);
      await sumWithout(store, target, current);
    },

    async delete(target) {
      for (const part of splitTarget(target)) {
        for (const { name, sql, parameters } of listDeletions(part)) {
          requireSummed();
          // Facts and events of a view are on one shard.
          await store.onEachServer((server) =>
            server.command({ name, sql, parameters }, timeoutSeconds),
          );
        }
      }
    },
  };
}

/** Events first, by their views: of a video's, only the facts show what those were of. */
function listDeletions(target: ErasureTarget): FactQuery[] {
  const { sql, parameters } = isErased(target);
  const ofPlayback = `accountId = {erasedAccount:UInt32} AND view IN (
      SELECT view FROM ${stretch.name} WHERE ${sql})`;
  const ofEvents = isOfViews(target) ? sql : ofPlayback;
  const deletion = (name: string, table: string, condition: string): FactQuery => ({
    name,
    sql: `ALTER TABLE ${table} DELETE WHERE ${condition} SETTINGS mutations_sync = 1`,
    parameters,
  });
  // Of an earlier epoch by now: none is read any more, and all are made anew. Where sums stay, only
  // of days that nobody may ask for.
  const ofCounts = target.kind === 'facts' ? sql : 'accountId = {erasedAccount:UInt32}';
  // Marks after the facts, which need them.
  const facts = [
    deletion('delete erased facts', stretch.name, sql),
    deletion('delete marks of erased views', irregularView.name, sql),
    deletion('delete erased facts beside counts', irregularFact.name, sql),
    deletion('delete counts of days', audienceDay.name, ofCounts),
    deletion('delete what was seen on days', audienceSeen.name, ofCounts),
  ];
  if (target.kind === 'facts') return facts;
  return [deletion('delete erased events', event.name, ofEvents), ...facts];
}

type Select = <Row>(
  name: string,
  sql: string,
  parameters: FactQuery['parameters'],
) => Promise<Row[]>;

async function viewsOfViewer(
  select: Select,
  { accountId, viewer, untilMs }: ErasureTarget,
): Promise<string[]> {
  const rows = await select<{ known: string }>(
    'find views of viewer',
    `SELECT DISTINCT toString(view) AS known FROM ${stretch.name}
    WHERE accountId = {accountId:UInt32} AND ${valueSql.viewer} = {viewer:UInt64}
      AND slot < toDateTime({until:UInt32}, 'UTC')
    ORDER BY known`,
    { accountId, viewer, until: Math.floor(storableMs(untilMs) / 1_000) },
  );
  return rows.map(({ known }) => known);
}

async function knownViews(
  select: Select,
  accountId: number,
  views: readonly string[],
): Promise<string[]> {
  const { sql, parameters } = isErased({ ...none, accountId, kind: 'views', views });
  const rows = await select<{ known: string }>(
    'find known views',
    `SELECT DISTINCT toString(view) AS known FROM (
      SELECT view FROM ${stretch.name} WHERE ${sql}
      UNION ALL SELECT view FROM ${event.name} WHERE ${sql})
    ORDER BY known`,
    parameters,
  );
  return rows.map(({ known }) => known);
}

const none: Omit<ErasureTarget, 'accountId' | 'kind' | 'views'> = {
  viewer: '',
  packageId: 0,
  videoId: 0,
  untilMs: 0,
};

/** Of which events can be named one by one: one that has just begun has no facts yet. */
function isOfViews({ kind }: ErasureTarget): boolean {
  return kind === 'views' || kind === 'viewer';
}

/** Rows of an hour or a day that it ends within may be of what was played later. */
function ofWholeDays(target: ErasureTarget): ErasureTarget {
  return { ...target, untilMs: target.untilMs - (target.untilMs % dayMs) };
}

function splitTarget(target: ErasureTarget): readonly ErasureTarget[] {
  const { views } = target;
  if (!isOfViews(target)) return [target];
  return Array.from({ length: Math.ceil(views.length / viewsAtOnce) }, (_, index) => ({
    ...target,
    views: views.slice(index * viewsAtOnce, (index + 1) * viewsAtOnce),
  }));
}

const { playbackSum } = tables;
const isBefore = "slot < toDateTime({until:UInt32}, 'UTC')";

/** Of the next version where they shrink; days follow their slots. */
const emptySql = `${storeWithDays(`SELECT ${listColumns(playbackSum)
  .map((column) => {
    if (column === 'grouping') return 'toString(grouping) AS slotGrouping';
    if (!(column in sums)) return column;
    const stored = `max(${playbackSum.name}.${column})`;
    const left = `if(${isBefore}, toUInt64(0), ${unpackSum(stored)})`;
    const version = `greatest(${firstVersion(epochOfAccount)}, ${versionOfSum(stored)})`;
    return `${withVersion(`${version} + (${unpackSum(stored)} > ${left})`, left)} AS ${column}`;
  })
  .join(', ')}
    FROM ${playbackSum.name}
    WHERE grouping IN (${slotGroupings}) AND ${isOfDays}
    GROUP BY ${playbackSum.orderBy.join(', ')}`)}
    SETTINGS ${storeAtOnceSettingsSql}`;

/**
 * Sums whose single facts were erased before: they go only with all playback of their time. With
 * the peaks of their days. May be repeated.
 */
async function emptyOldSums(
  store: FactStore,
  { accountId, kind, packageId, videoId, untilMs }: ErasureTarget,
  verdicts: CurrentVerdicts,
): Promise<void> {
  const keptSince = findKeptSince(verdicts.erasures, accountId);
  const isOfAll = kind === 'playback' && packageId === 0 && videoId === 0;
  if (!isOfAll || keptSince === 0) return;
  const until = Math.floor(storableMs(Math.min(untilMs, keptSince)) / 1_000);
  const rows = await store.select<{ day: number }>({
    name: 'find days of old sums',
    sql: `SELECT DISTINCT toUnixTimestamp(toStartOfDay(slot)) * 1000 AS day
      FROM ${playbackSum.name}
      WHERE accountId = {accountId:UInt32} AND grouping = 'account' AND ${isBefore} ORDER BY day`,
    parameters: { accountId, until },
  });
  for (let first = 0; first < rows.length; first += mostDays) {
    const days = rows.slice(first, first + mostDays).map(({ day }) => ({ accountId, day }));
    const parameters = { ...parametersOfDays(days), ...parametersOfEpochs(verdicts), until };
    await store.command({ name: 'empty old sums', sql: emptySql, parameters });
    await repairPeaks(store, days, verdicts);
  }
}
