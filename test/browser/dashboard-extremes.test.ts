/** Accounts and titles at the edges: none, very many, very long, and written from the right. */
import { expect, test } from 'vitest';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { expectAccessible, visitDashboard } from './dashboard.ts';
import { expectRoom } from './page-layout.ts';
import { useDashboard } from './use-dashboard.ts';

const stage = useDashboard();
/** The interface lists at most a thousand at once. */
const manyCount = 1_001;
const titles = {
  long: `${'A very long title that goes on and on '.repeat(6)}to its end`,
  unbroken: '123456789012345678901234567890'.repeat(6),
  hebrew: 'הליכה לאורך הנהר, עונה 2 (HD)',
};
const windows = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0)' };

/** An account whose videos have these titles, each played once. */
async function addPlayed() {
  const { service, browser } = stage();
  const account = await service.addAccount();
  const { folders, videos } = service.catalog;
  const { accountId } = account;
  const { folderId } = accepted(await folders.create(accountId, { folderName: titles.hebrew }));
  const packageId = await account.addPackage();
  const at = new Date(Date.now() - 60_000).toISOString();
  const keys: string[] = [];
  for (const title of Object.values(titles)) {
    const { accessKey } = accepted(await videos.create(accountId, { folderId, title }));
    const videoKey = await account.publish(packageId, accessKey);
    const play = { view: accessKey, stretch: 0, at, playMs: 5_000, videoKey };
    await service.send([play], windows);
    keys.push(accessKey);
  }
  await service.facts.rollUp();
  const visit = await visitDashboard(browser, service, account.key);
  return { ...visit, account, keys, folderId };
}

test('titles that are long, unbroken or written from the right stay where they belong', async () => {
  const { page, keys, folderId, complaints, quiet } = await addPlayed();
  for (const path of ['/', '/library', '/now', ...keys.map((key) => `/videos/${key}`)]) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await quiet();
    await expectAccessible(page, path);
    await expectRoom(page, path);
    await page.goto('about:blank');
  }
  // The library's columns stay in sight: a title is cut, and whole in its tip.
  await page.setViewportSize({ width: 1_024, height: 768 });
  await page.goto('/library');
  const title = page.getByRole('link', { name: titles.unbroken });
  expect(await title.getAttribute('title')).toBe(titles.unbroken);
  const edit = page.getByRole('button', { name: `Edit: ${titles.unbroken}` });
  const { x = 0, width = 0 } = (await edit.boundingBox()) ?? {};
  expect(x + width).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
  expect(await title.evaluate((one) => one.scrollWidth > one.clientWidth)).toBe(true);
  await page.goto('/');
  const row = page.getByRole('link', { name: titles.hebrew, exact: true });
  expect(await row.evaluate((link) => getComputedStyle(link).direction)).toBe('rtl');
  await row.click();
  // Within a sentence it is set apart, so that the words around it stay in their order.
  const chip = page.getByRole('list', { name: 'Filters' }).getByRole('listitem');
  await expect.poll(() => chip.textContent()).toBe(`Videos: \u2068${titles.hebrew}\u2069`);
  await page.goto(`/library?folder=${folderId}`);
  await page.getByRole('button', { name: 'Import' }).click();
  await expect
    .poll(() => page.locator('.drop > label').textContent())
    .toContain(`They go into “\u2068${titles.hebrew}\u2069”`);
  // The service has no film of them, which the browser notes.
  expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);
});

