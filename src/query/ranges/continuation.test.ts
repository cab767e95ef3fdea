import { expect, test } from 'vitest';
import { createSealer } from '../../lib/sealer.ts';
import { createTokenSealer, openPosition, type Position } from './continuation.ts';

const secret = 'a secret of thirty-two characters';
const sealer = createTokenSealer(secret);
const position: Position = {
  requestId: 'request',
  accountId: 7,
  path: '/report',
  offset: 30,
  expiresAt: 1_000,
};
const refusal = { ok: false, reason: 'TOKEN_INVALID' };

test('what is sealed is opened, and its text needs no encoding in a URL', () => {
  const token = sealer.seal(position);
  expect(token).toMatch(/^[\w-]+$/);
  expect(sealer.open(token)).toEqual({ ok: true, value: position });
});

test.each<[string, (token: string) => string]>([
  ['with another ending', (token) => `${token}AAAA`],
  ['with a character that readers of base64 skip', (token) => `${token}~`],
  ['padded', (token) => `${token}=`],
  ['in the other alphabet', (token) => Buffer.from(token, 'base64url').toString('base64')],
  ['cut off', (token) => token.slice(0, -4)],
  ['empty', () => ''],
  ['sealed under another secret', () => createTokenSealer(`${secret}.`).seal(position)],
])('a token %s is refused', (_name, change) => {
  // In the other alphabet a token is another text only where it has one of these.
  const token = Array.from({ length: 100 }, () => sealer.seal(position)).find((one) =>
    /[-_]/.test(one),
  );
  expect(sealer.open(change(token ?? ''))).toEqual(refusal);
});

test('a token of an earlier release, which called the path address, is opened', () => {
  const { path: address, ...others } = position;
  const earlier = createSealer(secret, 'playmeter continuation token v1');
  const token = earlier.seal(JSON.stringify({ ...others, address })).toString('base64url');
  expect(sealer.open(token)).toEqual({ ok: true, value: position });
});

test('a position may be gone on from until it expires', () => {
  const request = { requestId: 'request', nextToken: sealer.seal(position), pageSize: 10 };
  const openAt = (nowMs: number) => {
    return openPosition(request, { ...position, sealer, clock: { now: () => nowMs } });
  };
  expect(openAt(999)).toEqual(position);
  expect(() => openAt(1_000)).toThrow('nextToken has expired');
});
