/** Keys and a library of several pages at the dashboard, against what the interface then says. */
import { expect, test } from 'vitest';
import { accepted } from '../../src/managing/accepted.ts';
import type { Page } from '../support/browser.ts';
import { useDashboard } from './use-dashboard.ts';

const filmCount = 120;
const stage = useDashboard(async ({ service, account }) => {
  const { folders, videos } = service.catalog;
  const { accountId } = account;
  const { folderId } = accepted(await folders.create(accountId, { folderName: 'Films' }));
  for (let index = 0; index < filmCount; index += 1) {
    const title = `Film ${(index * 7) % filmCount}`;
    const durationMs = 1_000 * ((index * 11) % filmCount);
    const fileSizeBytes = 1_000_000 * ((index * 13) % filmCount);
    accepted(await videos.create(accountId, { folderId, title, durationMs, fileSizeBytes }));
  }
});

interface Listed {
  readonly list: readonly { readonly title: string; readonly accessKey: string }[];
}

async function expectListed(page: Page, parameters: string): Promise<void> {
  const { list } = await stage().read<Listed>(`/manage/v1/videos?${parameters}`);
  await expect
    .poll(() => page.locator('tbody code').allTextContents(), { message: parameters })
    .toEqual(list.map(({ accessKey }) => accessKey));
}

test('the library is sorted, turned page by page, and shows as many rows as is chosen', async () => {
  const { page, complaints } = await stage().visitAsOwner();
  await page.goto('/library');
  const byId = 'sortItem=id&sortDirection=desc';
  await expectListed(page, `${byId}&pageSize=50`);
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('Page 2 of 3').waitFor();
  await expectListed(page, `${byId}&pageSize=50&page=2`);
  await page.getByRole('button', { name: 'Back' }).click();
  await expectListed(page, `${byId}&pageSize=50&page=1`);
  for (const [sort, direction] of [
    ['title', 'asc'],
    ['filesize', 'desc'],
    ['duration', 'desc'],
  ]) {
    await page.getByLabel('Sort by').selectOption(sort ?? '');
    await expectListed(page, `sortItem=${sort}&sortDirection=${direction}&pageSize=50`);
  }
  await page.getByLabel('Rows on a page').selectOption('200');
  await expectListed(page, 'sortItem=duration&sortDirection=desc&pageSize=200');
  expect(await page.locator('tbody tr').count()).toBe(filmCount);
  expect(await page.getByRole('button', { name: 'Next' }).count()).toBe(0);
  expect(complaints).toEqual([]);
});

test('a video is taken out of its package, then deleted', async () => {
  const { service, account } = stage();
  const { videos } = service.catalog;
  const [folder] = await service.catalog.folders.list(account.accountId);
  const fields = { folderId: folder?.folderId ?? 0, title: 'A walk along the river' };
  const { accessKey } = accepted(await videos.create(account.accountId, fields));
  const packageId = await account.addPackage();
  await account.publish(packageId, accessKey);
  const page = await stage().open('/library?q=river');
  await page.getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog');
  const box = dialog.getByRole('checkbox').first();
  await expect.poll(() => box.isChecked()).toBe(true);
  await box.uncheck();
  await expect
    .poll(() => stage().read<Listed>(`/manage/v1/videos/${accessKey}/publications`))
    .toMatchObject({ list: [] });
  await dialog.getByRole('button', { name: 'Delete the video' }).click();
  await page.getByRole('dialog').last().getByRole('button', { name: 'Delete the video' }).click();
  await page.getByText('No title contains this.').waitFor();
  const { status } = await service.get(`/manage/v1/videos/${accessKey}`, account.key);
  expect(status).toBe(404);
});

test('a key has the rights and the end that were chosen, and is replaced', async () => {
  const { service } = stage();
  const page = await stage().open('/settings/keys');
  const form = page.locator('form');
  await form.getByLabel('Name').fill('Importer');
  const rights = form.getByRole('checkbox');
  for (const box of await rights.all()) await box.uncheck();
  await rights.nth(1).check();
  await form.locator('input[type=date]').fill('2999-01-31');
  await form.getByRole('button', { name: 'Create the key' }).click();
  const shown = page.getByRole('dialog');
  const first = (await shown.locator('code').textContent()) ?? '';
  await page.keyboard.press('Escape');
  await shown.waitFor({ state: 'detached' });
  type Keys = { list: { name: string; scopes: string[]; expiresAt: string | null }[] };
  const named = async () =>
    (await stage().read<Keys>('/manage/v1/keys?pageSize=100')).list.filter(
      ({ name }) => name === 'Importer',
    );
  expect(await named()).toMatchObject([
    { scopes: ['info:read'], expiresAt: '2999-01-31T23:59:59.000Z' },
  ]);
  const folders = (key: string) => service.get('/info/videopack/folder/v1/info.json', key);
  const before = await folders(first);
  const row = page.getByRole('row').filter({ hasText: 'Importer' });
  await row.first().getByRole('button', { name: 'Replace' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click();
  await page.getByRole('heading', { name: 'The new key' }).waitFor();
  const second = (await shown.locator('code').textContent()) ?? '';
  expect(second).not.toBe(first);
  expect((await folders(second)).status).toBe(before.status);
  expect(before.status).not.toBe(401);
  // The old key works for a while, so that it can be replaced where it is used.
  const ends = (await named()).map(({ expiresAt }) => Date.parse(expiresAt ?? ''));
  expect(Math.min(...ends)).toBeLessThanOrEqual(Date.now() + 2 * 86_400_000);
});

test('whoever comes with headers of a proxy reads that they are not believed', async () => {
  const { page } = await stage().visitAsOwner({
    extraHTTPHeaders: { 'x-forwarded-for': '203.0.113.9' },
  });
  await page.goto('/settings');
  const note = page.locator('.note.bad');
  await note.filter({ hasText: 'not believed: x-forwarded-for. Behind a proxy' }).waitFor();
  const own = await stage().open('/settings');
  await own.getByRole('region', { name: 'You come from' }).getByText('127.0.0.1').first().waitFor();
  expect(await own.locator('.note.bad').count()).toBe(0);
});
