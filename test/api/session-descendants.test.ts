/** No session begins another: each ends by signing out, and 30 days after the key was shown. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';

const dashboard = { 'x-requested-with': 'playmeter', 'sec-fetch-site': 'same-origin' };

let service: TestService;
let account: TestAccount;
beforeAll(async () => {
  service = await startTestService();
  account = await service.addAccount();
});
afterAll(() => service.stop());

const call = (method: string, headers: Record<string, string>) =>
  service.request('/session', { method, headers: { ...dashboard, ...headers } });

async function signIn(headers: Record<string, string> = {}) {
  const response = await call('POST', { 'x-api-key': account.key, ...headers });
  expect(response.status).toBe(201);
  return { cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' };
}

test('a session does not renew itself', async () => {
  const session = await signIn();
  const renewed = await call('POST', session);
  expect([renewed.status, renewed.headers.has('set-cookie')]).toEqual([401, false]);
  expect((await call('GET', session)).status).toBe(200);
});

test('signing out ends all that a browser ever had', async () => {
  const first = await signIn();
  const second = await signIn(first);
  expect((await call('GET', first)).status).toBe(401);
  expect((await call('DELETE', second)).status).toBe(204);
  expect((await call('GET', second)).status).toBe(401);
});

test('who is refused stays signed in', async () => {
  const session = await signIn();
  expect((await call('POST', { ...session, 'x-api-key': 'pm_wrong' })).status).toBe(401);
  expect((await call('GET', session)).status).toBe(200);
});
