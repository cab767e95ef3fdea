/** The page that plays a video: what it shows where there is none, and by whose days it counts. */
import { expect, test } from 'vitest';
import { type Page, personAt } from '../support/browser.ts';
import { addFreshVideo } from './counted.ts';
import { expectAccessible, moving } from './dashboard.ts';
import { expectRoom } from './page-layout.ts';
import { useDashboard } from './use-dashboard.ts';

const stage = useDashboard();
const open = (path: string, key: string) =>
  stage().openAsViewer(`${stage().service.url}${path}#key=${key}`);

const links = (page: Page) =>
  page.locator('#videos a').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
const note = (page: Page) => page.textContent('#library-note');

test('without a video the page lists those of the account', async () => {
  const { account, videoKey } = await addFreshVideo(stage().service);
  const page = await open('/watch', account.key);
  await expect.poll(() => links(page)).toEqual([`${stage().service.url}/watch/${videoKey}`]);
  expect(await note(page)).toBe('Choose one of the account’s videos:');
  expect(await page.isVisible('video')).toBe(false);
});

test('where the file is not here, or no video has the key, the others are listed', async () => {
  const { account, videoKey } = await addFreshVideo(stage().service);
  const here = await open(`/watch/${videoKey}`, account.key);
  await expect
    .poll(() => note(here))
    .toBe('This service has no file of this video. The account has no other video in a package.');
  const unknown = await open('/watch/no-such-key', account.key);
  await expect.poll(() => links(unknown)).toEqual([`${stage().service.url}/watch/${videoKey}`]);
});

test('the days are those of the account', async () => {
  const account = await stage().service.addAccount('Pacific/Kiritimati');
  const page = await open('/watch', account.key);
  await expect.poll(() => page.textContent('#zone')).toBe('Pacific/Kiritimati');
  expect(await page.textContent('#question')).toContain('timeZone=Pacific%2FKiritimati');
});

test('the zone is for a key that reads statistics', async () => {
  const response = await fetch(`${stage().service.url}/watch/account`);
  expect(response.status).toBe(401);
});

test('with a video, and without one, it is for everybody, in the frame of the dashboard', async () => {
  const { account, videoKey } = await addFreshVideo(stage().service);
  for (const path of [`/watch/${videoKey}`, '/watch']) {
    const page = await open(path, account.key);
    await page.locator('#status').filter({ hasText: 'Live' }).waitFor();
    const places = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
    expect((await places.allTextContents()).map((text) => text.trim())).toEqual([
      ...['Overview', 'Now', 'Library', 'Settings'],
    ]);
    await expectAccessible(page);
    await expectRoom(page, path);
    await page.getByLabel('Theme').selectOption('dark');
    await page.reload();
    await page.locator('html[data-theme="dark"]').waitFor();
  }
});

test('figures that grow move only where motion is wanted', async () => {
  const { account, videoKey } = await addFreshVideo(stage().service);
  const found: { before: number; grown: number }[] = [];
  for (const reducedMotion of ['no-preference', 'reduce'] as const) {
    const context = await stage().browser.newContext({
      ...personAt(stage().browser),
      reducedMotion,
    });
    await context.addInitScript(() => {
      const { animate } = Element.prototype;
      Element.prototype.animate = function noted(...how) {
        document.documentElement.dataset.grown = 'yes';
        return animate.apply(this, how);
      };
    });
    const page = await context.newPage();
    await page.goto(`${stage().service.url}/watch#key=${account.key}`);
    await page.locator('#status[data-state="live"]').waitFor();
    const plays = Number(await page.textContent('#plays'));
    const before = (await moving(page)).length;
    const at = new Date(Date.now() - 10_000).toISOString();
    const play = { view: reducedMotion, stretch: 0, at, playMs: 5_000, videoKey };
    await stage().service.send([play], { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0)' });
    await expect.poll(() => page.textContent('#plays')).toBe(String(plays + 1));
    found.push({ before, grown: await page.locator('html[data-grown]').count() });
    await context.close();
  }
  expect(found).toEqual([
    { before: 1, grown: 1 },
    { before: 0, grown: 0 },
  ]);
});
