/**
 * Which facts are stored without their version because it found no room. A version is part of a
 * fact's identity, so they never get it, even if the day knows it by then.
 *
 * Another process may have left it out, or this one before it was started: where a day leaves
 * versions out, the store is asked, once about each view in a slot.
 */

import { combineWork } from '../../lib/tasks/combined-work.ts';
import { dayMs } from '../../lib/time/utc-day.ts';
import {
  createNumberTable,
  type NumberKey,
  type NumberTable,
} from '../../lib/values/number-table.ts';
import { type Fact, slotMs, type ValueReader } from '../../store/facts.ts';
import { judgedView } from '../abuse/view-table.ts';

/** Views of a day or slot, those used last; up to twice as many. At most 6 MB. */
const leastRemembered = 2 ** 16;
/** What the table holds: of a view on its day, and of a view in a slot. */
const [leftOut, asked] = [0, 1];

export interface LeftOutVersions {
  /** Whether the fact's view has been left out on its day. */
  has(fact: Fact): boolean;
  /** Whether the store need not be asked about the fact. */
  isKnown(fact: Fact): boolean;
  add(fact: Fact): void;
  /** Asks the store about these facts. */
  learn(facts: readonly Fact[]): Promise<void>;
}

export function createLeftOutVersions(store: Pick<ValueReader, 'leftOutOf'>): LeftOutVersions {
  // Mostly there are none: neither their memory nor a key for each fact is needed.
  let views: NumberTable | undefined;

  const remember = (key: NumberKey, what: number): void => {
    views ??= createNumberTable(leastRemembered);
    views.set(key, what);
  };

  const has = (fact: Fact) => views?.get(keyOf(fact, dayMs)) === leftOut;
  const add = (fact: Fact) => remember(keyOf(fact, dayMs), leftOut);

  const ask = combineWork(async (facts: readonly Fact[]) => {
    for (const fact of await store.leftOutOf(facts)) add(fact);
    for (const fact of facts) remember(keyOf(fact, slotMs), asked);
  });

  return {
    has,
    isKnown: (fact) => has(fact) || views?.get(keyOf(fact, slotMs)) === asked,
    add,
    learn: (facts) => ask(new Map(facts.map((fact) => [keyOf(fact, slotMs).join(), fact]))),
  };
}

/** TRICKY: days and slots share the table. More slots have passed than there will ever be days. */
function keyOf(fact: Fact, periodMs: number): NumberKey {
  const [first, second, third, fourth] = judgedView(fact).key;
  return [first, second, third, (fourth ^ Math.floor(fact.slotStart / periodMs)) >>> 0];
}
