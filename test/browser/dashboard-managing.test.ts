/** What the owner of an account changes at the dashboard, against what the interface then says. */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keyOfFile } from '../../src/ingest/key-of-file.ts';
import { accepted } from '../../src/managing/accepted.ts';
import { type Browser, type Page, startBrowser } from '../support/browser.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';
import { visitDashboard } from './dashboard.ts';

let service: TestService;
let account: TestAccount;
let browser: Browser;
beforeAll(async () => {
  [service, browser] = await Promise.all([startTestService(), startBrowser()]);
  account = await service.addAccount();
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

async function open(path: string): Promise<Page> {
  const { page } = await visitDashboard(browser, service, account.key);
  await page.goto(path);
  return page;
}

async function read<Body>(path: string): Promise<Body> {
  return (await (await service.get(path, account.key)).json()) as Body;
}

test('a key is made, shown once, works, and is revoked', async () => {
  const page = await open('/settings/keys');
  const form = page.locator('form');
  await form.getByLabel('Name').fill('Nightly report');
  await form.getByRole('button', { name: 'Create the key' }).click();
  const shown = page.getByRole('dialog');
  const key = (await shown.locator('code').textContent()) ?? '';
  const ask = () =>
    service.get('/report/statistics/video/v1/info/date?sdate=2026-01-01&edate=2026-01-01', key);
  expect((await ask()).status).toBe(200);
  expect((await service.get('/manage/v1/keys', key)).status).toBe(403);
  await page.keyboard.press('Escape');
  await shown.waitFor({ state: 'detached' });
  expect(await page.content()).not.toContain(key);

  const row = page.getByRole('row').filter({ hasText: 'Nightly report' });
  await row.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await row.waitFor({ state: 'detached' });
  expect((await ask()).status).toBe(401);
});

test('the account gets another name and zone', async () => {
  const page = await open('/settings');
  await page.getByLabel('Name').fill('Studio');
  await page.getByLabel('Time zone').fill('Asia/Seoul');
  await page.getByLabel('Telling viewers apart').selectOption('none');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor();
  const { address } = await read<{ address: string }>('/manage/v1/me');
  await page.getByRole('region', { name: 'You come from' }).getByText(address).first().waitFor();
  expect(await read('/manage/v1/account')).toMatchObject({
    ...{ name: 'Studio', timeZone: 'Asia/Seoul', viewers: 'none' },
  });
  await page.getByLabel('Time zone').fill('Mars/Olympus');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('alert').filter({ hasText: 'timeZone' }).waitFor();
});

test('a video is added, found, published and its embed code shown', async () => {
  const packageId = await account.addPackage();
  const page = await open('/library');
  await page.getByText('Add a video').click();
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill('A walk along the river');
  await page.getByLabel('Length').fill('2:05');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('link', { name: 'A walk along the river' }).waitFor();
  await page.getByLabel('Search titles').fill('no such title');
  await page.getByText('No title contains this.').waitFor();
  await page.getByLabel('Search titles').fill('RIVER');
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('dialog').getByLabel('Site').check();
  const code = page.getByRole('dialog').locator('code');
  await code.waitFor();

  const { list } = await read<{ list: { title: string; duration: number; accessKey: string }[] }>(
    '/manage/v1/videos?folderId=1&keyword=river',
  );
  expect(list).toMatchObject([{ title: 'A walk along the river', duration: 125_000 }]);
  const { videoKey } = await read<{ videoKey: string }>(
    `/manage/v1/packages/${packageId}/videos/${list[0]?.accessKey}`,
  );
  expect(await code.textContent()).toBe(
    `<script async src="${service.url}/tracker.js" data-video-key="${videoKey}"></script>`,
  );
});

test('videos are searched in all folders, or in one', async () => {
  const { folders, videos } = service.catalog;
  const { accountId } = account;
  const { folderId } = accepted(await folders.create(accountId, { folderName: 'Lectures' }));
  accepted(await videos.create(accountId, { folderId, title: 'Lecture on kites' }));
  const page = await open('/library');
  await page.getByLabel('Search titles').fill('KITES');
  const row = page.getByRole('row').filter({ hasText: 'Lecture on kites' });
  await row.getByRole('cell', { name: 'Lectures', exact: true }).waitFor();
  await page.getByLabel('Folder', { exact: true }).selectOption('Films');
  await page.getByText('No title contains this.').waitFor();
  await page.getByLabel('Folder', { exact: true }).selectOption('Lectures');
  await row.waitFor();
});

test('a list and a film are dropped onto the page', async () => {
  const page = await open('/library');
  const panel = page.getByRole('region', { name: 'Import' });
  const csv = [
    'cid,title,duration,content',
    'a-1,First,1000,"Two\nlines"',
    'a-2,Broken,soon,',
    'a-3,Last,3000,',
  ].join('\n');
  const clip = join(import.meta.dirname, '../../demo/clip.mp4');
  await panel.locator('input[type=file]').setInputFiles([
    { name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) },
    { name: 'A walk.mp4', mimeType: 'video/mp4', buffer: await readFile(clip) },
  ]);
  await panel.getByText('3 imported, 0 unchanged, 1 refused').waitFor();
  const cells = panel.getByRole('row').nth(1);
  expect(await cells.textContent()).toMatch(/^list\.csv4duration /);
  const { list } = await read<{ list: { title: string; duration: number; accessKey: string }[] }>(
    '/manage/v1/videos?pageSize=3',
  );
  expect(list.map(({ title }) => title)).toEqual(['A walk', 'Last', 'First']);
  expect(list[0]?.duration).toBe(12_000);
  const { size } = await stat(clip);
  expect(list[0]?.accessKey).toBe(await keyOfFile(account.accountId, clip, size));

  const dropped = await page.evaluateHandle((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], 'again.csv', { type: 'text/csv' }));
    return data;
  }, csv);
  await page.dispatchEvent('body', 'drop', { dataTransfer: dropped });
  await panel.getByText('0 imported, 2 unchanged, 1 refused').waitFor();
});

