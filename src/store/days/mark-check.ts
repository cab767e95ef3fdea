/** Looks for irregular views without a mark on checked days, and marks them. */

import { dayMs } from '../../lib/time/utc-day.ts';
import type { FactStore } from '../client/store-client.ts';
import type { SumDifference } from '../facts.ts';
import { type AccountDay, isOfDays, parametersOfDays } from '../sql/account-days.ts';
import { tables } from '../tables/schema.ts';
import { columnsOf } from '../tables/table.ts';
import {
  checkTimeoutSeconds,
  checkViews,
  readCheckedDays,
  selectIrregular,
} from './regular-views.ts';

const { irregularView } = tables;
const keys = columnsOf(irregularView).join(', ');

const checkSql = `SELECT accountId, toUnixTimestamp(slot) * 1000 AS day, count() AS views
    FROM (
    ${selectIrregular}
    )
    WHERE ${isOfDays}
      AND (${keys}) NOT IN (SELECT ${keys} FROM ${irregularView.name} WHERE ${isOfDays})
    GROUP BY accountId, day
    ORDER BY accountId, day`;

/** Of these days, of one account, the checked ones with such views. */
export async function checkMarks(
  store: FactStore,
  days: readonly AccountDay[],
): Promise<SumDifference[]> {
  const checked = await checkedOf(store, days);
  if (checked.length === 0) return [];
  const rows = await store.select<{ accountId: number; day: number; views: number }>(
    { name: 'check marks of views', sql: checkSql, parameters: parametersOfDays(checked) },
    { timeoutSeconds: checkTimeoutSeconds, settings: { max_threads: 1 } },
  );
  return rows.map(({ accountId, day, views }) => ({
    ...{ accountId, day, atMs: day, grouping: 'marks of views', about: '' },
    ...{ expected: { irregular: views }, found: { irregular: 0 }, epochsAhead: 0 },
  }));
}

/** `lookBackMs` as for `checkViews`. */
export async function repairMarks(
  store: FactStore,
  days: readonly AccountDay[],
  lookBackMs: number,
): Promise<void> {
  const checked = await checkedOf(store, days);
  if (checked.length > 0) await checkViews(store, checked, lookBackMs);
}

async function checkedOf(store: FactStore, days: readonly AccountDay[]): Promise<AccountDay[]> {
  const checked: AccountDay[] = [];
  for (const accountId of new Set(days.map((one) => one.accountId))) {
    const own = days.filter((one) => one.accountId === accountId).map(({ day }) => day);
    const range = { accountId, fromMs: Math.min(...own), untilMs: Math.max(...own) + dayMs };
    const found = new Set(await readCheckedDays(store, range));
    checked.push(...own.filter((day) => found.has(day)).map((day) => ({ accountId, day })));
  }
  return checked;
}
