import type { Step } from '../draft.ts';
import type { QuarantineLimit } from './quarantine-limit.ts';

/** Refuses what is to be set apart when too much of the account was; a usual part still counts. */
export function limitQuarantine(room: QuarantineLimit): Step {
  return {
    name: 'bound what is set apart',
    run(draft, { sender, nowMs }) {
      const isUsual = draft.suspect === undefined && draft.beyond === undefined;
      if (isUsual || sender.accountId !== undefined) return undefined;
      const apart = draft.facts.filter(({ suspect }) => suspect !== '');
      if (room.take(apart, nowMs)) return undefined;
      draft.facts = draft.facts.filter(({ suspect }) => suspect === '');
      if (draft.facts.length > 0) return undefined;
      return {
        code: 'TOO_MUCH_APART',
        detail: 'unusual playback, of which there is too much today',
      };
    },
  };
}
