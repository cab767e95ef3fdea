/**
 * Brings the sums in line with verdicts before any slot is summed by them, all at once, so that no
 * question sees half of a change. A fact of a suspect is either stored by then and summed again, or
 * its note is not seen yet and its slot is summed later, by the new verdict.
 */

import type { ErasureTarget } from '../../vocabulary/erasures.ts';
import { findKeptSince } from '../../vocabulary/erasures.ts';
import { Fault } from '../../vocabulary/faults.ts';
import type { CurrentVerdicts, SuspectName } from '../../vocabulary/suspects.ts';
import type { FactStore } from '../client/store-client.ts';
import type { VerdictSource } from '../facts.ts';
import { type AccountDay, isOfDays, parametersOfDays } from '../sql/account-days.ts';
import { isErased, isOfSuspects, judgedAnew, parametersOfSuspects } from '../sql/verdicts.ts';
import { tables } from '../tables/schema.ts';
import { keepPeaks, repairPeaks } from './peaks.ts';
import { repairSums } from './sum-check.ts';
import {
  forEachCounting,
  selectSlotSums,
  storeAtOnceSettingsSql,
  storeWithDays,
  sumSlots,
} from './sum-insert.ts';
import { levelDays } from './view-levels.ts';

/** Resolves to the verdicts that the sums follow now: those on these suspects, and all new ones. */
export type FollowVerdicts = (suspects: readonly SuspectName[]) => Promise<CurrentVerdicts>;

export function createFollowVerdicts(
  store: FactStore,
  source: Pick<VerdictSource, 'current'>,
): FollowVerdicts {
  let followed: CurrentVerdicts | undefined;
  /** While they cannot be read, the last ones hold: what is summed by them gives way later. */
  const read = async (isAsked: boolean): Promise<CurrentVerdicts> => {
    try {
      return await source.current();
    } catch (error) {
      if (isAsked || followed === undefined || !isOutage(error)) throw error;
      return followed;
    }
  };
  return async (suspects) => {
    const verdicts = await read(suspects.length > 0);
    const concerned = [...suspects, ...judgedAnew(followed ?? verdicts, verdicts)];
    if (concerned.length > 0) await sumAgain(store, concerned, verdicts);
    for (const target of begunSince(followed ?? verdicts, verdicts)) {
      await sumWithout(store, target, verdicts);
    }
    followed = verdicts;
    return verdicts;
  };
}

/** Erasures by which sums shrink, and did not before. */
function begunSince(before: CurrentVerdicts, after: CurrentVerdicts): readonly ErasureTarget[] {
  if (!after.erasures) return [];
  const known = new Set(before.erasures?.open.map(({ receipt }) => receipt));
  return after.erasures.open.filter(({ receipt }) => !known.has(receipt));
}

/** The catalog is away for now. */
export function isOutage(error: unknown): boolean {
  return error instanceof Fault && error.code === 'UNAVAILABLE';
}

/* Sums the days of suspects again after a verdict. All slots and the days themselves are stored by
 * one insert, so a question sees all of the change or nothing of it. Their peaks follow: peaks of a
 * lower epoch than the sums are not used.
 */

/** More days than playback from strangers may be old; those of a larger suspect change in turn. */
export const mostDays = 31;

const { stretch } = tables;

export const sumAgainSql = forEachCounting(
  (counting, kept) => `${storeWithDays(selectSlotSums(isOfDays + kept.ofFacts, counting))}
    SETTINGS ${storeAtOnceSettingsSql}`,
);

export async function sumAgain(
  store: FactStore,
  suspects: readonly SuspectName[],
  verdicts: CurrentVerdicts,
): Promise<void> {
  const days = await readVerdictDays(store, suspects);
  for (let first = 0; first < days.length; first += mostDays) {
    const portion = days.slice(first, first + mostDays);
    const parameters = parametersOfDays(portion);
    const statement = { name: 'sum again', condition: isOfDays, sql: sumAgainSql, parameters };
    await levelDays(store, portion, verdicts);
    await sumSlots(store, statement, verdicts);
    await keepPeaks(store, portion, verdicts);
  }
}

async function readVerdictDays(
  store: FactStore,
  suspects: readonly SuspectName[],
): Promise<AccountDay[]> {
  const parameters = parametersOfSuspects(suspects);
  const rows = await store.select<{ accountId: number; day: number }>({
    name: 'find days of suspects',
    sql: `SELECT DISTINCT accountId, toUnixTimestamp(toStartOfDay(slot)) AS day
      FROM ${stretch.name}
      WHERE accountId IN {suspectAccounts:Array(UInt32)} AND suspect != '' AND ${isOfSuspects}
      ORDER BY accountId, day`,
    parameters,
  });
  return rows.map(({ accountId, day }) => ({ accountId, day: day * 1_000 }));
}

/* Makes the sums and peaks of the days that an erasure concerns again, without what it erases. */

const timeoutSeconds = 600;

/** The verdicts already name the erasure as begun. May be repeated. */
export async function sumWithout(
  store: FactStore,
  target: ErasureTarget,
  verdicts: CurrentVerdicts,
): Promise<void> {
  const days = await readErasedDays(store, target);
  const keptSince = findKeptSince(verdicts.erasures, target.accountId);
  const kept = days.filter(({ day }) => day >= keptSince);
  for (let first = 0; first < kept.length; first += mostDays) {
    const some = kept.slice(first, first + mostDays);
    await repairSums(store, some, verdicts);
    await repairPeaks(store, some, verdicts);
  }
}

async function readErasedDays(store: FactStore, target: ErasureTarget): Promise<AccountDay[]> {
  const { sql, parameters } = isErased(target);
  const rows = await store.select<{ day: number }>(
    {
      name: 'find days of erased facts',
      sql: `SELECT DISTINCT toUnixTimestamp(toStartOfDay(slot)) * 1000 AS day
      FROM ${tables.stretch.name} WHERE ${sql} ORDER BY day`,
      parameters,
    },
    { timeoutSeconds },
  );
  return rows.map(({ day }) => ({ accountId: target.accountId, day }));
}
