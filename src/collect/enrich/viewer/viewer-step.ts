import type { Step } from '../../draft.ts';
import type { Viewers } from './viewers.ts';

/** `prepare` was awaited before. */
export function setViewer({ viewerOf }: Pick<Viewers, 'viewerOf'>): Step {
  return {
    name: 'set viewer',
    run(draft) {
      draft.viewerNumber = viewerOf(draft);
      return undefined;
    },
  };
}
