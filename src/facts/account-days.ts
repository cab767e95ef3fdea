/** UTC days of accounts, as statements ask for them. */
export interface AccountDay {
  readonly accountId: number;
  /** Start of the UTC day, milliseconds since the epoch. */
  readonly day: number;
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
