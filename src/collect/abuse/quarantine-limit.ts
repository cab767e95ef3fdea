/**
 * Bounds how much of an account is set apart on a day: what strangers invent must not fill a disk.
 * Each process counts for itself, from its start on.
 */

import { utcDayOf } from '../../lib/time/utc-day.ts';
import { createNumberTable, type NumberKey } from '../../lib/values/number-table.ts';
import type { Fact } from '../../store/facts.ts';
import { slotMs } from '../../store/facts.ts';
import { judgedView } from './view-table.ts';

/** Of a fact in the store, with its sums; stretches that strangers draw compress badly. */
const bytesOfFact = 100;
/** Facts that grow and are sent again take no further room, as long as they are remembered. */
const leastRemembered = 2 ** 16;

export interface QuarantineLimit {
  /** Takes room for what is new of these facts of one account; false if there is not so much. */
  take(facts: readonly Fact[], nowMs: number): boolean;
}

/** 0: any number of bytes. */
export function createQuarantineLimit(bytesPerDay: number): QuarantineLimit {
  const known = createNumberTable(leastRemembered);
  const usedBytes = new Map<number, number>();
  let today = '';
  return {
    take(facts, nowMs) {
      const [first] = facts;
      if (first === undefined || bytesPerDay === 0) return true;
      const day = utcDayOf(nowMs);
      if (day !== today) {
        today = day;
        usedBytes.clear();
      }
      const fresh = facts.map(keyOf).filter((key) => known.get(key) === undefined);
      const bytes = (usedBytes.get(first.accountId) ?? 0) + fresh.length * bytesOfFact;
      if (fresh.length > 0 && bytes > bytesPerDay) return false;
      for (const key of fresh) known.set(key, 0);
      usedBytes.set(first.accountId, bytes);
      return true;
    },
  };
}

function keyOf(fact: Fact): NumberKey {
  const [first, second, third, fourth] = judgedView(fact).key;
  const slot = fact.slotStart / slotMs;
  return [(first ^ slot) >>> 0, second, third, (fourth ^ fact.stretch) >>> 0];
}
