import { dayMs } from '../../lib/time/utc-day.ts';
import { tables } from '../tables/schema.ts';
import { epochOfSum, partsOfPeak, unpackSum } from '../tables/sums.ts';

/** Bound by the store as {name:Type}; never part of a statement's text. */
export type BoundParameters = Readonly<
  Record<string, string | number | readonly (string | number)[]>
>;

/** The store takes 128 KiB in one field of a request. */
const mostCharacters = 100_000;

export interface BoundCondition {
  readonly sql: string;
  readonly parameters: BoundParameters;
}

export interface BoundArray {
  readonly sql: string;
  readonly parameters: BoundParameters;
}

/** A list of any length as an array in SQL, in as many parameters as it needs. */
export function boundArray(
  name: string,
  type: 'UInt32' | 'UInt64' | 'UUID' | 'String',
  values: readonly (string | number)[],
): BoundArray {
  let chunk: (string | number)[] = [];
  const chunks = [chunk];
  let characters = 0;
  for (const value of values) {
    // Quotes and a comma, and twice the bytes where each is escaped.
    const length = typeof value === 'number' ? 21 : 3 + 2 * Buffer.byteLength(value);
    if (characters + length > mostCharacters) {
      chunk = [];
      chunks.push(chunk);
      characters = 0;
    }
    characters += length;
    chunk.push(value);
  }
  const named = chunks.map((chunk, index) => [`${name}Part${index}`, chunk] as const);
  const bound = named.map(([parameter]) => `{${parameter}:Array(${type})}`);
  const sql = bound.length === 1 ? (bound[0] as string) : `arrayConcat(${bound.join(', ')})`;
  return { sql, parameters: Object.fromEntries(named) };
}

/* UTC days of accounts, as statements ask for them. */

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

/** An instant (ms), or the nearest to it that a slot can have: slots are seconds of 32 bits. */
export function storableMs(instantMs: number): number {
  return Math.min(Math.max(instantMs, 0), (2 ** 32 - 1) * 1_000);
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

/* Which days have all their peaks, in SQL. */

const { playbackSum, peak } = tables;

const ofAccount = `accountId = {accountId:UInt32} AND grouping = 'account'
  AND videoId = 0 AND packageId = 0`;

/**
 * SQL of the UTC days with playback: how much, and whether the peaks of all their slots are kept. A
 * slot has either all its peaks or none. A peak of an earlier epoch does not count: something was
 * taken out since. `within` limits the slots.
 */
export function selectKeptDays(within: string): string {
  return `SELECT toUnixTimestamp(toStartOfDay(slot)) AS day, min(kept >= needed) AS isKept,
  sum(slotPlays) AS plays, sum(slotMs) AS playMs
FROM (
SELECT slot, max(playsOf) AS slotPlays, max(playMsOf) AS slotMs, max(neededEpoch) AS needed,
  max(keptEpoch) AS kept
FROM (
SELECT slot, ${unpackSum('max(plays)')} AS playsOf, ${unpackSum('max(playMs)')} AS playMsOf,
  1 + ${epochOfSum('max(playMs)')} AS neededEpoch, 0 AS keptEpoch
FROM ${playbackSum.name} WHERE ${ofAccount}${within} GROUP BY slot
UNION ALL
SELECT slot, 0, 0, 0, 1 + ${partsOfPeak.epoch(`max(${peak.name}.peak)`)}
FROM ${peak.name} WHERE ${ofAccount}${within} GROUP BY slot
)
GROUP BY slot
)
WHERE slotMs > 0
GROUP BY day
ORDER BY day`;
}
