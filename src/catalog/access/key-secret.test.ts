import { expect, test } from 'vitest';
import { drawSecret, findPrefix, hashSecret, isSameHash } from './key-secret.ts';

test('a key holds 256 random bits besides what may be shown of it', () => {
  const drawn = Array.from({ length: 1_000 }, drawSecret);
  for (const secret of drawn) expect(secret).toMatch(/^pm_[A-Za-z0-9_-]{51}$/);
  const hidden = drawn.map((secret) => secret.slice('pm_'.length + 8));
  expect(new Set(hidden).size).toBe(drawn.length);
  expect(Buffer.from(hidden[0] ?? '', 'base64url')).toHaveLength(32);
});

test('what is stored of it shows nothing of the rest', () => {
  const secret = drawSecret();
  const stored = `${findPrefix(secret)} ${hashSecret(secret)}`;
  expect(stored).toMatch(/^[A-Za-z0-9_-]{8} [0-9a-f]{64}$/);
  expect(stored).not.toContain(secret.slice(-43, -20));
});

test('one character makes another hash', () => {
  const secret = drawSecret();
  const other = secret.slice(0, -1) + (secret.endsWith('A') ? 'B' : 'A');
  expect(isSameHash(hashSecret(secret), hashSecret(secret))).toBe(true);
  expect(isSameHash(hashSecret(secret), hashSecret(other))).toBe(false);
});

test.each(['', 'pm_', `pm_${'a'.repeat(50)}`, `pm_${'a'.repeat(52)}`, `sk_${'a'.repeat(51)}`])(
  '%s is no key',
  (text) => {
    expect(findPrefix(text)).toBeUndefined();
  },
);
