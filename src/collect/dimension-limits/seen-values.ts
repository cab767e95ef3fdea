/** The last few values that were found among those of their day, which loses none. */
import type { Attributes, Fact } from '../../store/facts.ts';
import type { RememberedDay } from './known-day-values.ts';

/** To look for them takes longer the more they are. */
const mostSeen = 16;

/** What of a fact is judged. */
interface Seen extends Pick<Fact, 'os' | 'osVersion' | 'suspect'> {
  readonly day: RememberedDay;
  readonly attributes: Attributes | undefined;
}

export interface SeenValues {
  has(fact: Fact, day: RememberedDay): boolean;
  add(fact: Fact, day: RememberedDay): void;
}

/** Most beacons tell what others told, and then share their attributes. */
export function createSeenValues(): SeenValues {
  const seen: Seen[] = [];
  let next = 0;
  return {
    has({ os, osVersion, suspect, details }, day) {
      for (const one of seen) {
        if (
          one.attributes === details?.attributes &&
          one.day === day &&
          one.os === os &&
          one.osVersion === osVersion &&
          one.suspect === suspect
        ) {
          return true;
        }
      }
      return false;
    },
    add({ os, osVersion, suspect, details }, day) {
      seen[next] = { day, os, osVersion, suspect, attributes: details?.attributes };
      next = (next + 1) % mostSeen;
    },
  };
}
