import { domainToASCII } from 'node:url';
import { expect, test } from 'vitest';
import { keptHost, keptPage, readableHost, readablePage } from './readable-address.ts';

test.each([
  '한국영상.kr',
  'münchen.de',
  'пример.испытание',
  '例え.テスト',
  'παράδειγμα.gr',
  'video-한국.com',
  'video.bücher-straße.example',
])('the host %s is read as it is written', (host) => {
  expect(readableHost(domainToASCII(host))).toBe(host);
});

test.each([
  // All Cyrillic, and it looks like apple.com.
  ['a host that looks like a Latin one', domainToASCII('аррӏе.com')],
  ['a host with letters of two scripts', domainToASCII('pаypal.com')],
  ['what is no Punycode', 'xn--!!!.com'],
  ['Punycode that ends early', 'xn--a-9.com'],
  ['Punycode beyond Unicode', 'xn--99999999.com'],
  ['an address', '192.0.2.7'],
])('%s stays as it is', (_, host) => {
  expect(readableHost(host)).toBe(host);
});

test.each([
  ['example.com/%EC%98%81%EC%83%81/1', 'example.com/영상/1'],
  ['example.com/%D1%84%D0%B8%D0%BB%D1%8C%D0%BC.html', 'example.com/фильм.html'],
  ['xn--3e0b707e.com/%E6%98%A0%E7%94%BB', '한국.com/映画'],
  ['example.com/caf%C3%A9', 'example.com/café'],
  ['example.com/lessons/3', 'example.com/lessons/3'],
])('the page %s is read as %s', (page, read) => {
  expect(readablePage(page)).toBe(read);
});

test.each([
  ['a mark that turns the direction', 'example.com/a%E2%80%AEgpj.exe'],
  ['a part that cannot be decoded', 'example.com/%ED%A0%80/%FF'],
  ['a slash, a query or a line that is none', 'example.com/a%2Fb/c%3Fd/e%0Af'],
  ['a space', 'example.com/%EC%98%81%20%EC%83%81'],
  ['a word of two scripts', 'example.com/%D0%B0dmin'],
])('%s stays encoded', (_, page) => {
  expect(readablePage(page)).toBe(page);
});

test('parts written from the right keep their places between the others', () => {
  const [one, other] = ['הליכה', 'נהר'];
  expect(readablePage(`example.com/${encodeURIComponent(one)}/${encodeURIComponent(other)}`)).toBe(
    `example.com/\u2068${one}\u2069/\u2068${other}\u2069`,
  );
});

test('what is searched for is what is kept', () => {
  expect(keptPage('영상/1')).toBe('%EC%98%81%EC%83%81/1');
  expect(keptPage('lessons/3')).toBe('lessons/3');
  expect(keptHost('한국영상.kr')).toBe(domainToASCII('한국영상.kr'));
  expect(keptHost('example')).toBe('example');
  expect(keptHost('not a host')).toBe('not a host');
});
