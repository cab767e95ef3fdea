import { assert } from '../../lib/assert.ts';
import { slotMs } from '../../store/facts.ts';
import type { Draft, Refusal, Step } from '../draft.ts';
import type { FactName, QuarantineLimit } from './quarantine-limit.ts';

const refusal: Refusal = {
  code: 'TOO_MUCH_APART',
  detail: 'unusual playback, of which there is too much',
};

/** Refuses what is to be set apart while there is no room for any, before it is made into facts. */
export function refuseWhileFull({ isFull }: QuarantineLimit): Step {
  return {
    name: 'refuse while full',
    run(draft, { sender }) {
      if (draft.suspect === undefined || sender.accountId !== undefined) return undefined;
      return isFull(firstOf(draft)) ? refusal : undefined;
    },
  };
}

function firstOf(draft: Draft): FactName {
  const { publication, atMs: startMs } = draft;
  assert(publication, 'the video is known before its playback is judged');
  const { accountId, packageId, videoId } = publication;
  const { view, stretch } = draft.signed ?? draft;
  const slotStart = Math.floor(startMs / slotMs) * slotMs;
  return { accountId, packageId, videoId, view, stretch, slotStart, details: { startMs } };
}

/** Refuses what is to be set apart when too much of the account was; a usual part still counts. */
export function limitQuarantine(room: QuarantineLimit): Step {
  return {
    name: 'bound what is set apart',
    run(draft, { sender }) {
      const isUsual = draft.suspect === undefined && draft.beyond === undefined;
      if (isUsual || sender.accountId !== undefined) return undefined;
      const apart = draft.facts.filter(({ suspect }) => suspect !== '');
      if (room.take(apart)) return undefined;
      draft.facts = draft.facts.filter(({ suspect }) => suspect === '');
      return draft.facts.length > 0 ? undefined : refusal;
    },
  };
}
