/** Signing in at the dashboard: by key, by the link of a first start, and out again. */
import { expect, test } from 'vitest';
import { expectAccessible } from './dashboard.ts';
import { expectRoom } from './page-layout.ts';
import { useDashboard } from './use-dashboard.ts';

const stage = useDashboard();

test('a key signs in and is kept nowhere; signing out ends it', async () => {
  const { service, account } = stage();
  const { context, page, asked } = await stage().visit();
  await page.goto('/now');
  await page.getByLabel('API key').fill(account.key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Now' }).waitFor();

  const kept = await page.evaluate(() =>
    JSON.stringify([localStorage, sessionStorage, document.cookie, location.href, history.state]),
  );
  expect(kept).toBe(`[{},{},"","${service.url}/now",null]`);
  expect(await page.content()).not.toContain(account.key);
  const [cookie] = await context.cookies();
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' });
  expect(cookie?.value).not.toContain(account.key);

  await page.reload();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('API key').waitFor();
  expect(await context.cookies()).toEqual([]);
  await page.reload();
  await page.getByLabel('API key').waitFor();
  expect([...asked]).toEqual([service.url]);
});

test('a language that the browser took from the system as it is stops nothing', {
  tags: 'long',
}, async () => {
  const { page, complaints } = await stage().visitAsOwner();
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'languages', { value: ['en-US@posix', 'en'] });
  });
  await page.goto('/now');
  await page.getByRole('heading', { level: 1, name: 'Now' }).waitFor();
  expect(complaints).toEqual([]);
});

test('a link signs in by one click, once, and does not stay in the URL', async () => {
  const { service, account } = stage();
  const [{ keyId = 0 } = {}] = await service.catalog.keys.list(account.accountId);
  const link = await service.catalog.sessions.createLink(keyId);
  const { page } = await stage().visit();
  await page.goto(`/now#sign-in=${link}`);
  await page.getByRole('heading', { level: 1, name: 'Now' }).waitFor();
  expect(page.url()).toBe(`${service.url}/now`);

  const { page: other } = await stage().visit();
  await other.goto(`/#sign-in=${link}`);
  await other.getByRole('alert').filter({ hasText: 'used or has expired' }).waitFor();
  expect(other.url()).toBe(`${service.url}/`);
});

test('the page that asks for it is for everybody', { tags: 'long' }, async () => {
  const { page, complaints } = await stage().visit();
  await page.goto('/');
  await page.locator('#key').waitFor();
  await expectAccessible(page, 'signing in', ['dark', 'light']);
  await expectRoom(page, 'signing in');
  expect(complaints).toEqual([]);
});
