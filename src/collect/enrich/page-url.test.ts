import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCharacter } from '../../../test/support/any-character.ts';
import { createUrlReader } from './page-url.ts';

const read = createUrlReader();

test.each([
  ['https://www.example.com/lessons/3', 'www.example.com', 'www.example.com/lessons/3'],
  ['https://www.example.com/lessons/3/', 'www.example.com', 'www.example.com/lessons/3/'],
  ['https://www.example.com', 'www.example.com', 'www.example.com/'],
  ['HTTPS://user:secret@WWW.Example.com:443/A?token=x#y', 'www.example.com', 'www.example.com/A'],
  ['http://example.com:80/a#?b', 'example.com', 'example.com/a'],
  ['http://example.com:8080/a?', 'example.com:8080', 'example.com:8080/a'],
  ['https://example.com?a/b', 'example.com', 'example.com/'],
  ['https://bücher.example/é', 'xn--bcher-kva.example', 'xn--bcher-kva.example/%C3%A9'],
  ['https://xn--bcher-kva.example/%C3%A9', 'xn--bcher-kva.example', 'xn--bcher-kva.example/%C3%A9'],
  ['https://example.com/%ed%95%9c%5f%2d%7E/%4a', 'example.com', 'example.com/%ED%95%9C_-~/J'],
  ['https://example.com/%2f%3f%23%2520%e', 'example.com', 'example.com/%2F%3F%23%2520%e'],
  ['https://example.com/a/../b', 'example.com', 'example.com/b'],
  ['https://example.com\\a\tb\n', 'example.com', 'example.com/ab'],
  ['http://[2001:DB8::1]/a', '[2001:db8::1]', '[2001:db8::1]/a'],
  ['file://server/lesson.html', '', ''],
  ['https://example.com/%', 'example.com', 'example.com/%'],
  [`https://${'a.'.repeat(130)}`, 'a.'.repeat(130), `${'a.'.repeat(130)}/`],
  [`https://${'a.'.repeat(130)}a`, '', ''],
  ['/lessons/3', '', ''],
  ['www.example.com/lessons', '', ''],
  ['https://', '', ''],
  ['https://exa mple.com/', '', ''],
  ['file:///home/somebody/lesson.html', '', ''],
  ['javascript:alert(1)', '', ''],
  ['data:text/html,x', '', ''],
  [`https://${'a.'.repeat(131)}`, '', ''],
  ['', '', ''],
  [undefined, '', ''],
])('%j: host %j, page %j', (url, host, page) => {
  expect(read(url)).toEqual({ host, page, referrer: host });
  expect(read(url)).toEqual({ host, page, referrer: host });
});

test.each([
  ['android-app://Com.Example.App/https/x', 'com.example.app'],
  [`android-app://com.example.app/${'a'.repeat(5_000)}`, 'com.example.app'],
  ['android-app://a b/', ''],
  ['android-app://1a/', ''],
  ['android-app://com.a-b/', ''],
])('an app leads to a page, and is none: %s', (url, referrer) => {
  expect(read(url)).toEqual({ host: '', page: '', referrer });
});

const long = 'a'.repeat(5_000);
test.each([
  [`https://example.com/b?${long}`, 'example.com', 'example.com/b'],
  [`https://example.com/b#${long}`, 'example.com', 'example.com/b'],
  [`https://example.com/${long}?b`, 'example.com', `example.com/${'a'.repeat(500)}`],
  [`https://example.com\\${long}`, 'example.com', `example.com/${'a'.repeat(500)}`],
  [`https://me:secret@example.com/${long}`, 'example.com', `example.com/${'a'.repeat(500)}`],
  ['https://secret'.padEnd(5_000, '\t').concat('@example.com/'), '', ''],
  ['https://secret:'.padEnd(5_000, '0').concat('1@example.com/'), '', ''],
  ['https:///'.padEnd(5_000, '/').concat('secret@example.com/'), '', ''],
  [`https://${long}`, '', ''],
  [long, '', ''],
])('%#: only the path of a long URL is cut', (url, host, page) => {
  expect(read(url)).toEqual({ host, page, referrer: host });
});

test('a long page is cut, but not within a character', () => {
  const pages = ['a', 'é', '한', '😀', 'aé'].flatMap((character) =>
    Array.from({ length: 12 }, (_, before) => {
      return read(`https://example.com/${'b'.repeat(before)}${character.repeat(600)}`).page;
    }),
  );
  for (const page of pages) {
    expect(page.length).toBeLessThanOrEqual(512);
    expect(page.length).toBeGreaterThan(500);
    expect(() => decodeURI(page)).not.toThrow();
  }
  expect(read(`https://example.com/${'%FF'.repeat(400)}`).page).toHaveLength(507);
  const longest = `example.com/${'a'.repeat(499)}%`;
  expect(read(`https://${longest}`).page).toBe(longest);
});

test('whatever a stranger sends, no query, fragment or user is kept', () => {
  const secret = 'secret';
  const urls = fc.webUrl({ withQueryParameters: false, withFragments: false });
  fc.assert(
    fc.property(urls, fc.constantFrom('?', '#', '?a#', '#?'), fc.string(), (url, mark, rest) => {
      const read = createUrlReader();
      const withUser = url.replace('://', `://${secret}:${secret}@`);
      expect(read(`${withUser}${mark}${secret}${rest}`)).toEqual(read(url));
      expect(JSON.stringify(read(withUser))).not.toContain(secret);
    }),
  );
});

test('nothing throws, and nothing is longer than 512', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: anyCharacter, maxLength: 5_000 }), fc.webUrl()),
      (text) => {
        const { host, page } = createUrlReader()(text);
        expect(Math.max(host.length, page.length)).toBeLessThanOrEqual(512);
      },
    ),
  );
});
