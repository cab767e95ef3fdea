/**
 * Every page of the dashboard for everybody: axe in both themes, room on screens from the smallest to
 * the largest in both languages, and still where the reader wants no motion.
 */
import { describe, expect, test } from 'vitest';
import { findContentFolder } from '../../src/app/own-urls.ts';
import { placeClip } from '../../src/import/clip-file.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import type { Page } from '../support/browser.ts';
import { addShare, expectAccessible, moving } from './dashboard.ts';
import { expectRoom, extremeScreens } from './page-layout.ts';
import { useDashboard } from './use-dashboard.ts';

/** More than a card shows, so that there is "show all". */
const filmCount = 9;
const dayMs = 86_400_000;

let film = '';
let shared = '';
let sharedOverview = '';
let folderId = 0;
let packageId = 0;
const stage = useDashboard(async ({ service, account }) => {
  const { accountId, key } = account;
  const { catalog } = service;
  packageId = await account.addPackage();
  const at = new Date(Date.now() - dayMs).toISOString();
  const plays: object[] = [];
  accepted(await catalog.labels.create(accountId, 'series'));
  for (let index = 0; index < filmCount; index += 1) {
    film = await account.addVideo();
    await account.publish(packageId, film);
    accepted(
      await catalog.videos.change(accountId, film, { title: `Film ${index}`, durationMs: 12_000 }),
    );
    const view = { view: `view-${index}`, stretch: 0, playMs: 5_000, position: 0, mediaMs: 5_000 };
    plays.push({
      ...{ ...view, at, accessKey: film, packageId, userAgent: 'Windows NT 10.0' },
      labels: { series: 'first' },
    });
    plays.push({
      ...{ view: view.view, wait: 0, at, waitMs: 900, cause: 'start', outcome: 'played' },
      ...{ accessKey: film, packageId, userAgent: 'Windows NT 10.0' },
    });
  }
  const found = await catalog.videos.find(accountId, film);
  folderId = found?.folderId ?? 0;
  await placeClip(findContentFolder(service.config), found?.videoId ?? 0);
  expect((await service.send(plays, { 'x-api-key': key })).status).toBe(200);
  // What the ledger, the suspects and the list of a label have rows of.
  const unsigned = accepted(
    await catalog.packages.create(accountId, {
      ...{ packageName: 'Unsigned', packageType: 'VOD', signing: 'prefer' },
    }),
  );
  const videoKey = await account.publish(unsigned.packageId, film);
  const apart = { view: 'apart', stretch: 0, at, playMs: 5_000, videoKey };
  const agent = 'Mozilla/5.0 (Windows NT 10.0)';
  expect((await service.send([apart], { 'user-agent': agent })).status).toBe(200);
  expect((await service.send([apart], { 'user-agent': 'Googlebot/2.1' })).status).toBe(200);
  await service.facts.rollUp();
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const made = { method: 'POST', headers, body: '{}' };
  expect((await service.request('/manage/v1/signing-keys', made)).status).toBe(201);
  shared = await addShare(service, accountId, film);
  sharedOverview = await addShare(service, accountId);
});

interface Look {
  readonly path: () => string;
  /** In whatever language; the page is then as it is looked at. */
  readonly open?: (page: Page) => Promise<unknown>;
}

const dialog = (page: Page) => page.locator('dialog[open]');
const press = (selector: string) => async (page: Page) => {
  await page.locator(selector).first().click();
  await dialog(page).waitFor();
};

/** Also what the charts show, as tables. */
async function explain(page: Page): Promise<void> {
  await page.locator('.explain').first().waitFor();
  // Of the figures above, one is explained at a time.
  for (const one of (await page.locator('.figures .explain').all()).slice(-1)) await one.click();
  for (const one of await page.locator('.panel .explain').all()) await one.click();
  for (const menu of await page.locator('.panel-menu').all()) {
    await menu.locator('.menu-button').click();
    const about = menu.getByRole('button', { name: 'About: ' });
    if ((await about.count()) > 0) await about.click();
  }
  await page.locator('.about p').first().waitFor();
  for (const one of await page.locator('.table-of summary').all()) await one.click();
}

