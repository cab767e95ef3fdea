/**
 * Bounds how many values each dimension that strangers fill has on an account's day. Values of
 * earlier days keep their places; new ones share the rest, and once half of that is used each
 * sender has a part of what is left: what is beyond is `Other`. What is set apart has room of its
 * own. A value once counted keeps its name. See docs/decisions/bounded-values.md.
 */

import { Counter, type Registry } from 'prom-client';
import { assert } from '../../lib/assert.ts';
import type { Logger } from '../../lib/logger.ts';
import type { Clock } from '../../lib/time/clock.ts';
import {
  type Attributes,
  type Fact,
  type FactReader,
  type OpenColumn,
  openColumns,
  type ValueReader,
} from '../../store/facts.ts';
import { Fault } from '../../vocabulary/faults.ts';
import type { AccountLedger, Outcome } from '../account-ledger.ts';
import { createDayLearning } from './day-value-reader.ts';
import { createRememberedDays, type RememberedDay } from './known-day-values.ts';
import { findRoom, type OpenDimension, openDimensions } from './open-dimensions.ts';
import { createSenderAllowance, type ValueSender } from './sender-allowance.ts';

/** A store that hangs must not keep the senders waiting for as long as it does. */
const longestReadMs = 5_000;
/** Some 50 MB. */
const usualEntries = 500_000;

export interface DimensionLimits {
  /**
   * The facts of one sender, with values that the days of their slots have no room for as `Other`.
   * Rejects with UNAVAILABLE if the store cannot be asked about a day.
   */
  bound(facts: readonly Fact[], sender: ValueSender): Promise<readonly Fact[]> | readonly Fact[];
}

interface DimensionLimitsOptions {
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
  /** Told of every new value that took a place, and of every value that found none. */
  readonly noteValues?: (values: readonly NotedValue[]) => void;
  /** Days and values that are remembered, all together; long values count as several. */
  readonly rememberedEntries?: number;
}

/** What became of a new value of an account. */
export interface NotedValue {
  readonly accountId: number;
  readonly column: OpenColumn;
  readonly isOther: boolean;
}

export function createDimensionLimits(options: DimensionLimitsOptions): DimensionLimits {
  const { store, clock, noteValues, rememberedEntries = usualEntries } = options;
  const days = createRememberedDays(rememberedEntries);
  const roomFor = roomsBy(options);
  // At most half: what is new has the other.
  const mostReserved = (dimension: OpenDimension) => Math.floor(roomFor(dimension) / 2);
  const learnDays = createDayLearning({ store, clock, days, mostReserved });
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

  const seen = createSeenValues();

  /** Whether all values are known: nearly always. */
  const areKnown = (facts: readonly Fact[]): boolean => {
    const nowMs = clock.now();
    for (const fact of facts) {
      const day = days.of(fact);
      if (day === undefined) return false;
      day.usedAtMs = nowMs;
      if (seen.has(fact, day)) continue;
      if (!naming.isKnown(fact, day)) return false;
      seen.add(fact, day);
    }
    return true;
  };

  const learnAndJudge = async (
    facts: readonly Fact[],
    sender: ValueSender,
  ): Promise<readonly Fact[]> => {
    let unsure = unsureOf(facts);
    while (unsure.length > 0) {
      await inTime(learnDays(unsure), clock);
      unsure = unsureOf(facts);
    }
    const noted: NotedValue[] = [];
    const named = facts.map((fact) => {
      const day = days.of(fact);
      assert(day, 'a day is asked about before its values are judged');
      return naming.name(fact, { day, sender, noted });
    });
    if (noted.length > 0) noteValues?.(noted);
    return named;
  };

  return {
    bound: (facts, sender) => (areKnown(facts) ? facts : learnAndJudge(facts, sender)),
  };
}

interface Naming {
  /** Whether it keeps all its values, and none of them is new. */
  isKnown(fact: Fact, day: RememberedDay): boolean;
  /** The fact under the values that it is stored with; new ones are the day's from now on. */
  name(fact: Fact, among: Among): Fact;
}

/** Among what a fact's values are judged. */
interface Among {
  readonly day: RememberedDay;
  readonly sender: ValueSender;
  readonly noted: NotedValue[];
}

type Bounds = Pick<DimensionLimitsOptions, 'versionsPerDay' | 'valuesPerDay'>;

function roomsBy({ versionsPerDay, valuesPerDay }: Bounds) {
  return ({ isVersion }: OpenDimension) => (isVersion ? versionsPerDay : valuesPerDay);
}

