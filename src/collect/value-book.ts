/**
 * Bounds how many values each dimension that strangers fill has on an account's day, and how many
 * one sender brings once half of that is used: what they make up beyond that is `Other`. What is
 * set apart has room of its own. Versions of systems are part of a fact's identity, so a beacon
 * that is sent again must get the same: a value once counted keeps its name, and a view whose
 * version was left out never gets it. See docs/decisions/bounded-values.md.
 */
import type { AccountDay, Fact, FactReader, ValueReader } from '../facts/facts.ts';
import { assert } from '../lib/assert.ts';
import type { Clock } from '../lib/clock.ts';
import type { Logger } from '../lib/logger.ts';
import { oneAtATime } from '../lib/one-at-a-time.ts';
import { Fault } from '../wire/faults.ts';
import { otherValue } from '../wire/statistics.ts';
import { createLeftOutVersions } from './left-out-versions.ts';
import { lastPartOf, type OpenDimension, openDimensions } from './open-dimensions.ts';
import { unknown } from './operating-system/version-form.ts';
import {
  createRememberedDays,
  dayOf,
  type RememberedDay,
  type RememberedDays,
} from './remembered-days.ts';
import { createSenderAllowance, type ValueSender } from './sender-allowance.ts';

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
   * The facts of one sender, with values that the days of their slots have no room for as `Other`.
   * Rejects with UNAVAILABLE if the store cannot be asked about a day.
   */
  bound(facts: readonly Fact[], sender: ValueSender): Promise<readonly Fact[]> | readonly Fact[];
}

interface ValueBookOptions {
  readonly store: ValueReader & Pick<FactReader, 'completeThrough'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  /** Versions of all systems together, and of all browsers, of one account on one UTC day. */
  readonly versionsPerDay: number;
  /** The same for each other dimension. */
  readonly valuesPerDay: number;
  /**
   * How many of each dimension one address may be the first to report on a day, once half of its
   * room is used; 0: any number.
   */
  readonly valuesByAddress: number;
  /** Days and values that are remembered, all together; long values count as several. */
  readonly rememberedEntries?: number;
}

export function createValueBook(options: ValueBookOptions): ValueBook {
  const { clock, rememberedEntries = usualEntries } = options;
  const days = createRememberedDays(rememberedEntries);
  const learn = createLearning(options, days);
  const naming = createNaming(options);

  /** Those of which a value can only be judged after the store was asked about their day. */
  const unsureOf = (facts: readonly Fact[]): Fact[] => {
    const nowMs = clock.now();
    let monotonicMs: number | undefined;
    return facts.filter((fact) => {
      const day = days.of(fact);
      if (day === undefined) return true;
      day.usedAtMs = nowMs;
      if (naming.isKnown(fact, day)) return false;
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
      if (naming.isLeftOut(fact)) return false;
      if (last?.day === day && haveSameValues(last.fact, fact)) continue;
      if (!naming.isKnown(fact, day)) return false;
      day.usedAtMs = nowMs;
      last = { fact, day };
    }
    return true;
  };

  const learnAndJudge = async (
    facts: readonly Fact[],
    sender: ValueSender,
  ): Promise<readonly Fact[]> => {
    let unsure = unsureOf(facts);
    while (unsure.length > 0) {
      await inTime(learn(unsure), clock);
      unsure = unsureOf(facts);
    }
    return facts.map((fact) => {
      const day = days.of(fact);
      assert(day, 'a day is asked about before its values are judged');
      return naming.name(fact, day, sender);
    });
  };

  return {
    bound: (facts, sender) => (areKnown(facts) ? facts : learnAndJudge(facts, sender)),
  };
}

interface Naming {
  /** Whether the fact never gets its version. */
  isLeftOut(fact: Fact): boolean;
  /** Whether it keeps all its values, and none of them is new. */
  isKnown(fact: Fact, day: RememberedDay): boolean;
  /** The fact under the values that it is stored with; new ones are the day's from now on. */
  name(fact: Fact, day: RememberedDay, sender: ValueSender): Fact;
}

function createNaming(options: ValueBookOptions): Naming {
  const { versionsPerDay, valuesPerDay } = options;
  const leftOut = createLeftOutVersions();
  const allowance = createSenderAllowance(options);

  const isOut = ({ isIdentity }: OpenDimension, fact: Fact): boolean =>
    isIdentity && leftOut.has(fact);

  const has = (dimension: OpenDimension, value: string, fact: Fact, day: RememberedDay): boolean =>
    day.has(dimension.index, value) || day.has(roomOf(dimension, fact), value);

  /** Makes a new value one of the day's, at the cost of the sender's share; false without room. */
  const admit = (
    dimension: OpenDimension,
    value: string,
    { fact, day, sender }: { fact: Fact; day: RememberedDay; sender: ValueSender },
  ): boolean => {
    const most = dimension.isVersion ? versionsPerDay : valuesPerDay;
    // Where what counts has none left, what is set apart has none: parts of a view have one name.
    if (day.size(dimension.index) >= most) return false;
    const room = roomOf(dimension, fact);
    const used = day.size(room);
    // The first half is anybody's: only of the other half does a sender get a share.
    const isFree = used < most / 2 || (used < most && allowance.take(sender, fact, room));
    if (isFree) day.add(room, value);
    return isFree;
  };

  return {
    isLeftOut: leftOut.has,
    isKnown(fact, day) {
      for (const dimension of openDimensions) {
        const value = dimension.valueIn(fact);
        if (value === undefined) continue;
        if (isOut(dimension, fact) || !has(dimension, value, fact, day)) return false;
      }
      return true;
    },
    name(fact, day, sender) {
      let named = fact;
      for (const dimension of openDimensions) {
        const value = dimension.valueIn(fact);
        if (value === undefined) continue;
        if (!isOut(dimension, fact)) {
          if (has(dimension, value, fact, day)) continue;
          if (admit(dimension, value, { fact, day, sender })) continue;
          if (dimension.isIdentity) leftOut.add(fact);
        }
        named = dimension.withOther(named);
      }
      return named;
    },
  };
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
    for (const { values, areApart, ...of } of found) {
      const day = days.ofDay(of);
      for (const { index, column } of openDimensions) {
        const room = areApart ? index + roomsOfCounted : index;
        for (const value of values[column]) {
          if (takesRoom(value)) day.add(room, value);
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
    one.osVersion === other.osVersion &&
    one.suspect === other.suspect
  );
}

/** Each dimension has a room for what counts; behind all these is one for what is set apart. */
const roomsOfCounted = openDimensions.length;

function roomOf({ index }: OpenDimension, { suspect }: Fact): number {
  return suspect === '' ? index : index + roomsOfCounted;
}

function takesRoom(value: string): boolean {
  const last = lastPartOf(value);
  return last !== otherValue && last !== unknown;
}
