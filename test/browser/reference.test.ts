/** The reference in a real browser, under the policy that the server sends with it. */
import { expect, test } from 'vitest';
import { describeInterface, listRoutes } from '../../src/http/app.ts';
import type { Page } from '../support/browser.ts';
import type { TestAccount, TestService } from '../support/service.ts';
import { expectAccessible } from './dashboard.ts';
import { expectRoom } from './page-layout.ts';
import { useDashboard } from './use-dashboard.ts';

const pages = [
  '/docs',
  '/docs/statistics',
  '/docs/video-information',
  '/docs/collecting',
  '/docs/account',
  '/docs/shares',
  '/docs/alerts-and-reports',
  '/docs/api-keys',
  '/docs/signed-views',
  '/docs/folders',
  '/docs/videos',
  '/docs/packages',
  '/docs/dashboard',
  '/docs/service',
  '/docs/errors',
];

let service: TestService;
let account: TestAccount;
const stage = useDashboard(async (prepared) => {
  ({ service, account } = prepared);
});

async function openReference(path = '/docs') {
  const visit = await stage().visit();
  await visit.page.goto(path);
  return visit;
}

const pathOf = (page: Page) => page.url().slice(service.url.length);

async function shownOperations(page: Page) {
  return page.locator('.operation').evaluateAll((articles) => articles.map(({ id }) => id));
}

test('shows every operation, from this server alone and within its policy', async () => {
  const { page, complaints, asked } = await openReference();
  expect(pathOf(page)).toBe('/docs');
  const links = await page
    .locator('.contents-list a[href^="/docs"]')
    .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
  expect(links.filter((link) => link !== '/docs#guides')).toEqual(pages);
  const shown: string[] = [];
  for (const link of links) {
    await page.goto(service.url + link);
    shown.push(...(await shownOperations(page)));
  }
  const { paths } = await describeInterface();
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  expect(shown.toSorted()).toEqual(operations.map(({ operationId }) => operationId).toSorted());
  expect(complaints).toEqual([]);
  expect([...asked]).toEqual([service.url]);
});

async function expectForEverybody(paths: readonly string[]): Promise<void> {
  const { page } = await openReference();
  for (const path of paths) {
    await page.goto(path);
    await expectAccessible(page, path);
    await expectRoom(page, path);
  }
}

const typicalPages = ['/docs', '/docs/statistics'];
test.each(typicalPages)('%s has no accessibility violation, and room on every screen', (path) =>
  expectForEverybody([path]),
);

test('nor has any other page', { tags: 'long' }, () =>
  expectForEverybody(pages.filter((path) => !typicalPages.includes(path))),
);

test.each([
  { words: 'plays hour', found: '/docs/statistics#statisticsByHour' },
  {
    words: 'platformVersion',
    found: '/docs/collecting#sendBeacons.body.beacons.platformVersion',
  },
  { words: 'searchItem', found: '/docs/video-information#folderVideos.searchItem' },
  { words: 'token_expired', found: '/docs/errors#TOKEN_EXPIRED' },
  { words: 'unknown_video', found: '/docs/errors#UNKNOWN_VIDEO' },
])('searches "$words" by the keyboard alone', async ({ words, found }) => {
  const { page, complaints } = await openReference('/docs/service');
  await page.keyboard.press('/');
  await page.keyboard.type(words);
  await page.locator('.search li').first().waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(service.url + found);
  await page.locator(':target').waitFor();
  expect(complaints).toEqual([]);
});

test('the search announces how much it found, and has no accessibility violation', async () => {
  const { page } = await openReference();
  const status = page.getByRole('search').getByRole('status');
  await page.locator('#search').fill('pageSize');
  await status.filter({ hasText: /^\d+ results/ }).waitFor();
  await expectAccessible(page);
  await page.locator('#search').fill('xylophone');
  await status.filter({ hasText: 'Nothing found' }).waitFor();
  await page.keyboard.press('Escape');
  await status.filter({ hasText: /^$/ }).waitFor({ state: 'hidden' });
});

test('tries an operation with a key that is never shown nor stored', async () => {
  const { page } = await openReference('/docs/statistics');
  const operation = page.locator('#statisticsByDate');
  const form = operation.locator('form.try');
  const status = form.getByRole('status');
  await form.locator('button').click();
  await status.filter({ hasText: '401' }).waitFor();
  await page.locator('#key').fill(account.key);
  await form.locator('button').click();
  await status.filter({ hasText: '200' }).waitFor();
  expect(await form.locator('code').textContent()).toContain('"isSuccess": true');

  expect(await page.locator('#key').getAttribute('type')).toBe('password');
  expect(await page.locator('html').textContent()).not.toContain(account.key);
  const curl = await operation.locator('.curl code').textContent();
  expect(curl).toContain(`${service.url}/report/statistics/video/v1/info/date?sdate=`);
  const kept = await page.evaluate(() =>
    JSON.stringify([localStorage, sessionStorage, history.state]),
  );
  expect(kept).toBe('[{},{},null]');
  expect(page.url()).toBe(`${service.url}/docs/statistics`);
});

test('sends the key to no other server', async () => {
  const { page, asked } = await openReference('/docs/statistics');
  const form = page.locator('#statisticsByDate form.try');
  await page.locator('#key').fill(account.key);
  await form.locator('input').fill('//example.com/');
  await form.locator('button').click();
  await form.getByRole('status').filter({ hasText: 'Only URLs of this server' }).waitFor();
  expect([...asked]).toEqual([service.url]);
});

test.each([
  { anchor: '/docs#sendBeacons', page: '/docs/collecting#sendBeacons' },
  { anchor: '/docs#errors', page: '/docs/errors' },
])('$anchor of the former single page leads to $page', async ({ anchor, page: path }) => {
  const { page } = await openReference(anchor);
  await page.waitForURL(service.url + path);
});

test('a page that is not there is 404', async () => {
  const response = await fetch(`${service.url}/docs/elsewhere`);
  expect(response.status).toBe(404);
});

test('what is not described is for people and their browsers', async () => {
  const { others } = await listRoutes();
  const pages =
    /^\/$|^\/(docs|watch|watch-assets|content|dashboard-assets|now|library|videos|settings|shared)(\/|$)|^\/tracker\.m?js$/;
  expect([...others].filter((path) => !pages.test(path))).toEqual([]);
});

test('the document is served as it is committed', async () => {
  const response = await service.request('/openapi.json');
  expect(await response.json()).toEqual(JSON.parse(JSON.stringify(await describeInterface())));
});
