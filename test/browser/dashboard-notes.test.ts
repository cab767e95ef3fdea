/** Notes in charts, saved views, viewers by completion, and two videos on one curve. */
import { expect, test } from 'vitest';
import { findContentFolder } from '../../src/app/own-urls.ts';
import { placeClip } from '../../src/import/clip-file.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import type { Page } from '../support/browser.ts';
import { addShare, expectAccessible, inBothLanguages } from './dashboard.ts';
import { expectRoom, extremeScreens } from './page-layout.ts';
import { useDashboard } from './use-dashboard.ts';

const dayMs = 86_400_000;
const today = () => new Date().toISOString().slice(0, 10);
const lengths = { lesson: 60_000, sequel: 120_000 };
let packageId = 0;

const stage = useDashboard(async ({ service, account }) => {
  const { accountId, key } = account;
  const { catalog } = service;
  accepted(await catalog.accounts.change(accountId, { viewers: 'named' }));
  const [folder] = await catalog.folders.list(accountId);
  packageId = accepted(
    await catalog.packages.create(accountId, { packageName: 'Course' }),
  ).packageId;
  for (const [accessKey, durationMs] of Object.entries(lengths)) {
    const title = accessKey === 'lesson' ? 'Lesson one' : 'The sequel';
    const video = { folderId: folder?.folderId ?? 0, accessKey, title, durationMs };
    accepted(await catalog.videos.create(accountId, video));
    await account.publish(packageId, accessKey);
    const { videoId = 0 } = (await catalog.videos.find(accountId, accessKey)) ?? {};
    await placeClip(findContentFolder(service.config), videoId);
  }
  const play = (viewer: string, accessKey: string, playMs: number, index: number) => ({
    ...{ view: `${viewer}-${accessKey}`, stretch: 0, viewer, accessKey, packageId },
    at: new Date(Date.now() - dayMs - index * 60_000).toISOString(),
    ...{ playMs, position: 0, mediaMs: playMs, userAgent: 'Windows NT 10.0' },
  });
  const plays = [
    ...['ada', 'ben', 'cleo'].map((name, index) => play(name, 'lesson', 60_000, index)),
    ...['dora', 'emil'].map((name, index) => play(name, 'lesson', 20_000, index)),
    ...['ada', 'ben'].map((name, index) => play(name, 'sequel', 120_000 / (index + 1), index)),
  ];
  expect((await service.send(plays, { 'x-api-key': key })).status).toBe(200);
  await service.facts.rollUp();
});

const chart = (page: Page) => page.getByRole('region', { name: 'Plays over time' });
const notes = (page: Page) => page.locator('.notes li');

test('a note is written from a chart, stands there with its text, is changed and deleted', async () => {
  const { page, complaints, quiet } = await stage().visitAsOwner();
  await page.goto('/');
  await chart(page).getByRole('button', { name: 'Add note' }).click();
  const dialog = page.locator('dialog[open]');
  expect(await dialog.locator('input[name=at]').inputValue()).toBe(`${today()}T00:00`);
  await dialog.getByLabel('What happened').fill('Newsletter sent');
  await dialog.getByLabel('Kind').selectOption('campaign');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => notes(page).innerText()).toMatch(/Campaign Newsletter sent/);
  expect(await chart(page).locator('.note-mark').count()).toBe(1);

  const slider = chart(page).getByRole('slider');
  await slider.focus();
  await page.keyboard.press('End');
  await expect.poll(() => slider.getAttribute('aria-valuetext')).toMatch(/, Newsletter sent$/);
  expect(await chart(page).locator('.tip').innerText()).toContain('Newsletter sent');

  await page.getByRole('button', { name: /^Change: Newsletter sent, / }).click();
  await dialog.getByLabel('What happened').fill('Second newsletter');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => notes(page).innerText()).toMatch(/Second newsletter/);
  await page.getByRole('button', { name: /^Delete: Second newsletter, / }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect.poll(() => notes(page).count()).toBe(0);
  await quiet();
  expect(complaints).toEqual([]);
});

