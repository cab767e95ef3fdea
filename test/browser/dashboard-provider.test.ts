/** Signing in at the dashboard by a real OIDC provider, with a browser that goes there and back. */
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { type Browser, type Page, startBrowser } from '../support/browser.ts';
import { client, startOidcProvider, type TestProvider } from '../support/oidc-provider.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';
import { expectAccessible, visitDashboard } from './dashboard.ts';

let browser: Browser;
let front: Server;
let provider: TestProvider;
let service: TestService;
let account: TestAccount;
let url = '';

beforeAll(async () => {
  // The service must know its address before it has one.
  front = createServer((incoming, answer) => {
    const { method, headers, url: path } = incoming;
    const onward = request(service.url + path, { method, headers }, (came) => {
      answer.writeHead(came.statusCode ?? 502, came.headers);
      came.pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
  [browser, provider] = await Promise.all([
    startBrowser(),
    startOidcProvider(`${url}/session/oidc`),
  ]);
  service = await startTestService({
    environment: {
      ...{ OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: client.id, PUBLIC_URL: url },
      ...{ OIDC_CLIENT_SECRET: client.secret, PASSWORD_SIGN_IN: 'off' },
    },
  });
  account = await service.addAccount();
});
afterAll(async () => {
  await browser.close();
  front.closeAllConnections();
  front.close();
  await service.stop();
  await provider.stop();
});

/** On the provider's own pages: who it is, and that they agree. */
async function agreeAs(page: Page, name: string): Promise<void> {
  await page.locator('input[name=login]').fill(name);
  await page.locator('input[name=password]').fill('any');
  await page.locator('button[type=submit]').click();
  await page.locator('input[name=prompt][value=consent]').waitFor({ state: 'attached' });
  await page.locator('button[type=submit]').click();
}

test('an invitation is accepted at the provider, which signs the person in from then on', async () => {
  provider.claims.set('park', { name: 'Park', email: 'park@example.com', email_verified: true });
  const { accountId } = account;
  const invited = { accountId, email: 'park@example.com', packageIds: undefined };
  const { token } = accepted(
    await service.catalog.invitations.create({ ...invited, role: 'manager' }),
  );
  const { page } = await visitDashboard(browser, service, undefined, { baseURL: url });
  const byProvider = page.getByRole('button', { name: /^Sign in with 127\.0\.0\.1/ });
  await page.goto(`/#invitation=${token}`);
  await page.getByRole('heading', { level: 1, name: 'Join Test' }).waitFor();
  expect(await page.getByLabel('Password').count()).toBe(0);
  await expectAccessible(page, 'an invitation');
  await byProvider.click();
  await agreeAs(page, 'park');
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await page.getByRole('link', { name: 'Park' }).waitFor();

  await page.getByRole('button', { name: 'Sign out' }).click();
  await byProvider.click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
});

test('who is a member already and joins another account sees that one', async () => {
  const { accountId } = await service.addAccount();
  const invited = { accountId, email: 'park@example.com', packageIds: undefined };
  const { token } = accepted(
    await service.catalog.invitations.create({ ...invited, role: 'analyst' }),
  );
  const { page } = await visitDashboard(browser, service, undefined, { baseURL: url });
  await page.goto(`/#invitation=${token}`);
  await page.getByRole('button', { name: /^Sign in with/ }).click();
  await agreeAs(page, 'park');
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  expect(page.url()).toBe(`${url}/?account=${accountId}`);
});

test('whom nobody invited is told so', async () => {
  provider.claims.set('stranger', { name: 'Stranger' });
  const { page } = await visitDashboard(browser, service, undefined, { baseURL: url });
  await page.goto('/');
  await page.getByRole('button', { name: /^Sign in with/ }).click();
  await agreeAs(page, 'stranger');
  await page.getByRole('alert').filter({ hasText: 'nobody here does yet' }).waitFor();
  expect(page.url()).toBe(`${url}/`);
});
