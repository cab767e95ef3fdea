import type { Step } from './draft.ts';
import { readOperatingSystem } from './operating-system/read-operating-system.ts';

export const setOperatingSystem: Step = {
  name: 'set operating system',
  run(draft, { sender }) {
    // With a key the sender is a server, and the viewer is whom the beacon describes.
    draft.operatingSystem = readOperatingSystem(
      sender.accountId === undefined ? sender : draft.beacon,
    );
    return undefined;
  },
};
