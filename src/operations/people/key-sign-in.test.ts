import { expect, test } from 'vitest';
import { takesKeys } from './key-sign-in.ts';

test.each([
  [undefined, false, true],
  [undefined, true, false],
  ['on', true, true],
  ['off', false, false],
] as const)('KEY_SIGN_IN=%s, and that somebody is there is %s: %s', (setting, hasPeople, takes) => {
  expect(takesKeys(setting, hasPeople)).toBe(takes);
});
