/** The second half of every way: a draft whose video is known becomes facts. */
import type { StretchFact } from '../facts/facts.ts';
import { accept, type Result, refuse } from '../lib/result.ts';
import { checkOrigin } from './check-origin.ts';
import { checkTime } from './check-time.ts';
import type { BatchContext, Draft, Refusal, Step } from './draft.ts';
import { setOperatingSystem } from './set-operating-system.ts';
import { sieveBots } from './sieve-bots.ts';
import { splitIntoSlots } from './split-into-slots.ts';

/** The same for every wire form, after it has found out which video is meant. */
export const stepsToFacts: readonly Step[] = [
  checkOrigin,
  checkTime,
  sieveBots,
  setOperatingSystem,
  splitIntoSlots,
];

export function walk<Kind extends Draft, Context extends BatchContext>(
  steps: readonly Step<Kind, Context>[],
  draft: Kind,
  context: Context,
): Result<readonly StretchFact[], Refusal> {
  for (const step of steps) {
    const refusal = step.run(draft, context);
    if (refusal) return refuse(refusal);
  }
  return accept(draft.facts);
}
