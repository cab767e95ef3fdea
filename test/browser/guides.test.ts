/** The guides at /docs/guide in a real browser: all of docs/, every link alive, readable by all. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Guide, shelvesIn, singleDecisions } from '../../src/api/guides/guide-list.ts';
import { sayIn } from '../../src/api/messages/messages.ts';
import { type Browser, startBrowser } from '../support/browser.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { expectAccessible } from './dashboard.ts';
import { expectRoom } from './page-layout.ts';

const root = join(import.meta.dirname, '../..');
const guides = shelvesIn(sayIn('en')).flatMap((shelf) => shelf.guides);
/** Generated, and shown by the reference. */
const ofReference = ['docs/errors.md'];

let service: TestService;
let browser: Browser;

beforeAll(async () => {
  service = await startTestService();
  browser = await startBrowser();
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

test('every page of docs/ is a guide, and every guide exists', () => {
  const written = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
  const listed = [...guides.map(({ file }) => file), ...ofReference];
  expect(listed).toEqual(expect.arrayContaining(written.map((name) => `docs/${name}`)));
  expect(guides.filter(({ file }) => !existsSync(join(root, file)))).toEqual([]);
});

test('every link and picture of every guide is answered, and every part that is linked exists', async () => {
  const pages = new Map<string, string>();
  const read = async (path: string): Promise<string> => {
    const known = pages.get(path);
    if (known !== undefined) return known;
    const answer = await fetch(service.url + path);
    const text = answer.ok ? await answer.text() : '';
    pages.set(path, text);
    return text;
  };
  const dead: string[] = [];
  for (const { href } of [...guides, ...singleDecisions()]) {
    const text = await read(href);
    const linked = [...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link = '']) => link);
    for (const link of new Set(linked)) {
      if (/^(?:https?|mailto):/.test(link)) continue;
      const { pathname, hash } = new URL(link, service.url + href);
      const page = await read(pathname);
      const id = decodeURIComponent(hash.slice(1));
      if (page === '' || (id !== '' && !page.includes(`id="${id}"`))) dead.push(`${href}: ${link}`);
    }
  }
  expect(dead).toEqual([]);
});

async function expectForEverybody(pages: readonly Guide[]): Promise<void> {
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  for (const { href } of pages) {
    await page.goto(service.url + href);
    await expectAccessible(page, [360], href);
    await expectRoom(page, href);
  }
  expect(complaints).toEqual([]);
  await page.close();
}

test('no guide has an accessibility violation, and each has room on every screen', () =>
  expectForEverybody(guides));

test('nor has a decision, each on a page of its own', { tags: 'long' }, () =>
  expectForEverybody(singleDecisions()),
);

test('the search finds a part of a guide, and a page leads on to the next', async () => {
  const page = await browser.newPage();
  await page.goto(`${service.url}/docs`);
  await page.getByRole('searchbox').fill('wal-g nginx networks');
  await expect.poll(() => page.getByRole('status').innerText()).toBe('Nothing found');
  await page.getByRole('searchbox').fill('which keys are secret');
  await page.locator('.search a').first().click();
  await expect.poll(() => page.url()).toBe(`${service.url}/docs/guide/start#which-keys-are-secret`);
  expect(await page.locator('h1').innerText()).toBe('Playmeter');
  await page.getByRole('link', { name: 'Questions', exact: true }).first().click();
  await expect.poll(() => page.url()).toBe(`${service.url}/docs/guide/questions`);
  await page.close();
});

test.each(['/docs/guide/none', '/docs/guide/decisions/none', '/docs/pictures/none.png'])(
  '%s is not found',
  async (path) => {
    expect((await fetch(service.url + path)).status).toBe(404);
  },
);
