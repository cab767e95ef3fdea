import { expect, test } from 'vitest';
import { createAddressLimit } from './address-limit.ts';

test('an address may send so many requests a minute; the next is refused with when to come', async () => {
  const limit = createAddressLimit(2);
  const headers: Record<string, string> = {};
  const answer = {
    setHeader(name: string, value: string) {
      headers[name] = value;
    },
  };
  await limit('203.0.113.1', answer);
  await limit('::ffff:203.0.113.1', answer);
  await limit('203.0.113.2', answer);
  expect(headers).toEqual({});
  const refused = await limit('203.0.113.1', answer).catch((fault) => fault);
  expect(refused).toMatchObject({
    code: 'RATE_LIMITED',
    message: 'One IP address may send 2 requests a minute',
  });
  const seconds = refused.retryAfterSeconds;
  expect([1, seconds, 60]).toEqual([1, seconds, 60].sort((one, other) => one - other));
  expect(seconds % 1).toBe(0);
  expect(headers).toEqual({
    'ratelimit-policy': '"address";q=2;w=60',
    ratelimit: `"address";r=0;t=${seconds}`,
  });
});
