/**
 * Which facts are stored without their version because it found no room. A version is part of a
 * fact's identity, so they never get it, even if the day knows it by then.
 */
import type { Fact } from '../facts/facts.ts';
import { createNumberTable, type NumberKey, type NumberTable } from '../lib/number-table.ts';
import { dayMs } from '../lib/utc-day.ts';
import { judgedView } from './unusual/judged-views.ts';

/** Views of a day, those used last; up to twice as many. At most 6 MB. */
const leastRemembered = 2 ** 16;

export interface LeftOutVersions {
  has(fact: Fact): boolean;
  add(fact: Fact): void;
}

export function createLeftOutVersions(): LeftOutVersions {
  // Mostly there are none: neither their memory nor a key for each fact is needed.
  let views: NumberTable | undefined;
  return {
    has: (fact) => views !== undefined && views.get(keyOf(fact)) !== undefined,
    add(fact) {
      views ??= createNumberTable(leastRemembered);
      views.set(keyOf(fact), 0);
    },
  };
}

function keyOf(fact: Fact): NumberKey {
  const [first, second, third, fourth] = judgedView(fact).key;
  return [first, second, third, (fourth ^ Math.floor(fact.slotStart / dayMs)) >>> 0];
}
