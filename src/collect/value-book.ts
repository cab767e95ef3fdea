/**
 * Bounds how many values each dimension that strangers fill has on an account's day: what they make
 * up beyond that is `Other`. Versions of systems are part of a fact's identity, so a beacon that is
 * sent again must get the same: a value once counted keeps its name, and one once left out never
 * gets it. See docs/decisions/bounded-values.md.
 */
import type { AccountDay, Fact, FactReader, ValueReader } from '../facts/facts.ts';
import { assert } from '../lib/assert.ts';
import type { Clock } from '../lib/clock.ts';
import { oneAtATime } from '../lib/one-at-a-time.ts';
import { Fault } from '../wire/faults.ts';
import { otherValue } from '../wire/statistics.ts';
import { lastPartOf, type OpenDimension, openDimensions } from './open-dimensions.ts';
import { unknown } from './operating-system/version-form.ts';
import {
  createRememberedDays,
  dayOf,
  type RememberedDay,
  type RememberedDays,
} from './remembered-days.ts';

/** Others may have added values: before a new one is judged, the store is asked again. */
const leastPauseMs = 1_000;
/** Asking takes at most one part in so many of the time, also on a day of many facts. */
const pausePerRead = 20;
/** A store that hangs must not keep the senders waiting for as long as it does. */
const longestReadMs = 5_000;
/** Some 50 MB. */
const usualEntries = 500_000;

export interface ValueBook {
  /**
   * The facts, with values that the days of their slots have no room for as `Other`. Rejects with
   * UNAVAILABLE if the store cannot be asked about a day.
   */
  bound(facts: readonly Fact[]): Promise<readonly Fact[]> | readonly Fact[];
}

interface ValueBookOptions {
  readonly store: ValueReader & Pick<FactReader, 'completeThrough'>;
  readonly clock: Clock;
  /** Versions of all systems together, and of all browsers, of one account on one UTC day. */
  readonly versionsPerDay: number;
  /** The same for each other dimension. */
  readonly valuesPerDay: number;
  /** Days and values that are remembered, all together; long values count as several. */
  readonly rememberedEntries?: number;
}

export function createValueBook(options: ValueBookOptions): ValueBook {
  const { clock, versionsPerDay, valuesPerDay, rememberedEntries = usualEntries } = options;
  const days = createRememberedDays(rememberedEntries);
  const learn = createLearning(options, days);

  /** Those of which a value can only be judged after the store was asked about their day. */
  const unsureOf = (facts: readonly Fact[]): Fact[] => {
    const nowMs = clock.now();
    let monotonicMs: number | undefined;
    return facts.filter((fact) => {
      const day = days.of(fact);
      if (day === undefined) return true;
      day.usedAtMs = nowMs;
      if (isKnown(fact, day)) return false;
      monotonicMs ??= clock.monotonic();
      return monotonicMs >= day.isFreshUntil;
    });
  };

  /** Whether all values are known: nearly always. */
  const areKnown = (facts: readonly Fact[]): boolean => {
    const nowMs = clock.now();
    let last: { readonly fact: Fact; readonly day: RememberedDay } | undefined;
    for (const fact of facts) {
      const day = days.of(fact);
      if (day === undefined) return false;
      if (last?.day === day && haveSameValues(last.fact, fact)) continue;
      if (!isKnown(fact, day)) return false;
      day.usedAtMs = nowMs;
      last = { fact, day };
    }
    return true;
  };

  const hasRoom = (dimension: OpenDimension, day: RememberedDay): boolean => {
    const most = dimension.isVersion ? versionsPerDay : valuesPerDay;
    return !day.isFull(dimension.index) && day.size(dimension.index) < most;
  };

  const judge = (fact: Fact): Fact => {
    const day = days.of(fact);
    assert(day, 'a day is asked about before its values are judged');
    let judged = fact;
    for (const dimension of openDimensions) {
      const value = dimension.valueIn(fact);
      if (value === undefined || day.has(dimension.index, value)) continue;
      if (hasRoom(dimension, day)) {
        day.add(dimension.index, value);
        continue;
      }
      day.fill(dimension.index);
      judged = dimension.withOther(judged);
    }
    return judged;
  };

  const learnAndJudge = async (facts: readonly Fact[]): Promise<readonly Fact[]> => {
    let unsure = unsureOf(facts);
    while (unsure.length > 0) {
      await inTime(learn(unsure), clock);
      unsure = unsureOf(facts);
    }
    return facts.map(judge);
  };

  return { bound: (facts) => (areKnown(facts) ? facts : learnAndJudge(facts)) };
}

/** Asks the store about many days together: while one read is under way, others wait. */
function createLearning(
  { store, clock }: ValueBookOptions,
  days: RememberedDays,
): (unsure: readonly Fact[]) => Promise<void> {
  const inTurn = oneAtATime();
  let wanted = new Map<string, AccountDay>();
  let next: Promise<void> | undefined;

  const read = async (asked: readonly AccountDay[]): Promise<void> => {
    days.makeRoom(asked.length, store.completeThrough());
    const startedAt = clock.monotonic();
    const found = await store.valuesOf(asked);
    const pauseMs = Math.max(leastPauseMs, pausePerRead * (clock.monotonic() - startedAt));
    for (const one of asked) {
      const day = days.ofDay(one);
      day.isFreshUntil = startedAt + pauseMs;
      day.usedAtMs = clock.now();
    }
    for (const { values, ...of } of found) {
      const day = days.ofDay(of);
      for (const { index, column } of openDimensions) {
        for (const value of values[column]) {
          const last = lastPartOf(value);
          if (last === otherValue) day.fill(index);
          else if (last !== unknown) day.add(index, value);
        }
      }
    }
  };

  return (unsure) => {
    for (const fact of unsure) {
      const day = dayOf(fact);
      wanted.set(`${fact.accountId} ${day}`, { accountId: fact.accountId, day });
    }
    next ??= inTurn(() => {
      const asked = [...wanted.values()];
      wanted = new Map();
      next = undefined;
      return read(asked);
    });
    return next;
  };
}

function inTime(read: Promise<void>, clock: Clock): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(longestReadMs, () => {
      const detail = 'The store does not say which values a day has';
      reject(new Fault('UNAVAILABLE', detail, { retryAfterSeconds: 1 }));
    });
    void read.then(resolve, reject).finally(cancel);
  });
}

/** Facts made of one request mostly share their attributes. */
function haveSameValues(one: Fact, other: Fact): boolean {
  return (
    one.details?.attributes === other.details?.attributes &&
    one.os === other.os &&
    one.osVersion === other.osVersion
  );
}

function isKnown(fact: Fact, day: RememberedDay): boolean {
  for (const { index, valueIn } of openDimensions) {
    const value = valueIn(fact);
    if (value !== undefined && !day.has(index, value)) return false;
  }
  return true;
}
