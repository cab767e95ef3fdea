/** UTC days of accounts, as statements ask for them. */
import { dayMs } from '../../lib/time/utc-day.ts';

export interface AccountDay {
  readonly accountId: number;
  /** Start of the UTC day, milliseconds since the epoch. */
  readonly day: number;
}

/** Slots of an account that begin in this range, its end excluded (ms since the epoch). */
export interface SlotRange {
  readonly accountId: number;
  readonly fromMs: number;
  readonly untilMs: number;
}

/** For tables with an account and a slot; with the parameters of `parametersOfDays`. */
export const isOfDays = `accountId IN {accounts:Array(UInt32)}
        AND slot >= toDateTime({firstDay:UInt32}, 'UTC')
        AND slot < toDateTime({lastDay:UInt32}, 'UTC') + toIntervalDay(1)
        AND (accountId, toUnixTimestamp(toStartOfDay(slot))) IN (
          SELECT part.1, part.2 FROM (
            SELECT arrayJoin(arrayZip({accounts:Array(UInt32)}, {days:Array(UInt32)})) AS part))`;

export function parametersOfDays(days: readonly AccountDay[]) {
  const seconds = days.map(({ day }) => day / 1_000);
  return {
    accounts: days.map(({ accountId }) => accountId),
    days: seconds,
    firstDay: seconds.reduce((least, day) => Math.min(least, day)),
    lastDay: seconds.reduce((largest, day) => Math.max(largest, day)),
  };
}

/** The slots of whole UTC days within a range; undefined if there are none. */
export function slotsOfWholeDays({ accountId, fromMs, untilMs }: SlotRange) {
  const first = Math.ceil(fromMs / dayMs) * dayMs;
  const last = Math.floor(untilMs / dayMs) * dayMs;
  if (first >= last) return undefined;
  return {
    sql: `accountId = {accountId:UInt32}
        AND slot >= {first:UInt32} AND slot < {last:UInt32}`,
    parameters: { accountId, first: first / 1_000, last: last / 1_000 },
  };
}

/** A day as a statement lists it, `at` in seconds. */
export interface ListedDay {
  readonly accountId: number;
  readonly at: number;
  readonly dayPlays: number;
}

/** The first of these days, of one account, with so many plays at most; one may have more. */
export function firstOfAccount(listed: readonly ListedDay[], mostPlays: number): AccountDay[] {
  const days: AccountDay[] = [];
  let plays = 0;
  for (const { accountId, at, dayPlays } of listed) {
    plays += dayPlays;
    const [first] = days;
    if (first && (plays > mostPlays || accountId !== first.accountId)) break;
    days.push({ accountId, day: at * 1_000 });
  }
  return days;
}
