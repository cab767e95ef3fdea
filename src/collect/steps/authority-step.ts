import type { BeaconDraft, Step } from '../draft.ts';

const keyedMembers = ['accessKey', 'packageId', 'userAgent', 'address'] as const;

/** Refuses what only a sender with a collect:write key may say. */
export const checkAuthority: Step<BeaconDraft> = {
  name: 'check authority',
  run({ beacon }, { sender }) {
    if (sender.accountId !== undefined) return undefined;
    const member = keyedMembers.find((name) => beacon[name] !== undefined);
    if (!member) return undefined;
    return { code: 'KEY_REQUIRED', detail: `${member}: needs an API key with collect:write` };
  },
};
