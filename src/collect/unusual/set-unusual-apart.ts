import type { Step } from '../draft.ts';
import type { Judge } from './judge.ts';

/** Sets unusual playback apart. It refuses nothing: what is set apart is accepted and stored. */
export function setUnusualApart({ judge }: Pick<Judge, 'judge'>): Step {
  return {
    name: 'set unusual apart',
    run(draft, context) {
      judge(draft, context);
      return undefined;
    },
  };
}
