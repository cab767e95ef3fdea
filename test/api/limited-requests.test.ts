/** Whoever is on call sees by which limit requests are refused. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';

let service: TestService;
let account: TestAccount;
beforeAll(async () => {
  const environment = {
    TRUST_PROXY: 'loopback',
    ...{ RATE_LIMIT_PER_MINUTE: '2', MANAGE_LIMIT_PER_MINUTE: '2', PAGE_LIMIT_PER_MINUTE: '2' },
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
test.each<[string, (from: Record<string, string>) => Promise<Response>]>([
  ['key', (from) => service.request('/report/statistics/video/v1/os', withKey(from))],
  ['manage key', (from) => service.request('/manage/v1/account', withKey(from))],
  ['wrong key', (from) => service.request('/manage/v1/account', withKey(from, 'pm_wrong'))],
  ['page', (from) => fetch(new URL('/docs', service.url), { headers: from })],
  ['collect', (from) => service.send([], from)],
])('%s', async (limit, ask) => {
  senders += 1;
  const from = { 'x-forwarded-for': `203.0.113.${senders}` };
  const statuses: number[] = [];
  for (let sent = 0; sent < 4; sent += 1) statuses.push((await ask(from)).status);
  expect(statuses.slice(2)).toEqual([429, 429]);
  expect(statuses.slice(0, 2)).not.toContain(429);
  expect(await limitedBy(limit)).toBe(2);
});

const withKey = (from: Record<string, string>, key = account.key) => ({
  headers: { ...from, 'x-api-key': key },
});