function createNaming(options: DimensionLimitsOptions): Naming {
  const roomFor = roomsBy(options);
  const allowance = createSenderAllowance(options);

  const has = (dimension: OpenDimension, value: string, fact: Fact, day: RememberedDay): boolean =>
    day.has(dimension.index, value) || day.has(findRoom(dimension, isApart(fact)), value);

  /** Makes a new value one of the day's, at the cost of the sender's share; false without room. */
  const admit = (
    dimension: OpenDimension,
    value: string,
    { fact, day, sender }: { fact: Fact } & Pick<Among, 'day' | 'sender'>,
  ): boolean => {
    const { index } = dimension;
    const most = roomFor(dimension);
    const room = findRoom(dimension, isApart(fact));
    // Where what counts has none left, what is set apart has none: parts of a view have one name.
    if (day.size(index) >= most || day.size(room) >= most) return false;
    const reserved = day.reserved?.[index];
    if (reserved?.has(value)) {
      day.add(room, value, true);
      return true;
    }
    const mostNew = most - (reserved?.size ?? 0);
    if (day.newcomers(index) >= mostNew) return false;
    const left = mostNew - day.newcomers(room);
    // The first half is anybody's: only of the other half does a sender get a share.
    const isFree = left > mostNew / 2 || (left > 0 && allowance.take(sender, { fact, room, left }));
    if (isFree) day.add(room, value, false);
    return isFree;
  };

  return {
    isKnown(fact, day) {
      for (const dimension of openDimensions) {
        const value = dimension.valueIn(fact);
        if (value === undefined) continue;
        if (!has(dimension, value, fact, day)) return false;
      }
      return true;
    },
    name(fact, { day, sender, noted }) {
      let named = fact;
      const { accountId } = fact;
      for (const dimension of openDimensions) {
        const value = dimension.valueIn(fact);
        if (value === undefined) continue;
        if (has(dimension, value, fact, day)) continue;
        const isOther = !admit(dimension, value, { fact, day, sender });
        const isNew = isOther || !day.reserved?.[dimension.index]?.has(value);
        if (isNew) noted.push({ accountId, column: dimension.column, isOther });
        if (isOther) named = dimension.withOther(named);
      }
      return named;
    },
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

function isApart({ suspect }: Fact): boolean {
  return suspect !== '';
}

/** To look for them takes longer the more they are. */
const mostSeen = 16;

/** What of a fact is judged. */
interface Seen extends Pick<Fact, 'os' | 'osVersion' | 'suspect'> {
  readonly day: RememberedDay;
  readonly attributes: Attributes | undefined;
  readonly mediaHost: string | undefined;
  readonly error: string | undefined;
}

/** The last few values that were found among those of their day, which loses none. */
interface SeenValues {
  has(fact: Fact, day: RememberedDay): boolean;
  add(fact: Fact, day: RememberedDay): void;
}

/** Most beacons tell what others told, and then share their attributes. */
export function createSeenValues(): SeenValues {
  const seen: Seen[] = [];
  let next = 0;
  return {
    has({ os, osVersion, suspect, details, quality }, day) {
      for (const one of seen) {
        if (
          one.attributes === details?.attributes &&
          one.day === day &&
          one.os === os &&
          one.osVersion === osVersion &&
          one.suspect === suspect &&
          one.mediaHost === quality?.mediaHost &&
          one.error === quality?.wait?.error
        ) {
          return true;
        }
      }
      return false;
    },
    add({ os, osVersion, suspect, details, quality }, day) {
      const attributes = details?.attributes;
      const { mediaHost, wait } = quality ?? {};
      seen[next] = { day, os, osVersion, suspect, attributes, mediaHost, error: wait?.error };
      next = (next + 1) % mostSeen;
    },
  };
}

interface ValueNotesOptions {
  readonly accountLedger: Pick<AccountLedger, 'note'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly metrics: Registry;
}

/**
 * Tells the account and the operator of new values, and of those for which their day has no room:
 * in the ledger, by the hour in which they came, and in the metrics.
 */
export function createValueNotes({ accountLedger, clock, metrics }: ValueNotesOptions) {
  const counter = new Counter({
    name: 'playmeter_new_values_total',
    help: 'New values of dimensions in beacons: those that took a place of their day, and those counted as Other',
    labelNames: ['dimension', 'outcome'],
    registers: [metrics],
  });
  for (const dimension of openColumns) {
    for (const outcome of ['named', 'other']) counter.inc({ dimension, outcome }, 0);
  }
  return (values: readonly NotedValue[]): void => {
    const hour = new Date(clock.now()).toISOString().slice(11, 13);
    const outcomes = values.map(({ accountId, column, isOther }): Outcome => {
      counter.inc({ dimension: column, outcome: isOther ? 'other' : 'named' });
      return { accountId, code: isOther ? `OTHER_${column}_${hour}` : `NEW_${column}` };
    });
    accountLedger.note(outcomes);
  };
}