async function searchAll(page: Page): Promise<void> {
  await press('.more')(page);
  await dialog(page).getByRole('searchbox').fill('fil');
  await dialog(page).locator('tbody tr').nth(filmCount).waitFor({ state: 'detached' });
  await dialog(page).locator('tbody tr').first().waitFor();
}

/** Reported as running for minutes to come, so that it still does when axe looks. */
async function watchNow(page: Page): Promise<void> {
  const { service, account } = stage();
  const [view, at] = [`now-${Date.now()}`, new Date(Date.now() - 60_000).toISOString()];
  const running = { view, stretch: 0, at, accessKey: film, packageId, playMs: 340_000 };
  const beacon = { ...running, userAgent: 'Windows NT 10.0' };
  const sent = await service.send([beacon], { 'x-api-key': account.key });
  expect(await sent.json()).toEqual({ accepted: 1, rejected: [] });
  await page.locator('.rows .row').first().waitFor();
  await explain(page);
}

/** With what is filtered by marked in its list. */
async function findChosen(page: Page): Promise<void> {
  await page.locator('.filters li.chip').nth(1).waitFor();
  await page.locator('.row-name[aria-current]').first().waitFor();
}

async function importBadly(page: Page): Promise<void> {
  const csv = 'cid,title,duration\nwrong-1,Wrong,soon\n';
  const file = { name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) };
  await press('.page-controls button:nth-last-of-type(2)')(page);
  await page.locator('.import input[type=file]').setInputFiles(file);
  await page.locator('.import tbody tr').waitFor();
}

async function share(page: Page): Promise<void> {
  await press('.page-controls > button')(page);
  await dialog(page).locator('form button.primary').click();
  await dialog(page).locator('code').first().waitFor();
}

/** The other decision than the last one, so that it may be done again. */
async function decide(page: Page): Promise<void> {
  const choices = (state: string) => page.locator(`td .actions button${state}`);
  await choices(':not([aria-disabled=true])').first().click();
  await expect.poll(() => choices('[aria-disabled=true]').count()).toBe(1);
}

async function makeKey(page: Page): Promise<void> {
  await page.locator('#keyName').fill('Nightly');
  await press('form button.primary')(page);
  await dialog(page).locator('code').waitFor();
}

const day = (before: number) => new Date(Date.now() - before * dayMs).toISOString().slice(0, 10);
const settings = [
  ...['keys', 'packages', 'labels', 'shares', 'alerts', 'ledger', 'suspects', 'audit', 'nowhere'],
];
const looks: Readonly<Record<string, Look>> = {
  'the overview, explained': { path: () => '/', open: explain },
  'all rows, searched': { path: () => '/', open: searchAll },
  'the dialog of a share': { path: () => '/', open: press('.page-controls > button') },
  'a share that was made': { path: () => '/', open: share },
  'filters, one of them turned round': {
    path: () => '/?filters=os%3D%3DWindows%3Bcountry!%3DKR',
    open: findChosen,
  },
  'days that somebody chose': {
    path: () => `/?period=custom&from=${day(9)}&to=${day(0)}`,
    open: (page) => page.locator('.dates input').last().waitFor(),
  },
  'what plays now': { path: () => '/now', open: watchNow },
  'quality, explained': { path: () => '/quality', open: explain },
  'a video, compared': {
    path: () => `/videos/${film}`,
    open: async (page) => {
      await page.locator('.retention .panel-head select').last().selectOption({ index: 1 });
      await page.locator('.retention .key-second').waitFor();
      await page.locator('section:has(.chart-legend) select').selectOption({ index: 1 });
      await page.locator('.chart-legend .key-second').waitFor();
      await explain(page);
    },
  },
  'the library, with an import': { path: () => '/library', open: importBadly },
  'a video of the library': { path: () => '/library', open: press('td > button') },
  'a video that is added': { path: () => '/library?add=1', open: (page) => dialog(page).waitFor() },
  'a new folder': { path: () => '/library', open: press('.page-controls button') },
  'another name of a folder': {
    path: () => `/library?folder=${folderId}`,
    open: press('.page-controls button:nth-of-type(2)'),
  },
  'the account': { path: () => '/settings' },
  'a key that was made': { path: () => '/settings/keys', open: makeKey },
  'another name of a key': { path: () => '/settings/keys', open: press('td .actions button') },
  'a suspect that was decided': { path: () => '/settings/suspects', open: decide },
  'signing keys': { path: () => '/settings/signing' },
  'a signing key that goes': {
    path: () => '/settings/signing',
    open: press('td .actions button'),
  },
  'another name of a label': { path: () => '/settings/labels', open: press('td .actions button') },
  'a shared video': { path: () => shared, open: explain },
  'a shared overview': { path: () => sharedOverview, open: explain },
  'a share that is none': { path: () => '/shared/nobody#nothing' },
  ...Object.fromEntries(settings.map((part) => [part, { path: () => `/settings/${part}` }])),
};

