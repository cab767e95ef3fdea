/** Whoever is on call sees by which limit requests are refused. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';

let service: TestService;
let account: TestAccount;
beforeAll(async () => {
  const environment = {
    TRUST_PROXY: 'loopback',
    ...{ RATE_LIMIT_PER_MINUTE: '2', MANAGE_LIMIT_PER_MINUTE: '2', PAGE_LIMIT_PER_MINUTE: '4' },
    ...{ COLLECT_LIMIT_PER_MINUTE: '2', WRONG_KEY_LIMIT_PER_MINUTE: '2' },
  };
  service = await startTestService({ environment });
  account = await service.addAccount();
});
afterAll(() => service.stop());

/** From the operator's own network, not through the proxy. */
async function limitedBy(limit: string): Promise<number> {
  const text = await (await service.request('/metrics')).text();
  const name = `playmeter_requests_limited_total{limit="${limit}"} `;
  const line = text.split('\n').find((one) => one.startsWith(name));
  return Number(line?.slice(name.length) ?? 0);
}

let senders = 0;
test.each<[string, number, (from: Record<string, string>) => Promise<Response>]>([
  ['key', 2, (from) => service.request('/report/statistics/video/v1/os', withKey(from))],
  ['manage key', 2, (from) => service.request('/manage/v1/account', withKey(from))],
  ['wrong key', 2, (from) => service.request('/manage/v1/account', withKey(from, 'pm_wrong'))],
  ['wrong share', 2, (from) => service.request('/shared-view', withShare(from))],
  ['page', 4, (from) => fetch(new URL('/docs', service.url), { headers: from })],
  ['collect', 2, (from) => service.send([], from)],
])('%s', async (limit, most, ask) => {
  senders += 1;
  const from = { 'x-forwarded-for': `203.0.113.${senders}` };
  const statuses: number[] = [];
  for (let sent = 0; sent < most + 2; sent += 1) statuses.push((await ask(from)).status);
  expect(statuses.slice(most)).toEqual([429, 429]);
  expect(statuses.slice(0, most)).not.toContain(429);
  expect(await limitedBy(limit)).toBe(2);
});

const withKey = (from: Record<string, string>, key = account.key) => ({
  headers: { ...from, 'x-api-key': key },
});
const withShare = (from: Record<string, string>) => ({
  headers: { ...from, 'x-playmeter-share': 'wrong' },
});
