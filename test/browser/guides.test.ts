/** The guides at /docs/guide in a real browser: all of docs/, every link alive, readable by all. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Guide, shelvesIn, singleDecisions } from '../../src/http/pages/guide-list.ts';
import { sayIn } from '../../src/http/pages/messages/messages.ts';
import { expectAccessible } from './dashboard.ts';
import { expectRoom } from './page-layout.ts';
import { useDashboard } from './use-dashboard.ts';

const root = join(import.meta.dirname, '../..');
const guides = shelvesIn(sayIn('en')).flatMap((shelf) => shelf.guides);
/** Generated, and shown by the reference. */
const ofReference = ['docs/errors.md'];

const stage = useDashboard();

test('every page of docs/ is a guide, and every guide exists', () => {
  const written = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
  const listed = [...guides.map(({ file }) => file), ...ofReference];
  expect(listed).toEqual(expect.arrayContaining(written.map((name) => `docs/${name}`)));
  expect(guides.filter(({ file }) => !existsSync(join(root, file)))).toEqual([]);
});

test('every link and picture of every guide is answered, and every part that is linked exists', async () => {
  const { service } = stage();
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
  const { page, complaints } = await stage().visit();
  for (const { href } of pages) {
    await page.goto(href);
    await expectAccessible(page, href);
    await expectRoom(page, href);
  }
  expect(complaints).toEqual([]);
}

test('a guide has no accessibility violation, and room on every screen', () =>
  expectForEverybody(guides.slice(0, 1)));

test('nor has any other, or a decision, each on a page of its own', { tags: 'long' }, () =>
  expectForEverybody([...guides.slice(1), ...singleDecisions()]),
);

test('the search finds a part of a guide, and a page leads on to the next', async () => {
  const { page } = await stage().visit();
  const { service } = stage();
  await page.goto('/docs');
  await page.getByRole('searchbox').fill('wal-g nginx networks');
  await expect.poll(() => page.getByRole('status').innerText()).toBe('Nothing found');
  await page.getByRole('searchbox').fill('which keys are secret');
  await page.locator('.search a').first().click();
  await expect.poll(() => page.url()).toBe(`${service.url}/docs/guide/start#which-keys-are-secret`);
  expect(await page.locator('h1').innerText()).toBe('Playmeter');
  await page.getByRole('link', { name: 'Questions', exact: true }).first().click();
  await expect.poll(() => page.url()).toBe(`${service.url}/docs/guide/questions`);
});

test.each(['/docs/guide/none', '/docs/guide/decisions/none', '/docs/pictures/none.png'])(
  '%s is not found',
  async (path) => {
    expect((await fetch(stage().service.url + path)).status).toBe(404);
  },
);
