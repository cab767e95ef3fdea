import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readJson } from './json-text.ts';

const mark = '\ufeff';

test.each([
  ['{"a":1}', { a: 1 }],
  [`${mark}{"a":1}`, { a: 1 }],
  [' \r\n\t[1.0]\n', [1]],
  ['{"a":1,"a":2}', { a: 2 }],
  ['1e400', Number.POSITIVE_INFINITY],
  ['-0', -0],
  ['"\\ud800"', '\ud800'],
  ['"😀"', '😀'],
  ['null', null],
])('%j is read', (text, value) => {
  expect(readJson(Buffer.from(text))).toEqual({ ok: true, value });
});

test.each([
  ['', 'is empty'],
  [mark, 'is empty'],
  [' ', 'is not valid JSON'],
  [`${mark}${mark}1`, 'is not valid JSON'],
  ['{', 'is not valid JSON'],
  ['{}{}', 'is not valid JSON'],
  ["{'a':1}", 'is not valid JSON'],
  ['[1,]', 'is not valid JSON'],
  ['NaN', 'is not valid JSON'],
  ['"\u0000"', 'is not valid JSON'],
])('%j is refused: %s', (text, reason) => {
  expect(readJson(Buffer.from(text))).toEqual({ ok: false, reason });
});

test.each([
  [[0x20, 0xbb, 0xbf]],
  [[0xef, 0x20, 0xbf]],
  [[0xef, 0xbb, 0x20]],
  [[0x20, 0x20, 0xbf]],
  [[0x20, 0xbb, 0x20]],
  [[0xef, 0x20, 0x20]],
])('%j is no byte order mark', (bytes) => {
  const text = Buffer.from([...bytes, 0x31]);
  expect(readJson(text)).toEqual({ ok: false, reason: 'is not valid UTF-8' });
});

test.each([
  ['a lone continuation byte', [0x22, 0x80, 0x22]],
  ['a character that is cut off', [0x22, 0xc3, 0x22]],
  ['an overlong form', [0x22, 0xc0, 0xaf, 0x22]],
  ['half a surrogate pair', [0x22, 0xed, 0xa0, 0x80, 0x22]],
  ['Latin-1', [...Buffer.from('"é"', 'latin1')]],
  ['UTF-16', [0xff, 0xfe, ...Buffer.from('{}', 'utf16le')]],
])('%s is not UTF-8', (_, bytes) => {
  expect(readJson(Buffer.from(bytes))).toEqual({ ok: false, reason: 'is not valid UTF-8' });
});

test('a member __proto__ is a member, and changes no prototype', () => {
  const read = readJson(Buffer.from('{"__proto__":{"playMs":1},"constructor":2}'));
  const value = (read as { value: Record<string, unknown> }).value;
  expect(Object.keys(value)).toEqual(['__proto__', 'constructor']);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(value.playMs).toBeUndefined();
});

test('however deep, it is read', () => {
  const depth = 500_000;
  const read = readJson(Buffer.from('['.repeat(depth) + ']'.repeat(depth)));
  expect(read.ok).toBe(true);
});

test('every value comes back', () => {
  const stringUnit = fc.constantFrom('a', 'é', '😀', '\ud83d', '"', '\\', '\n', '\0', mark);
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit }), (value) => {
      const text = JSON.stringify(value);
      expect(readJson(Buffer.from(text))).toEqual({ ok: true, value: JSON.parse(text) });
    }),
  );
});
