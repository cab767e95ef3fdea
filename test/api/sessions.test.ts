/** Signing in over HTTP: the cookie, what it authorises, and what other sites cannot do with it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';

const dashboard = { 'x-requested-with': 'playmeter', 'sec-fetch-site': 'same-origin' };

let service: TestService;
let account: TestAccount;
beforeAll(async () => {
  service = await startTestService({ environment: { TRUST_PROXY: '1' } });
  account = await service.addAccount();
});
afterAll(() => service.stop());

const call = (method: string, headers: Record<string, string>, path = '/session') =>
  service.request(path, { method, headers });

const json = { 'content-type': 'application/json' };
const followLink = (link: string, headers: Record<string, string> = {}) =>
  service.request('/session', {
    method: 'POST',
    headers: { ...dashboard, ...json, ...headers },
    body: JSON.stringify({ link }),
  });

async function signIn(headers: Record<string, string> = {}) {
  const response = await call('POST', { ...dashboard, 'x-api-key': account.key, ...headers });
  const cookie = response.headers.get('set-cookie') ?? '';
  return { response, cookie, sent: { cookie: cookie.split(';')[0] ?? '' } };
}

test('a key is exchanged for a cookie that no script reads and no other site sends', async () => {
  const { response, cookie, sent } = await signIn();
  expect(response.status).toBe(201);
  const { accountId } = account;
  const person = { accountId, name: 'Test', timeZone: 'UTC', scopes: expect.any(Array) };
  expect(await response.json()).toMatchObject(person);
  expect(cookie).toMatch(
    /^playmeter=[\w-]{43}; Expires=[^;]+ GMT; Path=\/; HttpOnly; SameSite=Strict$/,
  );
  expect(cookie).not.toContain(account.key);
  expect(response.headers.get('cache-control')).toBe('no-store');

  const who = await call('GET', { ...dashboard, ...sent });
  expect([who.status, await who.json()]).toMatchObject([200, person]);
  const keys = await call('GET', { ...dashboard, ...sent }, '/manage/v1/keys');
  expect(keys.status).toBe(200);
});

test('over TLS the cookie stays there', async () => {
  const { cookie, sent } = await signIn({ 'x-forwarded-proto': 'https' });
  expect(cookie).toMatch(/^__Host-playmeter=.+; Secure$/);
  expect((await call('GET', { ...dashboard, ...sent })).status).toBe(200);
  const overTls = { ...dashboard, 'x-forwarded-proto': 'https' };
  expect((await call('GET', { ...overTls, ...sent })).status).toBe(200);
});

test('over TLS a cookie that a neighbouring host can set counts for nothing', async () => {
  const { sent } = await signIn();
  const overTls = { ...dashboard, 'x-forwarded-proto': 'https' };
  expect((await call('GET', { ...dashboard, ...sent })).status).toBe(200);
  expect((await call('GET', { ...overTls, ...sent })).status).toBe(204);
  const asked = await call('GET', { ...overTls, ...sent }, '/manage/v1/keys');
  expect(asked.status).toBe(401);
});

test.each([
  ['without the header of the dashboard', { 'sec-fetch-site': 'same-origin' }],
  ['from another site', { ...dashboard, 'sec-fetch-site': 'cross-site' }],
  ['from a neighbouring host', { ...dashboard, 'sec-fetch-site': 'same-site' }],
])('the cookie authorises nothing %s', async (_, headers) => {
  const { sent } = await signIn();
  const asked = await call('GET', { ...headers, ...sent }, '/manage/v1/keys');
  expect(asked.status).toBe(401);
  expect((await call('DELETE', { ...headers, ...sent })).status).toBe(403);
  expect((await call('POST', { ...headers, 'x-api-key': account.key })).status).toBe(403);
  expect((await call('GET', { ...dashboard, ...sent })).status).toBe(200);
});

test('a preflight of another origin does not get that header', async () => {
  const response = await fetch(`${service.url}/manage/v1/keys`, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://elsewhere.example',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'x-requested-with',
    },
  });
  expect(response.headers.get('access-control-allow-headers')).not.toContain('x-requested-with');
  expect(response.headers.has('access-control-allow-credentials')).toBe(false);
});

test('signing out ends the session and takes the cookie back', async () => {
  const { sent } = await signIn();
  const out = await call('DELETE', { ...dashboard, ...sent });
  expect([out.status, out.headers.get('set-cookie')]).toEqual([
    204,
    'playmeter=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict',
  ]);
  expect((await call('GET', { ...dashboard, ...sent })).status).toBe(401);
});

test('a session does not renew itself', async () => {
  const { sent } = await signIn();
  const renewed = await call('POST', { ...dashboard, ...sent });
  expect([renewed.status, renewed.headers.has('set-cookie')]).toEqual([401, false]);
  expect((await call('GET', { ...dashboard, ...sent })).status).toBe(200);
});

test('signing in again ends the session before, and a wrong key ends none', async () => {
  const { sent: first } = await signIn();
  const wrong = await call('POST', { ...dashboard, ...first, 'x-api-key': 'pm_wrong' });
  expect(wrong.status).toBe(401);
  expect((await call('GET', { ...dashboard, ...first })).status).toBe(200);
  const { sent: second } = await signIn(first);
  expect((await call('GET', { ...dashboard, ...first })).status).toBe(401);
  expect((await call('GET', { ...dashboard, ...second })).status).toBe(200);
});

test('nobody is signed in: that is no fault; a wrong key is', async () => {
  expect((await call('GET', dashboard)).status).toBe(204);
  const wrong = await call('POST', { ...dashboard, 'x-api-key': 'pm_wrong' });
  expect([wrong.status, wrong.headers.has('set-cookie')]).toEqual([401, false]);
});

test('a link signs in once; wrong ones are limited', async () => {
  const [{ keyId = 0 } = {}] = await service.catalog.keys.list(account.accountId);
  const link = await service.catalog.sessions.createLink(keyId);
  const first = await followLink(link);
  expect([first.status, await first.json()]).toMatchObject([201, { keyId }]);
  expect((await followLink(link)).status).toBe(401);
  const from = { 'x-forwarded-for': '192.0.2.7' };
  const statuses: number[] = [];
  for (let tries = 0; tries < 11; tries += 1) {
    statuses.push((await followLink(`no-link-${tries}`, from)).status);
  }
  expect(statuses).toEqual([...Array(10).fill(401), 429]);
});
