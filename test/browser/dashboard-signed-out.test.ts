/** The session ends while a page is open: signing in again goes on where the reader was. */
import { expect, test } from 'vitest';
import { accepted } from '../../src/operations/refusal-faults.ts';
import type { Page } from '../support/browser.ts';
import { expectAccessible, visitDashboard } from './dashboard.ts';
import { useDashboard } from './use-dashboard.ts';

let accessKey = '';
const stage = useDashboard(async ({ account }) => {
  await account.addPackage();
  accessKey = await account.addVideo();
});

const scopes = ['stats:read', 'info:read', 'manage'] as const;

/** Somebody who signed in with a key that can be revoked without the others. */
async function visitWithOwnKey() {
  const { service, account, browser } = stage();
  const { accountId } = account;
  const { keys } = service.catalog;
  const { secret, keyId } = accepted(await keys.create({ accountId, scopes }));
  const { page, complaints } = await visitDashboard(browser, service, secret);
  const end = async () => void accepted(await keys.revoke({ accountId, keyId }));
  return { page, complaints, end };
}

const again = (page: Page) => page.getByRole('dialog', { name: 'Sign in again' });

async function signIn(page: Page, key: string): Promise<void> {
  await again(page).getByLabel('API key').fill(key);
  await again(page).getByRole('button', { name: 'Sign in' }).click();
}

test('a form that is half filled in is kept, and can be saved then', async () => {
  const { page, end } = await visitWithOwnKey();
  await page.goto('/settings/packages');
  const form = page.locator('form.fields');
  const sites = form.getByLabel('Allowed sites');
  await sites.fill('https://half.example');
  await end();
  await form.getByRole('button', { name: 'Save' }).click();
  await again(page).waitFor();
  await expectAccessible(page);
  // One message: what it covers says nothing of it.
  const others = page.locator('main :is([role="alert"], [role="status"])').filter({ hasText: /./ });
  await expect.poll(() => others.filter({ visible: true }).count()).toBe(0);

  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await signIn(page, 'pm_wrong');
  await again(page).getByRole('alert').filter({ hasText: 'unknown, revoked or expired' }).waitFor();
  await signIn(page, stage().account.key);
  await again(page).waitFor({ state: 'detached' });
  expect(await sites.inputValue()).toBe('https://half.example');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByRole('status').filter({ hasText: 'Saved' }).waitFor();
  expect(await stage().read('/manage/v1/packages')).toMatchObject({
    list: [{ allowedOrigins: ['https://half.example'] }],
  });
});

test('also what is typed into a dialog, and it has the focus again', { tags: 'long' }, async () => {
  const { page, end } = await visitWithOwnKey();
  await page.goto('/library');
  await page.getByRole('button', { name: 'Edit' }).click();
  const title = page.locator('dialog').getByLabel('Title', { exact: true });
  await title.fill('A longer title');
  await end();
  await title.press('Enter');
  await again(page).waitFor();
  await signIn(page, stage().account.key);
  await again(page).waitFor({ state: 'detached' });
  expect(await title.inputValue()).toBe('A longer title');
  await title.press('Enter');
  await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor();
  expect(await stage().read(`/manage/v1/videos/${accessKey}`)).toMatchObject({
    title: 'A longer title',
  });
});

test('a page that moves by itself goes on by itself', { tags: 'long' }, async () => {
  const { page, end } = await visitWithOwnKey();
  await page.clock.install();
  await page.goto('/now');
  await page.locator('[data-now]').waitFor();
  await end();
  await page.clock.fastForward(5_000);
  await again(page).waitFor();
  await signIn(page, stage().account.key);
  await again(page).waitFor({ state: 'detached' });
  await page.getByRole('alert').filter({ hasText: /./ }).waitFor({ state: 'detached' });
  await page.getByText('could not be refreshed').waitFor({ state: 'detached' });
});

test('with a key of another account, nothing of the first one stays', {
  tags: 'long',
}, async () => {
  const { page, end } = await visitWithOwnKey();
  await page.goto('/settings');
  await page.getByLabel('Name').fill('Half a name');
  await end();
  await page.getByRole('button', { name: 'Save' }).click();
  const other = await stage().service.addAccount('Asia/Seoul');
  await signIn(page, other.key);
  await again(page).waitFor({ state: 'detached' });
  await expect.poll(() => page.getByLabel('Time zone').inputValue()).toBe('Asia/Seoul');
  expect(await page.getByLabel('Name').inputValue()).not.toBe('Half a name');
});

test('whoever does not sign in again leaves, and sees nothing more', { tags: 'long' }, async () => {
  const { page, end } = await visitWithOwnKey();
  await page.goto('/settings/keys');
  await page.getByRole('cell').first().waitFor();
  await end();
  await page.getByRole('link', { name: 'Audit' }).click();
  await again(page).getByRole('button', { name: 'Leave this page' }).click();
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  expect(await page.getByRole('cell').count()).toBe(0);
});