test('of a thousand packages and folders none is missing: some are shown, the others searched', async () => {
  const { service, browser } = stage();
  const account = await service.addAccount();
  const { accountId } = account;
  const { folders, packages, videos } = service.catalog;
  let folderId = 0;
  for (let made = 1; made <= manyCount; made += 1) {
    const fields = { packageName: `Channel ${made}`, packageType: 'VOD' } as const;
    accepted(await packages.create(accountId, fields));
    const folder = await folders.create(accountId, { folderName: `Season ${made}` });
    folderId = accepted(folder).folderId;
  }
  const { accessKey } = accepted(await videos.create(accountId, { folderId, title: 'A walk' }));
  const { page } = await visitDashboard(browser, service, account.key);
  await page.goto('/settings/packages');
  await page.getByText('20 of 1,001 packages').waitFor();
  expect(await page.locator('form.fields').count()).toBe(20);
  await page.getByLabel('Search packages').fill('channel 1001');
  await page.getByText('1 of 1 packages').waitFor();
  await page.getByRole('heading', { name: 'Channel 1001' }).waitFor();
  await expectAccessible(page);

  await page.goto('/library');
  await page.getByRole('button', { name: 'Import' }).click();
  await page.getByRole('dialog').getByText('20 of 1,001 packages').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('cell', { name: 'Season 1001' }).waitFor();
  await page.getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Title').fill('A long walk');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await dialog.getByRole('status').filter({ hasText: 'Saved' }).waitFor();
  expect(await videos.find(accountId, accessKey)).toMatchObject({ folderId, title: 'A long walk' });
  await dialog.getByText('20 of 1,001 packages').waitFor();
  await dialog.getByLabel('Search packages').fill('1001');
  await dialog.getByLabel('Channel 1001').check();
  const code = dialog.locator('code.block');
  await code.waitFor();
  // What it is in comes first, and its first play is waited for.
  await dialog.getByLabel('Search packages').fill('');
  await expect.poll(() => dialog.getByRole('checkbox').first().isChecked()).toBe(true);
  await dialog.getByText('Waiting for the first play').waitFor();
  const [, videoKey] = /data-video-key="([\w-]+)"/.exec((await code.textContent()) ?? '') ?? [];
  const at = new Date(Date.now() - 10_000).toISOString();
  await service.send([{ view: 'first', stretch: 0, at, playMs: 5_000, videoKey }], windows);
  await dialog.getByText('Counted plays: 1').waitFor();
});

test('where a period or a filter leaves nothing, the page says what to do next', async () => {
  const { page, account, keys } = await addPlayed();
  const { service } = stage();
  await page.goto('/?period=custom&from=2026-01-01&to=2026-01-02&filters=os%3D%3DiOS');
  const note = page.locator('.note').filter({ hasText: 'Nothing was played in this period.' });
  await note.getByRole('button', { name: 'Last 12 months' }).click();
  await note.getByRole('button', { name: 'Without filters' }).click();
  await expect.poll(() => page.textContent('[data-measure="plays"]')).toBe('3');
  await note.waitFor({ state: 'detached' });
  expect(new URL(page.url()).searchParams.get('period')).toBe('12mo');

  const { videos } = service.catalog;
  const { folderId = 0 } = (await videos.find(account.accountId, keys[0] ?? '')) ?? {};
  const fresh = accepted(await videos.create(account.accountId, { folderId, title: 'Unseen' }));
  await page.goto(`/videos/${fresh.accessKey}`);
  await page.getByText('This video has not been played yet').waitFor();
  await expectAccessible(page);
  await page.goto('/videos/never-added');
  await page.getByText('The library has no such video').waitFor();
  await expect.poll(() => page.textContent('[data-measure="plays"]')).toBe('0');
  expect(await page.getByText('This video has not been played yet').count()).toBe(0);
  await page.goto('/?period=custom&from=2026-01-01&to=2026-01-02');
  await note.waitFor();
  await expectAccessible(page);
});

test('an account without a package or a video leads on from every page', async () => {
  const { service, browser } = stage();
  const { accounts, keys } = service.catalog;
  const { accountId } = accepted(await accounts.create({ name: 'New', timeZone: 'UTC' }));
  const scopes = ['stats:read', 'info:read', 'manage'] as const;
  const { secret } = accepted(await keys.create({ accountId, scopes }));
  const { page, complaints } = await visitDashboard(browser, service, secret);
  const texts = {
    '/': 'To your first counted play',
    '/now': 'Nobody is watching at the moment.',
    '/library': 'There is no video yet.',
    '/settings/packages': 'New package',
  };
  for (const [path, text] of Object.entries(texts)) {
    await page.goto(path);
    await page.getByText(text).waitFor();
    await expectAccessible(page, path);
    await expectRoom(page, path);
  }
  const korean = await visitDashboard(browser, service, secret, { locale: 'ko-KR' });
  for (const path of Object.keys(texts)) {
    await korean.page.goto(path);
    await korean.page.locator('html[lang=ko] h1').waitFor();
    await korean.quiet();
    await expectRoom(korean.page, path);
  }
  expect(complaints).toEqual([]);
});
