import type { BeaconDraft, Step } from '../draft.ts';
import type { AbuseDetector } from './abuse-detector.ts';

/**
 * Refuses what its sender numbered anew under an old name: it would count neither a play nor time.
 * Only as far as a process remembers; of what passes, the store makes the same.
 */
export function refuseOtherBeginnings({
  beganElsewhere,
}: Pick<AbuseDetector, 'beganElsewhere'>): Step<BeaconDraft> {
  return {
    name: 'refuse other beginnings',
    run(draft) {
      if (!beganElsewhere(draft)) return undefined;
      const { beacon } = draft;
      const name = beacon.wait === undefined ? `stretch ${draft.stretch}` : `wait ${beacon.wait}`;
      const detail = `at: the view has another ${name}, which began at another time`;
      return { code: 'OTHER_BEGINNING', detail };
    },
  };
}

/** Sets unusual playback apart. It refuses nothing: what is set apart is accepted and stored. */
export function setUnusualApart({ judge }: Pick<AbuseDetector, 'judge'>): Step {
  return {
    name: 'set unusual apart',
    run(draft, context) {
      judge(draft, context);
      return undefined;
    },
  };
}
