import { type StretchFact, slotMs } from '../facts/facts.ts';
import { assert } from '../lib/assert.ts';
import type { Step } from './draft.ts';

/**
 * Cuts the stretch at the borders of slots. Time runs on from `at`, so a longer `playMs` of the
 * same stretch only makes the last part longer and adds parts: each part grows only.
 */
export const splitIntoSlots: Step = {
  name: 'split into slots',
  run(draft) {
    const { view, stretch, atMs, playMs, publication, operatingSystem } = draft;
    assert(publication && operatingSystem, 'the video and the system are known before the split');
    const { accountId, packageId, videoId } = publication;
    const { name: os, version: osVersion } = operatingSystem;
    const whole = { accountId, packageId, videoId, os, osVersion, view, stretch };
    const endMs = atMs + playMs;
    const facts: StretchFact[] = [];
    let fromMs = atMs;
    do {
      const slotStart = Math.floor(fromMs / slotMs) * slotMs;
      const untilMs = Math.min(endMs, slotStart + slotMs);
      const plays = fromMs === atMs ? draft.plays : 0;
      const partMs = untilMs - fromMs;
      if (plays > 0 || partMs > 0) facts.push({ ...whole, slotStart, plays, playMs: partMs });
      fromMs = untilMs;
    } while (fromMs < endMs);
    draft.facts = facts;
    return undefined;
  },
};
