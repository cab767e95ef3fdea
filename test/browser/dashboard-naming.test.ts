/** What the owner names at the dashboard, and where these names then stand: folders, films, keys. */
import { expect, test } from 'vitest';
import { accepted } from '../../src/managing/accepted.ts';
import { expectAccessible } from './dashboard.ts';
import { useDashboard } from './use-dashboard.ts';

const stage = useDashboard();
const open = (path: string) => stage().open(path);
const read = <Body>(path: string) => stage().read<Body>(path);

test('a folder is renamed, and deleted once it is empty', async () => {
  const { account, service } = stage();
  const { folders, videos } = service.catalog;
  const { accountId } = account;
  const { folderId } = accepted(await folders.create(accountId, { folderName: 'Draft' }));
  const film = accepted(await videos.create(accountId, { folderId, title: 'In the way' }));
  const page = await open(`/library?folder=${folderId}`);
  await page.getByRole('button', { name: 'Rename the folder' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('New name').fill('Season 2');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('option', { name: 'Season 2' }).waitFor({ state: 'attached' });
  const named = { list: expect.arrayContaining([{ folderId, folderName: 'Season 2' }]) };
  expect(await read('/manage/v1/folders?pageSize=1000')).toMatchObject(named);

  const remove = async () => {
    await page.getByRole('button', { name: 'Delete the folder' }).first().click();
    await dialog.getByRole('button', { name: 'Delete the folder' }).click();
  };
  await remove();
  const refusal = dialog.getByText('The folder still contains videos');
  await refusal.waitFor();
  expect(await refusal.getAttribute('lang')).toBe('en');
  await page.keyboard.press('Escape');
  accepted(await videos.delete(accountId, film.accessKey));
  await remove();
  await page.waitForURL((url) => !url.searchParams.has('folder'));
  const left = await read<{ list: { folderId: number }[] }>('/manage/v1/folders?pageSize=1000');
  expect(left.list.map((one) => one.folderId)).not.toContain(folderId);
});

test('a film gets its fields, which its page shows with its keys', async () => {
  const { account } = stage();
  const packageId = await account.addPackage();
  const accessKey = await account.addVideo();
  const videoKey = await account.publish(packageId, accessKey);
  const page = await open('/library');
  await page.getByRole('row').filter({ hasText: accessKey }).getByRole('button').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Title').fill('A walk');
  await dialog.getByLabel('Length, such as 2:05').fill('1:01:05');
  await dialog.getByText('More fields').click();
  await dialog.getByLabel('Author').fill('Ada');
  await dialog.getByLabel('Description').fill('Along\nthe river');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await dialog.getByRole('status').filter({ hasText: 'Saved' }).waitFor();
  expect(await read(`/manage/v1/videos/${accessKey}`)).toMatchObject({
    ...{ title: 'A walk', duration: 3_665_000, author: 'Ada', content: 'Along\nthe river' },
  });

  await page.goto(`/videos/${accessKey}`);
  const details = page.getByRole('region', { name: 'Details' });
  const shown = async () =>
    Object.fromEntries(
      await details
        .locator('dl > div')
        .evaluateAll((fields) =>
          fields.map((field) => [
            field.querySelector('dt')?.textContent,
            (field.querySelector('dd') as HTMLElement).innerText,
          ]),
        ),
    );
  await details.getByText(videoKey).waitFor();
  expect(await shown()).toMatchObject({
    ...{ Folder: 'Films', Length: '1:01:05', Author: 'Ada' },
    'Access key': expect.stringContaining(accessKey),
    Packages: expect.stringMatching(/^Site/),
    Description: 'Along\nthe river',
  });
});

test('a key is renamed, and the audit calls it by its name and says what was done', async () => {
  const { account, service } = stage();
  const { accountId } = account;
  const made = { accountId, name: 'Nightly', scopes: ['stats:read'] as const };
  const { keyId } = accepted(await service.catalog.keys.create(made));
  const page = await open('/settings/keys');
  await page
    .getByRole('row')
    .filter({ hasText: 'Nightly' })
    .getByRole('button', { name: 'Rename' })
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('New name').fill('Weekly');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('row').filter({ hasText: 'Weekly' }).waitFor();
  const keys = await read<{ list: { keyId: number; name: string }[] }>('/manage/v1/keys');
  expect(keys.list.find((key) => key.keyId === keyId)?.name).toBe('Weekly');

  await page.goto('/settings/audit');
  const entry = page.getByRole('row').filter({ hasText: 'API key renamed' }).first();
  await expect.poll(() => entry.textContent()).toMatch(/API key renamed Weekly.*Nightly → Weekly/);
});
