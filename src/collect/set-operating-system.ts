import type { Step } from './draft.ts';
import { readOperatingSystem } from './operating-system/read-operating-system.ts';

export const setOperatingSystem: Step = {
  name: 'set operating system',
  run(draft) {
    draft.operatingSystem = readOperatingSystem(draft.viewer);
    return undefined;
  },
};
