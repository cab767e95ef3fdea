/** The dashboard by keyboard alone: everything is reached, and the focus is never lost. */
import { expect, test } from 'vitest';
import { addDays, todayIn } from '../../dashboard/src/calendar.ts';
import { createFormats } from '../../dashboard/src/formats.ts';
import { findContentFolder } from '../../src/app/own-urls.ts';
import { placeClip } from '../../src/import/clip-file.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import type { Page } from '../support/browser.ts';
import { addShare } from './dashboard.ts';
import { useDashboard } from './use-dashboard.ts';

let film = '';
let videoKey = '';
const shares: string[] = [];
const stage = useDashboard(async ({ service, account }) => {
  const { packages, labels } = service.catalog;
  const { accountId, key } = account;
  film = await account.addVideo();
  const fields = { packageType: 'VOD', signing: 'prefer', packageName: 'Unsigned' } as const;
  const { packageId } = accepted(await packages.create(accountId, fields));
  videoKey = await account.publish(packageId, film);
  accepted(await service.catalog.videos.change(accountId, film, { durationMs: 12_000 }));
  const at = new Date(Date.now() - 60_000).toISOString();
  const play = { stretch: 0, at, playMs: 5_000, position: 0, mediaMs: 5_000 };
  const userAgent = 'Mozilla/5.0 (Windows NT 10.0)';
  const ofOurs = { view: 'ours', accessKey: film, packageId, userAgent };
  const start = { wait: 0, at, waitMs: 0, cause: 'start', outcome: 'played' };
  const ours = [
    { ...start, ...ofOurs },
    { ...play, ...ofOurs },
  ];
  await service.send(ours, { 'x-api-key': key });
  await service.send([{ ...play, view: 'unsigned', videoKey }], { 'user-agent': userAgent });
  await service.facts.rollUp();
  accepted(await labels.create(accountId, 'first'));
  accepted(await labels.create(accountId, 'second'));
  const { videoId = 0 } = (await service.catalog.videos.find(accountId, film)) ?? {};
  await placeClip(findContentFolder(service.config), videoId);
  for (const accessKey of [undefined, film])
    shares.push(await addShare(service, accountId, accessKey));
});

/** What has the focus, in words; '' if nothing has. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const at = document.activeElement;
    if (at === null || at === document.body) return '';
    return at.getAttribute('aria-label') ?? at.textContent ?? '';
  });
}

interface Place {
  readonly path: () => string;
  /** For somebody who is not signed in. */
  readonly isOpen?: boolean;
}

const settings = [
  ...['keys', 'packages', 'signing', 'labels', 'shares', 'suspects', 'ledger', 'audit'],
];
const places: Readonly<Record<string, Place>> = {
  ...Object.fromEntries(
    [
      '/',
      '/now',
      '/quality',
      '/library',
      '/settings',
      ...settings.map((part) => `/settings/${part}`),
    ].map((path) => [path, { path: () => path }]),
  ),
  'a video': { path: () => `/videos/${film}` },
  'a shared overview': { path: () => shares[0] ?? '', isOpen: true },
  'a shared video': { path: () => shares[1] ?? '', isOpen: true },
  'signing in': { path: () => '/', isOpen: true },
  '/docs': { path: () => '/docs', isOpen: true },
  'a page of the reference': { path: () => '/docs/signed-views', isOpen: true },
  'a guide': { path: () => '/docs/guide/dashboard', isOpen: true },
  '/watch, without a film': { path: () => '/watch', isOpen: true },
  'a film at /watch': { path: () => `/watch/${videoKey}`, isOpen: true },
};

test.each(Object.entries(places))(
  '%s: Tab comes to every control, in the order of the page, and is seen',
  async (_, place) => {
    const { visit, visitAsOwner } = stage();
    const { page, quiet } = await (place.isOpen ? visit() : visitAsOwner());
    await page.goto(place.path());
    await page.getByRole('heading', { level: 1 }).waitFor();
    await quiet();
    const order = await page.evaluate(() => {
      const controls = 'a[href], button, input, select, textarea, summary, video, [tabindex="0"]';
      const all = [...document.querySelectorAll<HTMLElement>(controls)].filter(
        (node) =>
          node.checkVisibility() && !(node instanceof HTMLInputElement && node.type === 'hidden'),
      );
      for (const [index, node] of all.entries()) node.dataset.stop = String(index);
      return all.length;
    });
    const stops: number[] = [];
    const unseen: string[] = [];
    for (let presses = 0; presses < 3 * order; presses += 1) {
      await page.keyboard.press('Tab');
      const { stop, isSeen, html } = await page.evaluate(() => {
        const node = document.activeElement as HTMLElement;
        const { outlineStyle, outlineWidth } = getComputedStyle(node);
        const { width, height } = node.getBoundingClientRect();
        // Of a date or a film, the browser itself marks the part that has the focus.
        const isPart = node.getAttribute('type') === 'date' || !node.matches(':focus');
        const isOutlined = outlineStyle !== 'none' && outlineWidth !== '0px';
        const isSeen = (isPart || isOutlined) && width * height > 0;
        return { stop: node.dataset.stop, isSeen, html: node.outerHTML.slice(0, 120) };
      });
      if (stop === undefined) continue;
      if (!isSeen) unseen.push(html);
      if (stop === '0' && stops.length > 0) break;
      if (stops.at(-1) !== Number(stop)) stops.push(Number(stop));
    }
    expect(unseen).toEqual([]);
    expect(stops).toEqual(Array.from({ length: order }, (_, index) => index));
  },
);

