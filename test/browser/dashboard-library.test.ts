/** The library at the dashboard, of several pages, against what the interface then says. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keyOfFile } from '../../src/import/media-import.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import type { Locator, Page } from '../support/browser.ts';
import { awayFromMidnight, useDashboard } from './use-dashboard.ts';

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

const dayMs = 86_400_000;
const day = (before: number) => new Date(Date.now() - before * dayMs).toISOString().slice(0, 10);
const sizeOf = (one: Locator) => one.boundingBox().then((box) => [box?.width, box?.height]);

/** Runs in the page. */
const hrefs = (links: readonly Element[]) => links.map((link) => link.getAttribute('href'));

async function expectListed(page: Page, parameters: string): Promise<void> {
  const { list } = await stage().read<Listed>(`/manage/v1/videos?${parameters}`);
  await expect
    .poll(() => page.locator('tbody a.cut').evaluateAll(hrefs), { message: parameters })
    .toEqual(list.map(({ accessKey }) => `/videos/${accessKey}`));
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
  await page.getByLabel('Sort by').selectOption('title');
  await expectListed(page, 'sortItem=title&sortDirection=asc&pageSize=50');
  await page.getByLabel('Rows on a page').selectOption('200');
  await page.getByLabel('Sort by').selectOption('duration');
  await expectListed(page, 'sortItem=duration&sortDirection=desc&pageSize=200');
  expect(await page.locator('tbody tr').count()).toBe(filmCount);
  expect(await page.getByRole('button', { name: 'Next' }).count()).toBe(0);
  expect(complaints).toEqual([]);
});

test('a video in no package says so in the list, and is put into one from there', async () => {
  const { service, account } = stage();
  const { videos, packages, folders } = service.catalog;
  const { accountId } = account;
  const fields = { packageName: 'Added to', packageType: 'VOD' } as const;
  accepted(await packages.create(accountId, fields));
  const [folder] = await folders.list(accountId);
  const folderId = folder?.folderId ?? 0;
  accepted(await videos.create(accountId, { folderId, title: 'A lonely film' }));
  const page = await stage().open('/library?q=lonely');
  const row = page.locator('tbody tr').filter({ hasText: 'A lonely film' });
  await row.getByRole('link', { name: 'In no package: choose one' }).click();
  const dialog = page.getByRole('dialog', { name: 'A lonely film' });
  await dialog.getByLabel('Added to').check();
  await dialog.getByRole('button', { name: 'Put it into the package' }).click();
  await dialog.locator('code.block').waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByText('In no package').waitFor({ state: 'detached' });
});

test('a film that is chosen is added with what the browser reads of it, and once', async () => {
  const { account } = stage();
  const clip = join(import.meta.dirname, '../../demo/clip.mp4');
  const { size } = await stat(clip);
  for (const packageName of ['Web', 'App']) {
    const page = await stage().open('/library?add=1');
    const dialog = page.getByRole('dialog');
    await dialog.locator('input[type=file]').setInputFiles(clip);
    await expect.poll(() => dialog.getByLabel('Title', { exact: true }).inputValue()).toBe('clip');
    expect(await dialog.getByLabel(/^Length/).inputValue()).toBe('0:12');
    await dialog.getByRole('button', { name: 'Next' }).click();
    await dialog.getByLabel('New package').check();
    await dialog.getByLabel('Name of the package').fill(packageName);
    await dialog.getByRole('button', { name: 'Add the video' }).click();
    await dialog.locator('code.block').waitFor();
  }
  const { list } = await stage().read<{ list: object[] }>('/manage/v1/videos?keyword=clip');
  expect(list).toMatchObject([
    {
      ...{
        accessKey: await keyOfFile(account.accountId, clip, size),
        fileSize: size,
        packageCount: 2,
      },
      ...{ vWidth: expect.any(Number), duration: expect.any(Number) },
    },
  ]);
});

