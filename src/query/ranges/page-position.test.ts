import { expect, test } from 'vitest';
import { createTokenSealer } from './continuation.ts';
import { openPosition } from './page-position.ts';

const sealer = createTokenSealer('a secret of thirty-two characters');
const position = { requestId: 'request', accountId: 7, path: '/report', offset: 30, expiresAt: 10 };

test('a position may be gone on from until it expires', () => {
  const request = { requestId: 'request', nextToken: sealer.seal(position), pageSize: 10 };
  const openAt = (nowMs: number) => {
    return openPosition(request, { ...position, sealer, clock: { now: () => nowMs } });
  };
  expect(openAt(9)).toEqual(position);
  expect(() => openAt(10)).toThrow('nextToken has expired');
});
