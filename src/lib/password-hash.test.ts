import { expect, test } from 'vitest';
import { manualClock } from '../../test/support/manual-clock.ts';
import { createPasswords } from './password-hash.ts';

const passwords = createPasswords(manualClock(), () => new Error('too many'));

test('a password fits its own hash alone, however its characters are composed', async () => {
  const stored = await passwords.hash('caf\u00e9 au lait');
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w-]{22}\$[\w-]{43}$/);
  expect(await passwords.verify('cafe\u0301 au lait', stored)).toBe(true);
  expect(await passwords.verify('cafe au lait', stored)).toBe(false);
  expect(await passwords.hash('caf\u00e9 au lait')).not.toBe(stored);
});

test('nothing fits where there is no hash', async () => {
  expect(await passwords.verify('', undefined)).toBe(false);
  expect(await passwords.verify('anything', 'plain')).toBe(false);
});

test('two are hashed at a time, a hundred wait, and more are refused', async () => {
  const asked = Array.from({ length: 103 }, () => passwords.verify('one', undefined));
  const settled = await Promise.allSettled(asked);
  const refused = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  expect(refused).toEqual([new Error('too many')]);
});
