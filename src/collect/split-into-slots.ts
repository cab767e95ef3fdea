import { type Fact, slotMs } from '../facts/facts.ts';
import { assert } from '../lib/assert.ts';
import { maxPlaybackRate } from '../wire/beacon.ts';
import type { Draft, Step } from './draft.ts';

/**
 * Cuts the stretch at the boundaries of slots. Time runs on from `at`, so a longer `playMs` of the
 * same stretch only lengthens the last part and adds parts: no part ever shrinks.
 */
export const splitIntoSlots: Step = {
  name: 'split into slots',
  run(draft) {
    const { suspect = '', beyond, playMs, plays } = draft;
    if (beyond === undefined) {
      draft.facts = partsOf(draft, suspect, playMs, plays);
      return undefined;
    }
    const usual = partsOf(draft, suspect, beyond.fromMs, plays);
    const usualMs = new Map(usual.map((fact) => [fact.slotStart, fact.playMs]));
    // Whole parts, not the rest of them: where a part is in two rows, the larger counts.
    const further = partsOf(draft, beyond.suspect, playMs, 0).filter(
      (fact) => fact.playMs > (usualMs.get(fact.slotStart) ?? 0),
    );
    draft.facts = [...usual, ...further];
    return undefined;
  },
};

/** Of the draft's time from its start on; of its media, the same share. */
function partsOf(draft: Draft, suspect: string, playMs: number, plays: 0 | 1): Fact[] {
  const { atMs, position, attributes = {}, publication, operatingSystem } = draft;
  const viewer = draft.viewerNumber;
  assert(publication && operatingSystem, 'the video and the system are known before the split');
  const { accountId, packageId, videoId } = publication;
  const { name: os, version: osVersion } = operatingSystem;
  const { view, stretch } = draft.signed ?? draft;
  const whole = { accountId, packageId, videoId, os, osVersion, view, stretch, suspect };
  const mediaMs = mediaOf(draft, playMs);
  const endMs = atMs + playMs;
  const facts: Fact[] = [];
  let fromMs = atMs;
  do {
    const slotStart = Math.floor(fromMs / slotMs) * slotMs;
    const untilMs = Math.min(endMs, slotStart + slotMs);
    const playsHere = fromMs === atMs ? plays : 0;
    const partMs = untilMs - fromMs;
    if (playsHere > 0 || partMs > 0) {
      const laterMs = endMs - untilMs;
      const details = { startMs: atMs, laterMs, position, mediaMs, viewer, attributes };
      facts.push({ ...whole, slotStart, plays: playsHere, playMs: partMs, details });
    }
    fromMs = untilMs;
  } while (fromMs < endMs);
  return facts;
}

/** No browser plays faster: nobody can report a film in a second. */
function mediaOf({ playMs: reportedMs, mediaMs = 0 }: Draft, playMs: number): number {
  const possibleMs = Math.min(mediaMs, reportedMs * maxPlaybackRate);
  return playMs === reportedMs ? possibleMs : Math.floor((possibleMs * playMs) / reportedMs);
}
