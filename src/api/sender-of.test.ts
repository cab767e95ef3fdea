import { expect, test } from 'vitest';
import { senderOf } from './sender-of.ts';

test('a sender has the address of its request', () => {
  expect(senderOf({ headers: {} }, '2001:db8::1')).toMatchObject({
    address: '2001:db8::1',
    network: '2001:db8:0:0',
  });
});

test.each([
  [{}, false],
  [{ 'sec-gpc': '1' }, true],
  [{ dnt: '1' }, true],
  [{ dnt: '1', 'sec-gpc': '0' }, true],
  [{ dnt: '0', 'sec-gpc': '?1' }, false],
])('%j: wants no tracking %j', (headers, wantsNoTracking) => {
  expect(senderOf({ headers }, '')).toMatchObject({ wantsNoTracking });
});
