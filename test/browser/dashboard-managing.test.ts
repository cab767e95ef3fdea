/** What the owner of an account changes at the dashboard, against what the interface then says. */
import { generateKeyPairSync } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keyOfFile } from '../../src/import/media-import.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { useDashboard } from './use-dashboard.ts';

const stage = useDashboard();
const open = (path: string) => stage().open(path);
const read = <Body>(path: string) => stage().read<Body>(path);

test('a key is made, shown once, renamed, replaced and revoked, as the audit says', async () => {
  const { service } = stage();
  const page = await open('/settings/keys');
  const form = page.locator('form');
  await form.getByLabel('Name').fill('Nightly');
  await form.getByRole('checkbox').nth(1).check();
  await form.locator('input[type=date]').fill('2999-01-31');
  await form.getByRole('button', { name: 'Create the key' }).click();
  const dialog = page.getByRole('dialog');
  const first = (await dialog.locator('code').textContent()) ?? '';
  type Keys = { list: { name: string; scopes: string[]; expiresAt: string | null }[] };
  const named = async (wanted: string) =>
    (await read<Keys>('/manage/v1/keys?pageSize=100')).list.filter(({ name }) => name === wanted);
  expect(await named('Nightly')).toMatchObject([
    { scopes: ['stats:read', 'info:read'], expiresAt: '2999-01-31T23:59:59.000Z' },
  ]);
  const statusOf = async (key: string) =>
    (await service.get('/info/videopack/folder/v1/info.json', key)).status;
  expect(await statusOf(first)).toBe(200);
  expect((await service.get('/manage/v1/keys', first)).status).toBe(403);
  await page.keyboard.press('Escape');
  // Closed first, and gone from the page a moment later.
  await expect.poll(() => page.content()).not.toContain(first);

  const rows = (name: string) => page.getByRole('row').filter({ hasText: name });
  await rows('Nightly').getByRole('button', { name: 'Rename' }).click();
  await dialog.getByLabel('New name').fill('Weekly');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await rows('Weekly').waitFor();
  expect(await named('Weekly')).toHaveLength(1);

  await rows('Weekly').getByRole('button', { name: 'Replace' }).click();
  await dialog.getByRole('button', { name: 'Replace' }).click();
  await page.getByRole('heading', { name: 'The new key' }).waitFor();
  const second = (await dialog.locator('code').textContent()) ?? '';
  expect(second).not.toBe(first);
  // The old key works for a while, so that it can be replaced where it is used.
  expect([await statusOf(first), await statusOf(second)]).toEqual([200, 200]);
  const ends = (await named('Weekly')).map(({ expiresAt }) => Date.parse(expiresAt ?? ''));
  expect(Math.min(...ends)).toBeLessThanOrEqual(Date.now() + 2 * 86_400_000);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  for (let left = 1; left >= 0; left -= 1) {
    await rows('Weekly').first().getByRole('button', { name: 'Revoke' }).click();
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await expect.poll(() => rows('Weekly').count()).toBe(left);
  }
  expect([await statusOf(first), await statusOf(second)]).toEqual([401, 401]);
  await page.goto('/settings/audit');
  const entry = rows('API key renamed').first();
  await expect.poll(() => entry.textContent()).toMatch(/API key renamed.*Nightly → Weekly/);
});

