import type { Step } from '../../draft.ts';
import type { OperatingSystemReader } from './operating-system.ts';

export function setOperatingSystem(read: OperatingSystemReader): Step {
  return {
    name: 'set operating system',
    run(draft) {
      draft.operatingSystem = read(draft.device);
      return undefined;
    },
  };
}
