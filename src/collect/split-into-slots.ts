import { hash } from 'node:crypto';
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
    const { beacon, atMs, publication, operatingSystem } = draft;
    assert(publication && operatingSystem, 'the video and the system are known before the split');
    const whole = {
      accountId: publication.accountId,
      packageId: publication.packageId,
      videoId: publication.videoId,
      os: operatingSystem.name,
      osVersion: operatingSystem.version,
      view: viewIdentity(beacon.view),
      stretch: beacon.stretch,
    };
    const endMs = atMs + beacon.playMs;
    const facts: StretchFact[] = [];
    let fromMs = atMs;
    do {
      const slotStart = Math.floor(fromMs / slotMs) * slotMs;
      const untilMs = Math.min(endMs, slotStart + slotMs);
      // Stretch 0 counts the view's one play, where it began.
      const plays = beacon.stretch === 0 && fromMs === atMs ? 1 : 0;
      const playMs = untilMs - fromMs;
      if (plays > 0 || playMs > 0) facts.push({ ...whole, slotStart, plays, playMs });
      fromMs = untilMs;
    } while (fromMs < endMs);
    draft.facts = facts;
    return undefined;
  },
};

/** 128 bits of SHA-256 in the form of a UUID: of one size, and the sender's text is not kept. */
function viewIdentity(view: string): string {
  const hex = hash('sha256', view, 'hex');
  const parts = [
    [0, 8],
    [8, 12],
    [12, 16],
    [16, 20],
    [20, 32],
  ] as const;
  return parts.map(([from, to]) => hex.slice(from, to)).join('-');
}