test('a dialog keeps the focus inside, and gives it back', async () => {
  const page = await stage().open('/settings/labels');
  const row = page.getByRole('row').filter({ hasText: 'second' });
  const remove = row.getByRole('button', { name: 'Delete' });
  for (const leave of ['Escape', 'Cancel']) {
    await remove.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    for (let presses = 0; presses < 5; presses += 1) {
      await page.keyboard.press('Tab');
      const isOutside = await page.evaluate(() => {
        const at = document.activeElement;
        return at !== document.body && at?.closest('dialog') === null;
      });
      expect(isOutside).toBe(false);
    }
    if (leave === 'Escape') await page.keyboard.press('Escape');
    else await dialog.getByRole('button', { name: leave }).press('Enter');
    await dialog.waitFor({ state: 'detached' });
    expect(await remove.evaluate((node) => node === document.activeElement)).toBe(true);
  }
});

test('after a deletion the focus is where the row was', async () => {
  const page = await stage().open('/settings/labels');
  for (const name of ['second', 'first']) {
    const row = page.getByRole('row').filter({ hasText: name });
    await row.getByRole('button', { name: 'Delete' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter');
    await row.waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toContain('Labels');
    // Not at the top of the page: the next stop is behind it.
    await page.keyboard.press('Shift+Tab');
    expect(await focused(page)).not.toBe('Skip to content');
  }
});

test('a button that is busy or has done its work keeps the focus', async () => {
  const page = await stage().open('/settings/suspects');
  const accept = page.getByRole('button', { name: 'Accept' });
  await accept.press('Enter');
  await page.getByRole('cell', { name: 'Counts' }).waitFor();
  expect(await accept.getAttribute('aria-disabled')).toBe('true');
  expect(await focused(page)).toMatch(/^Accept: .+/);
  await page.keyboard.press('Tab');
  expect(await focused(page)).not.toBe('Skip to content');
});

test('a filter is set and taken away, and the focus stays near', async () => {
  const page = await stage().open('/');
  await page.getByRole('link', { name: 'Windows', exact: true }).press('Enter');
  const chip = page.getByRole('button', { name: 'Remove this filter: Systems: Windows' });
  await chip.waitFor();
  expect(await focused(page)).toBe('Windows');
  await chip.press('Enter');
  await chip.waitFor({ state: 'detached' });
  await page.waitForURL((url) => !url.searchParams.has('filters'));
  await expect.poll(() => focused(page)).not.toBe('');
});

test('a chart is read with the arrow keys', async () => {
  const page = await stage().open('/?period=7d');
  const chart = page.getByRole('slider', { name: 'Plays over time' });
  await expect.poll(() => chart.getAttribute('aria-valuemax')).toBe('6');
  await chart.focus();
  await page.keyboard.press('End');
  const last = await chart.getAttribute('aria-valuetext');
  const panel = page.getByRole('region', { name: 'Plays over time' });
  await panel.getByText('Show as table').click();
  const cells = panel.locator('tbody tr').last().locator('th, td');
  const [day, plays, before] = await cells.allTextContents();
  const dayBefore = createFormats('en-US').time(addDays(todayIn('UTC'), -7), 'date', 'long');
  expect(last).toBe(`${day}: ${plays}, ${dayBefore}: ${before}`);
  await chart.focus();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  expect(await chart.getAttribute('aria-valuenow')).toBe('5');
  expect(await chart.getAttribute('aria-valuetext')).not.toBe(last);
  await page.keyboard.press('Home');
  expect(await chart.getAttribute('aria-valuenow')).toBe('0');
});

test('the link past the frame leads into the page', async () => {
  const page = await stage().open('/library');
  await page.getByRole('heading', { level: 1, name: 'Library' }).waitFor();
  await page.keyboard.press('Tab');
  expect(await focused(page)).toBe('Skip to content');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  const isInPage = () => page.evaluate(() => document.activeElement?.closest('#main') !== null);
  expect(await isInPage()).toBe(true);
});
