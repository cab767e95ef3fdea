import { expect, test } from 'vitest';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { startTestService } from '../support/service.ts';

test('one reader of a public share keeps nobody else out, and no key', async () => {
  const environment = { RATE_LIMIT_PER_MINUTE: '3', TRUST_PROXY: '127.0.0.0/8' };
  const service = await startTestService({ environment });
  try {
    const { accountId, key } = await service.addAccount();
    const { token } = accepted(
      await service.catalog.shares.create({
        ...{ accountId, name: 'A', accessKey: undefined, packageId: undefined, filters: '' },
        ...{ period: { lastDays: 7 }, compare: 'none', timeZone: undefined, origins: [] },
        expiresAt: undefined,
      }),
    );
    const from = async (address: string) => {
      const headers = {
        'x-playmeter-share': token.start + token.secret,
        'x-forwarded-for': address,
      };
      const answer = await service.request('/shared-view', { headers });
      expect(answer.headers.get('ratelimit-policy')).toBe('"share";q=3;w=60');
      const { detail } = (await answer.json()) as { detail?: string };
      return answer.status === 429 ? detail : answer.status;
    };
    const asked: unknown[] = [];
    for (let sent = 0; sent < 5; sent += 1) asked.push(await from('203.0.113.9'));
    const over = 'One IP address may send 3 requests by this link a minute';
    expect(asked).toEqual([200, 200, 200, over, over]);
    expect(await from('198.51.100.7')).toBe(200);
    expect(await from('2001:db8::1')).toBe(200);
    const schema = '/report/statistics/video/v2/schema';
    const headers = { 'x-api-key': key, 'x-forwarded-for': '203.0.113.9' };
    expect((await service.request(schema, { headers })).status).toBe(200);
  } finally {
    await service.stop();
  }
});
