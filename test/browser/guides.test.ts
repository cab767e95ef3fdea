/** The documentation at /docs in a real browser: all of docs/, every link alive, readable by all. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeInterface, listRoutes } from '../../src/http/app.ts';
import {
  type Guide,
  referenceOverview,
  shelvesIn,
  singleDecisions,
} from '../../src/http/pages/guide-list.ts';
import { sayIn } from '../../src/http/pages/messages/messages.ts';
import { expectAccessible } from './dashboard.ts';
import { expectRoom, extremeScreens } from './page-layout.ts';
import { useDashboard } from './use-dashboard.ts';

const root = join(import.meta.dirname, '../..');
const guides = shelvesIn(sayIn('en')).flatMap((shelf) => shelf.guides);
const overview = { file: referenceOverview, href: '/docs', name: 'Overview', about: '' };

const stage = useDashboard();

test('every page of docs/ is a guide, and every guide exists', () => {
  const written = ['docs', 'docs/reference'].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  );
  const listed = [overview, ...guides].map(({ file }) => file);
  expect(listed).toEqual(expect.arrayContaining(written));
  expect(guides.filter(({ file }) => !existsSync(join(root, file)))).toEqual([]);
});

test('every link and picture of every guide is answered, and every part that is linked exists', async () => {
  const pages = new Map<string, string>();
  const read = async (path: string): Promise<string> => {
    const known = pages.get(path);
    if (known !== undefined) return known;
    const answer = await fetch(stage().service.url + path);
    const text = answer.ok ? await answer.text() : '';
    pages.set(path, text);
    return text;
  };
  const dead: string[] = [];
  for (const { href } of [overview, ...guides, ...singleDecisions()]) {
    const text = await read(href);
    const linked = [...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link = '']) => link);
    for (const link of new Set(linked)) {
      if (/^(?:https?|mailto):/.test(link)) continue;
      const { pathname, hash } = new URL(link, stage().service.url + href);
      const page = await read(pathname);
      const id = decodeURIComponent(hash.slice(1));
      if (page === '' || (id !== '' && !page.includes(`id="${id}"`))) dead.push(`${href}: ${link}`);
    }
  }
  expect(dead).toEqual([]);
});

async function expectForEverybody(
  pages: readonly Guide[],
  { isEveryday }: { readonly isEveryday: boolean },
): Promise<void> {
  const page = await stage().browser.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  for (const { href } of pages) {
    await page.goto(stage().service.url + href);
    await expectAccessible(page, href, isEveryday ? ['light'] : ['dark', 'light']);
    await expectRoom(page, href, isEveryday ? extremeScreens : undefined);
  }
  expect(complaints).toEqual([]);
  await page.close();
}

test('the overview and a guide have no accessibility violation, and room', () =>
  expectForEverybody([overview, ...guides.slice(0, 1)], { isEveryday: true }));

test('the overview leads to every operation, on a page that shows it', async () => {
  const overview = await (await fetch(`${stage().service.url}/docs`)).text();
  const { paths } = await describeInterface();
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { tags, summary }] of Object.entries(methods)) {
      const link = new RegExp(
        `<a href="([^"#]+)#([^"]+)">${RegExp.escape(summary)}</a>: ` +
          `<code>${method.toUpperCase()} ${RegExp.escape(path)}</code>`,
      );
      const [, page = '', anchor] = link.exec(overview) ?? [];
      expect(page, summary).toBe(`/docs/${tags[0]?.toLowerCase().replaceAll(' ', '-')}`);
      expect(await (await fetch(stage().service.url + page)).text()).toContain(
        `<h2 id="${anchor}">`,
      );
    }
  }
});

test.for([overview, ...guides, ...singleDecisions()])(
  '$href has no accessibility violation in either theme, and room on every screen',
  { tags: 'long' },
  (guide) => expectForEverybody([guide], { isEveryday: false }),
);

test('the search finds a part of a guide, and a page leads on to the next', async () => {
  const page = await stage().browser.newPage();
  await page.goto(`${stage().service.url}/docs`);
  await page.getByRole('searchbox').fill('wal-g nginx networks');
  await expect.poll(() => page.getByRole('status').innerText()).toBe('Nothing found');
  await page.getByRole('searchbox').fill('which keys are secret');
  await page.locator('.search a').first().click();
  await expect
    .poll(() => page.url())
    .toBe(`${stage().service.url}/docs/guide/start#which-keys-are-secret`);
  expect(await page.locator('h1').innerText()).toBe('Playmeter');
  await page.getByRole('link', { name: 'Questions', exact: true }).first().click();
  await expect.poll(() => page.url()).toBe(`${stage().service.url}/docs/guide/questions`);
  await page.close();
});

test('the search is used by the keyboard alone', { tags: 'long' }, async () => {
  const [words, found] = ['token_expired', '/docs/errors#token_expired'];
  const page = await stage().browser.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  await page.goto(`${stage().service.url}/docs/service`);
  await page.keyboard.press('/');
  await page.keyboard.type(words);
  const links = page.locator('.search a');
  await links.first().waitFor();
  const hrefs = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')));
  expect(hrefs.slice(0, 5)).toContain(found);
  for (let step = 0; step <= hrefs.indexOf(found); step += 1)
    await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(stage().service.url + found);
  await page.locator(':target').waitFor();
  expect(complaints).toEqual([]);
  await page.close();
});

test('the search announces how much it found, and has no accessibility violation', {
  tags: 'long',
}, async () => {
  const page = await stage().browser.newPage();
  await page.goto(`${stage().service.url}/docs`);
  const status = page.getByRole('search').getByRole('status');
  await page.locator('#search').fill('pageSize');
  await status.filter({ hasText: /^\d+ results/ }).waitFor();
  await expectAccessible(page);
  await page.locator('#search').fill('xylophone');
  await status.filter({ hasText: 'Nothing found' }).waitFor();
  await page.keyboard.press('Escape');
  await status.filter({ hasText: /^$/ }).waitFor({ state: 'hidden' });
  await page.close();
});

test('what is not described is for people and their browsers', async () => {
  const { others } = await listRoutes();
  const pages =
    /^\/$|^\/(docs|watch|watch-assets|content|dashboard-assets|now|service|quality|library|videos|settings|me|shared)(\/|$)|^\/(?:tracker|play)(?:\.es2015)?\.m?js$|^\/session\/oidc$|^\/favicon\.ico$/;
  expect([...others].filter((path) => !pages.test(path))).toEqual([]);
});

test('the document is served as it is committed', async () => {
  const response = await stage().service.request('/openapi.json');
  expect(await response.json()).toEqual(JSON.parse(JSON.stringify(await describeInterface())));
});

test.each([
  '/docs/elsewhere',
  '/docs/guide/none',
  '/docs/guide/decisions/none',
  '/docs/pictures/none.png',
])('%s is not found', async (path) => {
  expect((await fetch(stage().service.url + path)).status).toBe(404);
});