test('a note begins where the reader looked', async () => {
  const { page } = await stage().visitAsOwner();
  await page.goto('/?by=date');
  await chart(page).getByRole('slider').focus();
  await page.keyboard.press('Home');
  await chart(page).locator('.tip').waitFor();
  await chart(page).getByRole('button', { name: 'Add note' }).click();
  const first = new Date(Date.now() - 27 * dayMs).toISOString().slice(0, 10);
  expect(await page.locator('dialog[open] input[name=at]').inputValue()).toBe(`${first}T00:00`);
});

test('a video says by itself when it came out in a package, and has its own notes', async () => {
  const { service, account } = stage();
  const { catalog } = service;
  const note = { kind: 'outage', at: new Date(), until: undefined, packageId: undefined } as const;
  const of = { accountId: account.accountId, ...note };
  for (const accessKey of ['lesson', 'sequel', undefined]) {
    const text = `About ${accessKey ?? 'all'}`;
    accepted(await catalog.annotations.create({ ...of, accessKey, text }));
  }
  const page = await stage().open('/videos/lesson');
  await notes(page).filter({ hasText: 'Published in Course' }).waitFor();
  await notes(page).filter({ hasText: 'About lesson' }).waitFor();
  const texts = await notes(page).allInnerTexts();
  expect(texts.filter((text) => /About/.test(text))).toHaveLength(2);
  expect(texts.join()).not.toMatch(/sequel/);
  await page.goto('/');
  await notes(page).filter({ hasText: 'About all' }).waitFor();
  expect(await notes(page).count()).toBe(1);
});

test('a shared link shows no notes, and no viewers', async () => {
  const { service, account, visit } = stage();
  const { page, complaints } = await visit();
  await page.goto(await addShare(service, account.accountId, 'lesson'));
  await page.getByRole('region', { name: 'How far people watch' }).waitFor();
  await chart(page).getByRole('slider').waitFor();
  expect(await page.locator('.notes, .note-mark, .viewers').count()).toBe(0);
  expect(await page.getByRole('button', { name: /Add note|Views/ }).count()).toBe(0);
  expect(complaints).toEqual([]);
});