test('the account gets another name and zone', { tags: 'long' }, async () => {
  const page = await open('/settings');
  await page.getByLabel('Name').fill('Studio');
  await page.getByLabel('Time zone').fill('Asia/Seoul');
  await page.getByLabel('How viewers are recognized').selectOption('none');
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

test('a video is found, published and its embed code shown', { tags: 'long' }, async () => {
  const { service, account } = stage();
  const packageId = await account.addPackage();
  const accessKey = await account.addVideo();
  const title = 'A walk along the river';
  accepted(await service.catalog.videos.change(account.accountId, accessKey, { title }));
  const page = await open('/library');
  await page.getByRole('link', { name: title }).waitFor();
  await page.getByLabel('Search titles').fill('no such title');
  await page.getByText('No title contains this.').waitFor();
  await page.getByLabel('Search titles').fill('RIVER');
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('dialog').getByLabel('Site').check();
  const code = page.getByRole('dialog').locator('code');
  await code.waitFor();
  const { videoKey } = await read<{ videoKey: string }>(
    `/manage/v1/packages/${packageId}/videos/${accessKey}`,
  );
  expect(await code.textContent()).toBe(
    `<script async src="${service.url}/play.js" data-video-key="${videoKey}"></script>`,
  );
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('dialog').getByRole('button', { name: 'Copy' }).click();
  await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await code.textContent());
});

test('videos are searched in all folders, or in one', { tags: 'long' }, async () => {
  const { service, account } = stage();
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

test('a list and a film are dropped onto the page, and published at once', async () => {
  const { account, service } = stage();
  const { catalog } = service;
  const packageIds = await Promise.all(
    ['On the web', 'In the app'].map(async (packageName) => {
      const fields = { packageName, packageType: 'VOD' } as const;
      return accepted(await catalog.packages.create(account.accountId, fields)).packageId;
    }),
  );
  const page = await open('/library');
  await page.getByRole('button', { name: 'Import' }).click();
  const panel = page.getByRole('dialog', { name: 'Import' });
  await panel.getByLabel('On the web').check();
  await panel.getByLabel('In the app').check();
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
  expect(list[0]?.accessKey).toBe(await keyOfFile(stage().account.accountId, clip, size));

  for (const { accessKey } of list) {
    const publications = await read<{ list: { packageId: number }[] }>(
      `/manage/v1/videos/${accessKey}/publications`,
    );
    const into = publications.list.map(({ packageId }) => packageId);
    expect(into.toSorted((one, other) => one - other)).toEqual(packageIds);
  }

  const dropped = await page.evaluateHandle((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], 'again.csv', { type: 'text/csv' }));
    return data;
  }, csv);
  await page.dispatchEvent('body', 'drop', { dataTransfer: dropped });
  await panel.getByText('0 imported, 2 unchanged, 1 refused').waitFor();
});

test('the sites of a package are changed', { tags: 'long' }, async () => {
  const packageId = await stage().account.addPackage();
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
    .filter({ hasText: `Package changed ${packageId}` })
    .waitFor();
});