// A fault in Chromium itself says nothing of the pages: it ended once by a null pointer of its own.
const ofBrowser = { retry: { count: 1, condition: /Target crashed/ } };

interface Judged {
  readonly locale: string;
  readonly width: number;
  readonly judge: (page: Page) => Promise<void>;
  /** Default: all screens. */
  readonly seenOn?: typeof extremeScreens | undefined;
}

async function visit(name: string, { locale, width, judge, seenOn }: Judged): Promise<void> {
  const { page, complaints, quiet } = await stage().visitAsOwner({ locale });
  const { path, open } = looks[name] ?? expect.fail(`no page is named ${name}`);
  await page.setViewportSize({ width, height: 900 });
  await page.goto(path());
  await page.getByRole('heading', { level: 1 }).waitFor();
  await open?.(page);
  await quiet();
  await judge(page);
  await expectRoom(page, `${name}, in ${locale}`, seenOn);
  await page.context().close();
  // The browser notes that the share that is none is refused.
  expect(complaints.filter((text) => !text.includes('401'))).toEqual([]);
}

/** One of each kind of page; `npm run test:all` judges all. */
const everyday = ['the overview, explained', 'the library, with an import'];

describe.each(Object.keys(looks))('%s', (name) => {
  const isEveryday = everyday.includes(name);
  const tags: 'long'[] = isEveryday ? [] : ['long'];
  test('is for everybody, and has room', { ...ofBrowser, tags }, () =>
    visit(name, {
      ...{ locale: 'en-US', width: 1440, seenOn: isEveryday ? extremeScreens : undefined },
      async judge(page) {
        await expectAccessible(page);
        expect(await moving(page)).toEqual([]);
      },
    }),
  );

  test(
    'has room on every screen in Korean, and colours to be read in the dark',
    { ...ofBrowser, tags: 'long' },
    () =>
      visit(name, {
        ...{ locale: 'ko-KR', width: 360 },
        async judge(page) {
          await expectAccessible(page, name, ['dark']);
        },
      }),
  );
});

test('what is loading moves only where motion is wanted', { tags: 'long' }, async () => {
  const found: string[][] = [];
  for (const reducedMotion of ['no-preference', 'reduce'] as const) {
    const { page } = await stage().visitAsOwner({ reducedMotion });
    await page.goto('/');
    const panel = page.locator('section').first();
    await panel.waitFor();
    // The page takes the mark away from what has been loaded.
    await expect.poll(() => page.locator('[aria-busy="true"]').count()).toBe(0);
    await panel.evaluate((section) => section.setAttribute('aria-busy', 'true'));
    found.push(await moving(page));
  }
  const [wanted = [], unwanted] = found;
  expect(wanted).toContain('section');
  expect(unwanted).toEqual([]);
});
