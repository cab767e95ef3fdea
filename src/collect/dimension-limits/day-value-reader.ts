/** Reads from the store which values days have, many days together. */

import { combineWork } from '../../lib/tasks/combined-work.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { AccountDay, Fact, FactReader, ValueReader } from '../../store/facts.ts';
import { otherValue } from '../../vocabulary/statistics.ts';
import { unknown } from '../enrich/system/version-form.ts';
import { dayOf, type RememberedDay, type RememberedDays } from './known-day-values.ts';
import { lastPartOf, openDimensions, roomOf } from './open-dimensions.ts';

/** Others may have added values: before a new one is judged, the store is asked again. */
const leastPauseMs = 1_000;
/** Asking takes at most one part in so many of the time, also on a day of many facts. */
const pausePerRead = 20;

interface Learning {
  readonly store: Pick<ValueReader, 'valuesOf'> & Pick<FactReader, 'completeThrough'>;
  readonly clock: Clock;
  readonly days: RememberedDays;
}

/** Asks about the days of these facts; while one read is under way, others wait. */
export function createDayLearning({
  store,
  clock,
  days,
}: Learning): (facts: readonly Fact[]) => Promise<void> {
  const read = combineWork(async (asked: readonly AccountDay[]) => {
    days.makeRoom(asked.length, store.completeThrough());
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
        const room = roomOf(dimension, areApart);
        for (const value of values[dimension.column]) take(value, day, room);
      }
    }
  });

  return (facts) => {
    const asked = new Map<string, AccountDay>();
    for (const fact of facts) {
      const day = dayOf(fact);
      asked.set(`${fact.accountId} ${day}`, { accountId: fact.accountId, day });
    }
    return read(asked);
  };
}

function take(value: string, day: RememberedDay, room: number): void {
  const last = lastPartOf(value);
  if (last !== otherValue && last !== unknown) day.add(room, value);
}