test('a signing secret is made, shown once, replaced and revoked', { tags: 'long' }, async () => {
  const page = await open('/settings/signing');
  await page.getByText('There is no signing key.').waitFor();
  await page.getByRole('button', { name: 'Make a secret' }).click();
  const shown = page.getByRole('dialog');
  const secret = (await shown.locator('code').textContent()) ?? '';
  expect(secret.length).toBeGreaterThan(30);
  await page.keyboard.press('Escape');
  await expect.poll(() => page.content()).not.toContain(secret);
  const row = page.getByRole('row').filter({ hasText: 'Secret (HS256)' });
  await row.getByRole('button', { name: 'Replace' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click();
  await page.getByRole('heading', { name: 'The new secret' }).waitFor();
  await page.keyboard.press('Escape');
  await shown.waitFor({ state: 'detached' });
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
  const { publicKey } = generateKeyPairSync('ed25519');
  const pem = publicKey.export({ type: 'spki', format: 'pem' });
  await page.getByLabel('Ed25519 public key').fill(String(pem));
  await page.getByRole('button', { name: 'Add the key' }).click();
  const added = page.getByRole('row').filter({ hasText: 'Your own key (Ed25519)' });
  await added.filter({ hasText: 'Valid' }).waitFor();
  // Whoever has its private half replaces it: nothing of it is shown here.
  expect(await added.getByRole('button').allTextContents()).toEqual(['Revoke']);
  const { list } = await read<{ list: { algorithm: string }[] }>('/manage/v1/signing-keys');
  expect(list.map(({ algorithm }) => algorithm).toSorted()).toEqual(['EdDSA', 'HS256']);
});

test('a label is declared, renamed and deleted', { tags: 'long' }, async () => {
  const page = await open('/settings/labels');
  await page.getByLabel('New label').fill('series');
  await page.getByRole('button', { name: 'Create' }).click();
  const row = page.getByRole('row').filter({ hasText: 'series' });
  await row.waitFor();
  expect(await read('/manage/v1/labels')).toMatchObject({ list: [{ name: 'series' }] });
  await row.getByRole('button', { name: 'Rename' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('New name').fill('no name');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('alert').filter({ hasText: 'name' }).waitFor();
  await dialog.getByLabel('New name').fill('season');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  const renamed = page.getByRole('row').filter({ hasText: 'season' });
  await renamed.waitFor();
  expect(await read('/manage/v1/labels')).toMatchObject({ list: [{ name: 'season' }] });
  await renamed.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No label is declared.').waitFor();
});

test('unusual playback is listed, and decided on', async () => {
  const { service, account } = stage();
  const { packages } = service.catalog;
  const accessKey = await account.addVideo();
  const at = new Date(Date.now() - 10_000).toISOString();
  const fields = { packageType: 'VOD', signing: 'prefer' } as const;
  const suspectCount = 2;
  const beacons: object[] = [];
  for (let made = 0; made < suspectCount; made += 1) {
    const named = { ...fields, packageName: `Unsigned ${made}` };
    const { packageId } = accepted(await packages.create(account.accountId, named));
    const videoKey = await account.publish(packageId, accessKey);
    // Listed by their time.
    const playMs = 1_000 + 10 * (suspectCount - made);
    beacons.push({ view: `unsigned-${made}`, stretch: 0, at, playMs, videoKey });
  }
  const sent = await service.send(beacons, { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0)' });
  expect(await sent.json()).toMatchObject({ accepted: suspectCount });
  await service.facts.rollUp();
  const page = await open('/settings/suspects');
  const rows = page.locator('tbody tr');
  await expect.poll(() => rows.count()).toBe(2);
  await rows.first().getByRole('link', { name: 'Unsigned 0' }).waitFor();
  await rows.last().getByRole('button', { name: 'Accept' }).click();
  await rows.last().filter({ hasText: 'Counts' }).waitFor();
  const days = new Date().toISOString().slice(0, 10);
  const { list } = await read<{ list: { verdict: string | null }[] }>(
    `/manage/v1/suspects?sdate=${days}&edate=${days}&pageSize=100`,
  );
  expect(list.map(({ verdict }) => verdict)).toEqual([null, 'accepted']);
  await rows.first().getByRole('button', { name: 'Refuse' }).click();
  await rows.first().filter({ hasText: 'Does not count' }).waitFor();
});

test('the ledger explains why a beacon was refused', async () => {
  const { service, account } = stage();
  const at = new Date().toISOString();
  const videoKey = await account.publish(await account.addPackage(), await account.addVideo());
  const bot = { 'user-agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' };
  await service.send([{ view: 'by-a-bot', stretch: 0, at, playMs: 1_000, videoKey }], bot);
  const later = { view: 'labelled', stretch: 0, at, playMs: 1_000, videoKey };
  await service.send([{ ...later, labels: { undeclared: 'a' } }], { 'user-agent': 'Windows NT' });
  const page = await open('/settings/ledger');
  // As a later service may answer: with a reason that this page does not know.
  await page.route('**/manage/v1/ledger?*', async (route) => {
    const response = await route.fetch();
    const answer = await response.json();
    for (const day of answer.list) day.refused.FROM_LATER = 1;
    await route.fulfill({ response, json: answer });
  });
  const reason = page.getByRole('row').filter({ hasText: 'A bot played the video' });
  await expect
    .poll(async () => {
      await page.reload();
      await page.getByRole('heading', { name: 'By day' }).waitFor();
      return reason.count();
    })
    .toBe(1);
  const unknown = page.getByRole('row').filter({ hasText: 'FROM_LATER' });
  await unknown.getByText('This page has no explanation of it').waitFor();
  await page.getByRole('row').filter({ hasText: 'Labels that were left out of beacons' }).waitFor();
  await page.unroute('**/manage/v1/ledger?*');
  await page.reload();
  const days = page.getByRole('region', { name: 'By day' }).locator('tbody tr').first();
  await days.locator('td').first().waitFor();
  const [received, ...others] = (await days.locator('td').allTextContents()).map(Number);
  expect(others).toHaveLength(4);
  expect(others.reduce((sum, one) => sum + one, 0)).toBe(received);
});