test('the sites of a package are changed', async () => {
  const packageId = await account.addPackage();
  const page = await open('/settings/packages');
  const form = page
    .locator('form')
    .filter({ has: page.getByText(String(packageId), { exact: true }) });
  await form.getByLabel('Allowed sites').fill('https://a.example\nhttps://b.example');
  await form.getByLabel('Signed views').selectOption('prefer');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByRole('status').filter({ hasText: 'Saved' }).waitFor();
  expect(await read(`/manage/v1/packages/${packageId}`)).toMatchObject({
    allowedOrigins: ['https://a.example', 'https://b.example'],
    signing: 'prefer',
  });
  const audit = await open('/settings/audit');
  await audit
    .getByRole('row')
    .filter({ hasText: `PACKAGE_CHANGED ${packageId}` })
    .waitFor();
});

test('a signing secret is made, shown once, replaced and revoked', async () => {
  const page = await open('/settings/signing');
  await page.getByText('There is no signing key.').waitFor();
  await page.getByRole('button', { name: 'Make a secret' }).click();
  const shown = page.getByRole('dialog');
  const secret = (await shown.locator('code').textContent()) ?? '';
  expect(secret.length).toBeGreaterThan(30);
  await page.keyboard.press('Escape');
  await shown.waitFor({ state: 'detached' });
  expect(await page.content()).not.toContain(secret);
  const row = page.getByRole('row').filter({ hasText: 'Secret (HS256)' });
  await row.getByRole('button', { name: 'Replace' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click();
  await page.getByRole('heading', { name: 'The new secret' }).waitFor();
  await page.keyboard.press('Escape');
  await row.filter({ hasText: 'Replaced; valid until' }).waitFor();
  const old = row.filter({ hasText: 'Replaced; valid until' });
  await old.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await old.waitFor({ state: 'detached' });
  expect(await read('/manage/v1/signing-keys')).toMatchObject({
    list: [{ algorithm: 'HS256', expiresAt: null }],
  });
  await page.getByLabel('Ed25519 public key').fill('no key');
  await page.getByRole('button', { name: 'Add the key' }).click();
  await page.getByRole('alert').filter({ hasText: 'publicKey' }).waitFor();
});

test('a label is declared and deleted', async () => {
  const page = await open('/settings/labels');
  await page.getByLabel('New label').fill('series');
  await page.getByRole('button', { name: 'Create' }).click();
  const row = page.getByRole('row').filter({ hasText: 'series' });
  await row.waitFor();
  expect(await read('/manage/v1/labels')).toMatchObject({ list: [{ name: 'series' }] });
  await row.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No label is declared.').waitFor();
});

test('the ledger explains why a beacon was refused', async () => {
  const at = new Date().toISOString();
  const { videoKey } = {
    videoKey: await account.publish(await account.addPackage(), await account.addVideo()),
  };
  const bot = { 'user-agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' };
  await service.send([{ view: 'by-a-bot', stretch: 0, at, playMs: 1_000, videoKey }], bot);
  const page = await open('/settings/ledger');
  const reason = page.getByRole('row').filter({ hasText: 'A bot played the video' });
  await expect
    .poll(async () => {
      await page.reload();
      await page.getByRole('heading', { name: 'By day' }).waitFor();
      return reason.count();
    })
    .toBe(1);
});
