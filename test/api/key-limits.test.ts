/** How often a key may manage, and how often an address may try wrong keys. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';

const wrongKeys = 3;
const manages = 5;
const paths = ['/manage/v1/account', '/report/statistics/video/v1/os', '/metrics'];

let service: TestService;
let account: TestAccount;
beforeAll(async () => {
  const environment = {
    TRUST_PROXY: 'loopback',
    WRONG_KEY_LIMIT_PER_MINUTE: String(wrongKeys),
    MANAGE_LIMIT_PER_MINUTE: String(manages),
  };
  service = await startTestService({ environment });
  account = await service.addAccount();
});
afterAll(() => service.stop());

let senders = 0;
/** An address that no other test uses. */
const newSender = (): string => {
  senders += 1;
  return `203.0.113.${senders}`;
};

async function newKey(): Promise<string> {
  const { accountId } = account;
  return accepted(await service.catalog.keys.create({ accountId, scopes: ['manage'] })).secret;
}

const manage = (from: string, key: string) =>
  service.request('/manage/v1/account', { headers: { 'x-forwarded-for': from, 'x-api-key': key } });

async function tryWrongKeys(from: string): Promise<void> {
  for (let tried = 0; tried < wrongKeys; tried += 1) {
    expect((await manage(from, `wrong-${tried}`)).status).toBe(401);
  }
}

test.each(paths)(
  'wrong keys for %s: some are looked up, then none of the address',
  async (path) => {
    const from = newSender();
    const statuses: number[] = [];
    for (let tried = 0; tried < wrongKeys + 2; tried += 1) {
      const key = tried % 2 === 0 ? { 'x-api-key': 'wrong' } : { authorization: 'Bearer wrong' };
      const answer = await service.request(path, { headers: { 'x-forwarded-for': from, ...key } });
      statuses.push(answer.status);
      const retryAfter = Number(answer.headers.get('retry-after'));
      expect(retryAfter > 0 && retryAfter <= 60).toBe(answer.status === 429);
    }
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
    expect((await manage(newSender(), 'wrong')).status).toBe(401);
  },
);

test('beacons with wrong keys are no way around, and those without a key go on', async () => {
  const from = { 'x-forwarded-for': newSender() };
  for (const status of [401, 401, 401, 429]) {
    expect((await service.send([], { ...from, 'x-api-key': 'wrong' })).status).toBe(status);
  }
  expect((await service.send([], { ...from, authorization: 'Bearer wrong' })).status).toBe(429);
  expect((await service.send([], from)).status).toBe(200);
});

test('a key that was right before still works behind an address that tries wrong ones', async () => {
  const [from, used, unused] = [newSender(), await newKey(), await newKey()];
  expect((await manage(newSender(), used)).status).toBe(200);
  await tryWrongKeys(from);
  expect((await manage(from, 'wrong')).status).toBe(429);
  expect((await manage(from, used)).status).toBe(200);
  // One that is not known yet could be any: it has to come from elsewhere first.
  expect((await manage(from, unused)).status).toBe(429);
  expect((await manage(newSender(), unused)).status).toBe(200);
  expect((await manage(from, unused)).status).toBe(200);
});

test('a key that ends counts as wrong from then on', async () => {
  const from = newSender();
  const { accountId } = account;
  const created = await service.catalog.keys.create({ accountId, scopes: ['manage'] });
  const { keyId, secret } = accepted(created);
  expect((await manage(from, secret)).status).toBe(200);
  accepted(await service.catalog.keys.revoke({ accountId, keyId }));
  for (const status of [401, 401, 401, 429]) {
    expect((await manage(from, secret)).status).toBe(status);
  }
});

test('a request without a key is no try', async () => {
  const headers = { 'x-forwarded-for': newSender() };
  for (let asked = 0; asked < 2 * wrongKeys; asked += 1) {
    expect((await service.request('/manage/v1/account', { headers })).status).toBe(401);
  }
});

test('a key may manage so often in a minute, from wherever', async () => {
  const key = await newKey();
  for (let left = manages - 1; left >= 0; left -= 1) {
    const answer = await manage(newSender(), key);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('ratelimit')).toMatch(`"key";r=${left};`);
  }
  const refused = await manage(newSender(), key);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await refused.json()).toMatchObject({ code: 'RATE_LIMITED' });
  expect((await manage(newSender(), await newKey())).status).toBe(200);
});

test('an address may manage so often in a minute, with however many keys', async () => {
  const from = newSender();
  for (let sent = 0; sent < manages; sent += 1) {
    expect((await manage(from, await newKey())).status).toBe(200);
  }
  expect((await manage(from, await newKey())).status).toBe(429);
});
