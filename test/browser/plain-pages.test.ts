/** /docs and /watch in the reader's language, as the browser asks for it or as it was chosen. */
import { expect, test } from 'vitest';
import { shelvesIn } from '../../src/http/pages/guide-list.ts';
import { sayIn } from '../../src/http/pages/messages/messages.ts';
import { expectAccessible, moving } from './dashboard.ts';
import { expectRoom } from './page-layout.ts';
import { useDashboard } from './use-dashboard.ts';

const stage = useDashboard();
const korean = { locale: 'ko-KR' };
const guides = shelvesIn(sayIn('ko')).flatMap((shelf) => shelf.guides.map(({ href }) => href));

test('the frame of the documentation speaks Korean, and says that the texts do not', async () => {
  const { page, complaints } = await stage().visit(korean);
  await page.goto('/docs');
  expect(await page.getAttribute('html', 'lang')).toBe('ko');
  await page.getByRole('heading', { level: 1, name: 'Playmeter 문서' }).waitFor();
  await page.getByText('레퍼런스의 설명은 영어로만 제공됩니다').waitFor();
  const places = page.getByRole('navigation', { name: '페이지' }).getByRole('link');
  expect((await places.allTextContents()).map((text) => text.trim())).toEqual([
    ...['개요', '실시간', '품질', '라이브러리', '설정'],
  ]);
  const unsaid = page.locator('.contents-list a, .guides li').filter({ hasNotText: /[가-힣]/ });
  expect(await unsaid.count()).toBe(0);
  await expectRoom(page, '/docs');
  expect(await moving(page)).toEqual([]);

  await page.getByRole('searchbox').fill('대시보드');
  await page.getByRole('status').filter({ hasText: '결과' }).waitFor();
  await page.getByRole('searchbox').fill('xylophone');
  await page.getByRole('status').filter({ hasText: '검색 결과 없음' }).waitFor();
  await page.goto('/docs/guide/dashboard');
  expect(await page.getAttribute('main', 'lang')).toBe('en');
  await page.getByRole('navigation', { name: '문서' }).getByText('플레이어별 안내').waitFor();
  await expectAccessible(page);
  expect(complaints).toEqual([]);
});

test('every page speaks Korean around what is written in English', async () => {
  const { page, complaints } = await stage().visit(korean);
  await page.goto('/docs');
  const links = await page
    .locator('.contents-list a[href^="/docs/"]')
    .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
  const english: string[] = [];
  for (const path of [...links, '/docs/guide/decisions']) {
    await page.goto(path);
    const texts = await page.locator('body').evaluate(textsInLanguageOfPage);
    const words = texts.flatMap((text) => text.match(/[a-z]{2,}/gi) ?? []);
    english.push(...words.map((word) => `${path}: ${word}`));
  }
  const names = /: (Playmeter|API|OpenAPI|RFC|UUID|ASVS|null|English|get|post|put|patch|delete)$/;
  expect([...new Set(english)].filter((found) => !names.test(found))).toEqual([]);
  expect(links.length).toBeGreaterThan(10);

  await page.getByRole('searchbox').fill('unknown_video');
  const first = page.locator('.search li').first();
  await first.filter({ hasText: '오류' }).waitFor();
  expect(await first.locator('[lang=en]').count()).toBe(1);
  await page.getByRole('searchbox').fill('대시보드');
  const guide = page.locator('.search li').filter({ hasText: '대시보드' }).first();
  expect(await guide.locator('[lang=en]').count()).toBe(0);
  expect(complaints).toEqual([]);
});

test('in Korean each page is built as in English, where all of them are judged by axe', async () => {
  const { service } = stage();
  const read = async (path: string, language: string) =>
    (await fetch(service.url + path, { headers: { 'accept-language': language } })).text();
  const reference = /<nav class="contents-list".*?<\/nav>/s.exec(await read('/docs', 'en')) ?? [''];
  const links = [...reference[0].matchAll(/href="(\/docs\/[^"#]+)"/g)].map(([, link = '']) => link);
  expect(links.length).toBeGreaterThan(10);
  for (const path of new Set([...links, ...guides])) {
    const [english = [], other] = [await read(path, 'en'), await read(path, 'ko')].map(builtOf);
    expect(other, path).toEqual(english);
    expect(english.length, path).toBeGreaterThan(50);
  }
});

/** The elements of a page, without what is said: all that its language changes. */
function builtOf(page: string): string[] {
  const withoutNote = page.replace(/<p class="english".*?<\/p>/s, '');
  return [...withoutNote.matchAll(/<[^>]+>/g)].map(([tag]) =>
    tag
      .replaceAll(/\s(aria-label|placeholder|title|alt|data-words)="[^"]+"/g, ' $1')
      .replace(/^(<html|<main .*) lang="\w+"/, '$1'),
  );
}

test('the watch page speaks Korean, with and without a video', async () => {
  const { page } = await stage().visit(korean);
  await page.goto('/watch');
  await page.getByText('라이브러리에서 영상을 고르거나').waitFor();
  expect(await page.locator('main').innerText()).not.toMatch(/[a-z]/i);
  await expectAccessible(page);
  await expectRoom(page, '/watch');
});

test('a language that is chosen on one page holds on all of them', async () => {
  const { page } = await stage().visitAsOwner();
  await page.goto('/docs');
  await page.getByLabel('Language').selectOption('ko');
  await page.locator('html[lang=ko]').waitFor();
  await page.getByRole('heading', { level: 1, name: 'Playmeter 문서' }).waitFor();
  await page.goto('/now');
  await page.getByRole('heading', { level: 1, name: '실시간' }).waitFor();
  await page.getByLabel('언어').selectOption('en');
  await page.getByRole('heading', { level: 1, name: 'Now' }).waitFor();
  await page.goto('/watch');
  await page.getByRole('heading', { level: 1, name: 'Play a video' }).waitFor();
});

test('caches keep the languages apart', async () => {
  const { service } = stage();
  const read = (path: string, language: string) =>
    fetch(service.url + path, { headers: { 'accept-language': language } });
  for (const path of ['/docs', '/docs/search.json', '/watch']) {
    const [english, other] = [await read(path, 'en'), await read(path, 'ko')];
    expect(english.headers.get('vary')).toMatch(/accept-language, cookie/i);
    expect(await english.text()).not.toBe(await other.text());
    expect(other.headers.get('etag') ?? '-').not.toBe(english.headers.get('etag'));
  }
});

/** Whatever is read in the language of the page: code and what is marked as English is not. */
function textsInLanguageOfPage(body: Element): string[] {
  const apart = 'code, pre, kbd, script, style, input, [lang=en]';
  const texts: string[] = [];
  const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement, nodeValue } = walker.currentNode;
    if (!parentElement?.closest(apart)) texts.push(nodeValue ?? '');
  }
  for (const name of ['aria-label', 'placeholder', 'title', 'alt']) {
    for (const element of body.querySelectorAll(`[${name}]:not([lang=en] *)`)) {
      texts.push(element.getAttribute(name) ?? '');
    }
  }
  return texts;
}