test('a view is saved under a name, opened, renamed and deleted', async () => {
  const { page, complaints, quiet } = await stage().visitAsOwner();
  await page.goto('/?period=90d&filters=os%3D%3DWindows&measure=playMs&compare=none');
  await page.getByRole('button', { name: 'Saved views', exact: true }).click();
  const dialog = page.locator('dialog[open]').first();
  await dialog.getByLabel('Name of this view').fill('Windows, 90 days');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('button', { name: 'Windows, 90 days', exact: true }).waitFor();
  await page.goto('/quality');
  await page.getByRole('button', { name: 'Saved views', exact: true }).click();
  await dialog.getByRole('button', { name: 'Windows, 90 days', exact: true }).click();
  await expect.poll(() => new URL(page.url()).search).toContain('filters=os%3D%3DWindows');
  expect(new URL(page.url()).pathname).toBe('/');
  await page.getByRole('button', { name: 'Saved views', exact: true }).click();
  await dialog.getByRole('button', { name: 'Rename: Windows, 90 days' }).click();
  const inner = page.locator('dialog[open]').last();
  await inner.getByLabel('New name').fill('Windows');
  await inner.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('button', { name: 'Windows', exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Delete: Windows' }).click();
  await inner.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByText('No views are saved yet').waitFor();
  await quiet();
  expect(complaints).toEqual([]);
});

test('who completed a video, or a package, is listed, sorted and looked up by name', async () => {
  const { page, complaints, quiet } = await stage().visitAsOwner();
  await page.goto('/videos/lesson');
  const panel = page.getByRole('region', { name: 'Viewers', exact: true });
  await panel.getByRole('heading', { name: 'Viewers: completed 3 of 5' }).waitFor();
  const cells = (column: number) => panel.locator(`tbody td:nth-child(${column})`).allInnerTexts();
  expect(await cells(2)).toEqual(['yes', 'yes', 'yes', 'no', 'no']);
  expect(await cells(3)).toEqual(['100%', '100%', '100%', '33.3%', '33.3%']);
  await panel.getByRole('button', { name: 'Sort by Seen' }).click();
  await panel.getByRole('button', { name: 'Sort by Seen' }).click();
  await expect.poll(() => cells(2)).toEqual(['no', 'no', 'yes', 'yes', 'yes']);
  expect(await panel.locator('th[aria-sort=ascending]').innerText()).toMatch(/Seen/);

  await panel.locator('.names summary').click();
  await panel.getByLabel('Names to look up').fill('ada\nnobody');
  await panel.getByRole('button', { name: 'Look up' }).click();
  await panel.getByRole('heading', { name: 'Viewers: completed 1 of 2' }).waitFor();
  expect((await panel.locator('tbody th').allInnerTexts()).sort()).toEqual(['ada', 'nobody']);
  await panel.getByRole('button', { name: 'All viewers' }).click();
  await panel.getByLabel('Viewers of').selectOption({ label: 'All videos in Course' });
  await panel.getByRole('heading', { name: 'Viewers: completed 1 of 5' }).waitFor();

  await page.goto(`/?filters=package%3D%3D${packageId}`);
  await panel.getByRole('heading', { name: 'Viewers: completed 1 of 5' }).waitFor();
  await quiet();
  expect(complaints).toEqual([]);
});

test('where viewers are not told apart by name alone, the page says what to set', async () => {
  const { service, account, open } = stage();
  const { accountId } = account;
  accepted(await service.catalog.accounts.change(accountId, { viewers: 'anonymous' }));
  const page = await open('/videos/lesson');
  const panel = page.getByRole('region', { name: 'Viewers', exact: true });
  await panel.getByText('How viewers are recognized').waitFor();
  expect(await panel.getByRole('link').getAttribute('href')).toMatch(/^\/settings/);
  accepted(await service.catalog.accounts.change(accountId, { viewers: 'named' }));
});

test('another video is laid over the curve of this one, by share of the length', async () => {
  const { page, complaints, quiet } = await stage().visitAsOwner();
  await page.goto('/videos/lesson');
  const panel = page.getByRole('region', { name: 'How far people watch' });
  await panel.getByLabel('Compare the curve with').selectOption({ label: 'Another video…' });
  await panel.getByRole('searchbox').fill('sequ');
  await panel.getByRole('button', { name: 'The sequel' }).click();
  await panel.locator('.line.second').waitFor();
  expect(await panel.locator('.legend').innerText()).toMatch(/Lesson one.*The sequel/s);
  expect(await panel.getByText('Lesson one 1:00, The sequel 2:00').count()).toBe(1);
  const slider = panel.getByRole('slider');
  await slider.focus();
  await page.keyboard.press('End');
  // Of the lesson three of five saw the end, of the sequel one of two.
  await expect
    .poll(() => slider.getAttribute('aria-valuetext'))
    .toMatch(/Lesson one 60%, The sequel 50%$/);
  await quiet();
  expect(complaints).toEqual([]);
});

for (const [locale, tags] of inBothLanguages) {
  test(`all of it is for everybody, in ${locale}`, { tags }, async () => {
    const { service, account } = stage();
    const span = { at: new Date(Date.now() - 9 * dayMs), until: new Date(Date.now() - 5 * dayMs) };
    const note = { ...span, kind: 'campaign', text: `Campaign, ${locale}`, packageId } as const;
    const { accountId } = account;
    accepted(
      await service.catalog.annotations.create({ accountId, accessKey: undefined, ...note }),
    );
    const { page, quiet } = await stage().visitAsOwner({ locale });
    const paths = ['/videos/lesson?against=video%3Asequel', `/?filters=package%3D%3D${packageId}`];
    for (const path of paths) {
      await page.goto(path);
      await page.locator('.viewers table').waitFor();
      await page.locator('.names summary').click();
      await notes(page).first().waitFor();
      await quiet();
      await expectRoom(page, path, extremeScreens);
      await expectAccessible(page, path, ['light', 'dark']);
    }
    const dialog = page.locator('dialog[open]');
    for (const button of ['.panel-head button.plain', '.page-controls button']) {
      const names = locale === 'en-US' ? /^(Add note|Saved views)$/ : /^(메모 추가|저장된 보기)$/;
      await page.locator(button).filter({ hasText: names }).first().click();
      await dialog.locator('form').waitFor();
      await expectRoom(page, button, extremeScreens);
      await expectAccessible(page, button);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
  });
}
