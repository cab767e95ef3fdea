/** Reads from the store which values days have, many days together. */

import { combineWork } from '../../lib/tasks/serial-work.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { AccountDay, Fact, FactReader, ValueReader } from '../../store/facts.ts';
import { otherValue } from '../../vocabulary/statistics.ts';
import { unknown } from '../enrich/system/version-form.ts';
import { findDay, type RememberedDays } from './known-day-values.ts';
import { findRoom, type OpenDimension, openDimensions, takeLastPart } from './open-dimensions.ts';

/** Others may have added values: before a new one is judged, the store is asked again. */
const leastPauseMs = 1_000;
/** Asking takes at most one part in so many of the time, also on a day of many facts. */
const pausePerRead = 20;

interface Learning {
  readonly store: ValueReader & Pick<FactReader, 'completeThrough'>;
  readonly clock: Clock;
  readonly days: RememberedDays;
  /** How many values of earlier days keep their place. */
  readonly mostReserved: (dimension: OpenDimension) => number;
}

/** Asks about the days of these facts; while one read is under way, others wait. */
export function createDayLearning({
  store,
  clock,
  days,
  mostReserved,
}: Learning): (facts: readonly Fact[]) => Promise<void> {
  /** Once for each day: what keeps its place stays the same for as long as the day is remembered. */
  const reserve = async (asked: readonly AccountDay[]): Promise<void> => {
    const fresh = asked.filter((one) => days.ofDay(one).reserved === undefined);
    if (fresh.length === 0) return;
    const found = await store.earlierValuesOf(fresh, Math.max(...openDimensions.map(mostReserved)));
    for (const { values, ...of } of found) {
      days
        .ofDay(of)
        .reserve(openDimensions.map((one) => values[one.column].slice(0, mostReserved(one))));
    }
    for (const one of fresh) days.ofDay(one).reserve(openDimensions.map(() => []));
  };

  const read = combineWork(async (asked: readonly AccountDay[]) => {
    days.makeRoom(asked.length, store.completeThrough());
    await reserve(asked);
    const startedAt = clock.monotonic();
    const found = await store.valuesOf(asked);
    const pauseMs = Math.max(leastPauseMs, pausePerRead * (clock.monotonic() - startedAt));
    for (const one of asked) {
      const day = days.ofDay(one);
      day.isFreshUntil = startedAt + pauseMs;
      day.usedAtMs = clock.now();
    }
    for (const { values, areApart, ...of } of found) {
      const day = days.ofDay(of);
      for (const dimension of openDimensions) {
        const room = findRoom(dimension, areApart);
        const reserved = day.reserved?.[dimension.index];
        for (const value of values[dimension.column]) {
          const last = takeLastPart(value);
          if (last === otherValue || last === unknown) continue;
          day.add(room, value, reserved?.has(value) === true);
        }
      }
    }
  });

  return (facts) => {
    const asked = new Map<string, AccountDay>();
    for (const fact of facts) {
      const day = findDay(fact);
      asked.set(`${fact.accountId} ${day}`, { accountId: fact.accountId, day });
    }
    return read(asked);
  };
}
