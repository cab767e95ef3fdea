import { assert } from '../../lib/assert.ts';
import { createNumberTable, type NumberKey } from '../../lib/values/number-table.ts';
import { sameBeginningMs } from '../../store/facts.ts';
import type { Draft, Step } from '../draft.ts';
import { judgedView, keyOfStretch } from './view-table.ts';

/** Stretches used last, up to twice as many: some 6 MB. */
const leastRemembered = 2 ** 17;
const unitMs = 30_000;
/** More units than a stretch may last. */
const units = 2 ** 12;

/**
 * Refuses what its sender numbered anew under an old name: it would count neither a play nor time.
 * Only as far as a process remembers; of what passes, the store makes the same.
 */
export function refuseOtherBeginnings(): Step {
  const times = createNumberTable(leastRemembered);
  return {
    name: 'refuse other beginnings',
    run(draft) {
      const key = keyOf(draft);
      const known = times.get(key);
      const { atMs, playMs } = draft;
      if (known !== undefined) {
        const knownAtMs = Math.floor(known / units);
        const knownUntilMs = knownAtMs + (known % units) * unitMs;
        const isOther = atMs > knownUntilMs || atMs + playMs < knownAtMs;
        if (isOther && Math.abs(atMs - knownAtMs) > sameBeginningMs) {
          const began = new Date(knownAtMs).toISOString();
          const detail = `at: stretch ${draft.stretch} of the view began at ${began}`;
          return { code: 'OTHER_BEGINNING', detail };
        }
        if (knownAtMs <= atMs && knownUntilMs >= atMs + playMs) return undefined;
        const fromMs = Math.min(atMs, knownAtMs);
        times.set(key, packed(fromMs, Math.max(atMs + playMs, knownUntilMs)));
        return undefined;
      }
      times.set(key, packed(atMs, atMs + playMs));
      return undefined;
    },
  };
}

/** Exact as a number until 2039: its beginning, and how many units it lasts, rounded up. */
function packed(fromMs: number, untilMs: number): number {
  return fromMs * units + Math.min(units - 1, Math.ceil((untilMs - fromMs) / unitMs));
}

function keyOf({ publication, signed, ...draft }: Draft): NumberKey {
  assert(publication, 'the video is known before its beginning is');
  const { packageId, videoId } = publication;
  const { view, stretch } = signed ?? draft;
  return keyOfStretch(judgedView({ packageId, videoId, view }).key, stretch);
}
