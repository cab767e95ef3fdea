import { assert } from '../../lib/assert.ts';
import { type Fact, slotMs } from '../../store/facts.ts';
import { maxPlaybackRate } from '../../wire/beacons/beacon.ts';
import type { Draft, Step } from '../draft.ts';

const noAttributes = {};

/**
 * Cuts the stretch at the boundaries of slots. Time runs on from `at`, so a longer `playMs` of the
 * same stretch only lengthens the last part and adds parts: no part ever shrinks.
 */
export const splitIntoSlots: Step = {
  name: 'split into slots',
  run(draft) {
    draft.facts = allParts(draft);
    if (draft.retold) draft.facts = withCeilings(draft, draft.retold);
    return undefined;
  },
};

function allParts(draft: Draft): readonly Fact[] {
  const { suspect = '', beyond, playMs, plays } = draft;
  if (beyond === undefined) return splitDraft(draft, suspect, playMs, plays);
  const usual = splitDraft(draft, suspect, beyond.fromMs, plays);
  const usualMs = new Map(usual.map((fact) => [fact.slotStart, fact.playMs]));
  // Whole parts, not the rest of them: where a part is in two rows, the larger counts.
  const further = splitDraft(draft, beyond.suspect, playMs, 0).filter(
    (fact) => fact.playMs > (usualMs.get(fact.slotStart) ?? 0),
  );
  return [...usual, ...further];
}

/**
 * Also of slots that it no longer reaches. A usual fact is among those of each slot: time may have
 * counted there before the view was set apart.
 */
function withCeilings(draft: Draft, { known, longestMs }: NonNullable<Draft['retold']>): Fact[] {
  const { atMs, playMs, facts } = draft;
  const ceilings: Fact[] = [];
  const slotOf = (ms: number) => Math.floor(ms / slotMs) * slotMs;
  for (let start = slotOf(atMs); start <= slotOf(atMs + longestMs); start += slotMs) {
    const ms = Math.max(0, Math.min(atMs + playMs, start + slotMs) - Math.max(atMs, start));
    const ceiling = { known, ms };
    const own = facts.filter(({ slotStart }) => slotStart === start);
    ceilings.push(...own.map((fact) => ({ ...fact, ceiling })));
    if (own.some(({ suspect }) => suspect === '')) continue;
    const whole = {
      ...pickIdentity(draft),
      suspect: '',
      slotStart: start,
      plays: 0,
      playMs: 0,
    } as const;
    const details = { startMs: atMs, laterMs: 0, mediaMs: 0, attributes: noAttributes };
    ceilings.push({ ...whole, details, ceiling });
  }
  return ceilings;
}

/** Of the draft's time from its start on; of its media, the same share. */
function splitDraft(draft: Draft, suspect: string, playMs: number, plays: 0 | 1): Fact[] {
  const { atMs, position, attributes = {} } = draft;
  const viewer = draft.viewerNumber;
  const { accountId, packageId, videoId, os, osVersion, systemRank, view, stretch } =
    pickIdentity(draft);
  const mediaMs = limitMedia(draft, playMs);
  const endMs = atMs + playMs;
  const facts: Fact[] = [];
  let fromMs = atMs;
  do {
    const slotStart = Math.floor(fromMs / slotMs) * slotMs;
    const untilMs = Math.min(endMs, slotStart + slotMs);
    const playsHere = fromMs === atMs ? plays : 0;
    const partMs = untilMs - fromMs;
    // What a beacon tells holds for its view, also when it has played nothing yet.
    if (playsHere > 0 || partMs > 0 || draft.playMs === 0) {
      const laterMs = endMs - untilMs;
      const details = { startMs: atMs, laterMs, position, mediaMs, viewer, attributes };
      // Written out: half of the time of this step would go into copying.
      facts.push({
        accountId,
        packageId,
        videoId,
        os,
        osVersion,
        systemRank,
        view,
        stretch,
        suspect,
        slotStart,
        plays: playsHere,
        playMs: partMs,
        details,
        quality: draft.quality,
      });
    }
    fromMs = untilMs;
  } while (fromMs < endMs);
  return facts;
}

function pickIdentity(draft: Draft) {
  const { publication, operatingSystem } = draft;
  assert(publication && operatingSystem, 'the video and the system are known before the split');
  const { accountId, packageId, videoId } = publication;
  const { name: os, version: osVersion, rank: systemRank } = operatingSystem;
  const { view, stretch } = draft.signed ?? draft;
  return { accountId, packageId, videoId, os, osVersion, systemRank, view, stretch };
}

/** No browser plays faster: nobody can report a film in a second. */
function limitMedia({ playMs: reportedMs, mediaMs = 0 }: Draft, playMs: number): number {
  const possibleMs = Math.min(mediaMs, reportedMs * maxPlaybackRate);
  return playMs === reportedMs ? possibleMs : Math.floor((possibleMs * playMs) / reportedMs);
}
