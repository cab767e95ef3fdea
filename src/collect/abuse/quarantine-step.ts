import type { Step } from '../draft.ts';
import type { AbuseDetector } from './abuse-detector.ts';

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