test('the library has the plays of 28 days, and lists show the pictures that videos have', async () => {
  // The tests before it may have taken until midnight.
  await awayFromMidnight();
  const { service, account, open, read } = stage();
  const { accountId, key } = account;
  const { thumbnails, videos } = service.catalog;
  const keys: string[] = [];
  const packageId = await account.addPackage();
  const agent = 'Mozilla/5.0 (Windows NT 10.0)';
  // The last one is played long ago alone.
  for (const [index, daysAgo] of [0, 27, 28].entries()) {
    const accessKey = await account.addVideo();
    accepted(await videos.change(accountId, accessKey, { title: `Pictured ${index}` }));
    await account.publish(packageId, accessKey);
    keys.push(accessKey);
    const at = new Date(Date.now() - daysAgo * dayMs - 60_000).toISOString();
    const play = { stretch: 0, at, playMs: 300_000, accessKey, packageId, userAgent: agent };
    const beacons = ['a', 'b'].map((view) => ({ ...play, view: `${view}-${index}` }));
    const sent = await service.send(beacons, { 'x-api-key': key });
    expect(await sent.json()).toEqual({ accepted: 2, rejected: [] });
  }
  const [pictured = ''] = keys;
  const picture = `${service.url}/favicon.ico`;
  accepted(await thumbnails.replace(accountId, pictured, [{ url: picture }]));
  await service.facts.rollUp();

  const page = await open('/library?q=Pictured');
  const plays = page.locator('tbody td:nth-last-child(2)');
  const answer = await read<{ data: { list: { video: string; plays: number }[] } }>(
    '/report/statistics/video/v2/query?measures=plays&dimensions=video&pageSize=100' +
      `&sdate=${day(27)}&edate=${day(0)}`,
  );
  const answered = new Map(answer.data.list.map(({ video, plays }) => [video, String(plays)]));
  const wanted = keys.toReversed().map((one) => answered.get(one) ?? '0');
  expect(wanted).toEqual(['0', '2', '2']);
  await expect.poll(() => plays.allTextContents()).toEqual(wanted);

  const expectPictures = async (lines: string, isBareThere = true) => {
    const thumbIn = (title: string) =>
      page.locator(lines).filter({ hasText: title }).locator('.thumb');
    const image = thumbIn('Pictured 0').locator('img');
    await expect.poll(() => image.getAttribute('src')).toBe(picture);
    expect(await image.getAttribute('loading')).toBe('lazy');
    if (!isBareThere) return;
    const [one, other] = [await sizeOf(thumbIn('Pictured 0')), await sizeOf(thumbIn('Pictured 1'))];
    expect(one).toEqual(other);
    expect(await thumbIn('Pictured 1').locator('img').count()).toBe(0);
  };
  await expectPictures('tbody tr');
  await page.goto('/');
  await expectPictures('li.row');
  await page.goto('/now');
  await expectPictures('li.row', false);
});

test('a video made by hand is offered the length that its plays show', async () => {
  const { service, account } = stage();
  const accessKey = await account.addVideo();
  const videoKey = await account.publish(await account.addPackage(), accessKey);
  const page = await stage().open(`/videos/${accessKey}`);
  await page.getByText('play it to its end: then a length is proposed here').waitFor();
  const at = new Date(Date.now() - 200_000).toISOString();
  const plays = [40_000, 125_000].map((playMs) => ({
    ...{ view: `view-${playMs}`, stretch: 0, at, videoKey, position: 0, mediaMs: playMs, playMs },
  }));
  await service.send(plays, { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0)' });
  await service.facts.rollUp();
  await page.reload();
  await page.getByRole('button', { name: 'Set the length to 2:05' }).click();
  await page.getByRole('slider', { name: 'How far people watch' }).waitFor();
  const { videos } = service.catalog;
  expect(await videos.find(account.accountId, accessKey)).toMatchObject({ durationMs: 125_000 });
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

test('whoever comes with headers of a proxy reads that they are not believed', {
  tags: 'long',
}, async () => {
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

test('a folder is renamed, and deleted once it is empty', { tags: 'long' }, async () => {
  const { account, service } = stage();
  const { folders, videos } = service.catalog;
  const { accountId } = account;
  const { folderId } = accepted(await folders.create(accountId, { folderName: 'Draft' }));
  const film = accepted(await videos.create(accountId, { folderId, title: 'In the way' }));
  const page = await stage().open(`/library?folder=${folderId}`);
  await page.getByRole('button', { name: 'Rename the folder' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('New name').fill('Season 2');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('option', { name: 'Season 2' }).waitFor({ state: 'attached' });
  const named = { list: expect.arrayContaining([{ folderId, folderName: 'Season 2' }]) };
  expect(await stage().read('/manage/v1/folders?pageSize=1000')).toMatchObject(named);

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
  const left = await stage().read<{ list: { folderId: number }[] }>(
    '/manage/v1/folders?pageSize=1000',
  );
  expect(left.list.map((one) => one.folderId)).not.toContain(folderId);
});

test('a film gets its fields, which its page shows with its keys', async () => {
  const { account, service } = stage();
  const fields = { packageName: 'App', packageType: 'VOD' } as const;
  const { packages } = service.catalog;
  const { packageId } = accepted(await packages.create(account.accountId, fields));
  const accessKey = await account.addVideo();
  const videoKey = await account.publish(packageId, accessKey);
  const page = await stage().open('/library');
  const row = page.getByRole('row').filter({ has: page.locator(`a[href="/videos/${accessKey}"]`) });
  await row.getByRole('button').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Title').fill('A walk');
  await dialog.getByLabel('Length, such as 2:05').fill('1:01:05');
  await dialog.getByText('More fields').click();
  await dialog.getByLabel('Author').fill('Ada');
  await dialog.getByLabel('Description').fill('Along\nthe river');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await dialog.getByRole('status').filter({ hasText: 'Saved' }).waitFor();
  expect(await stage().read(`/manage/v1/videos/${accessKey}`)).toMatchObject({
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
    Packages: expect.stringMatching(/^App/),
    Description: 'Along\nthe river',
  });
});
