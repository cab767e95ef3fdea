import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCharacter } from '../../../test/support/any-character.ts';
import { terminalText } from './terminal-text.ts';

test.each([
  ['Film 1\tfirst\nsecond', 'Film 1\tfirst\nsecond'],
  ['영화 🎬 é İ', '영화 🎬 é İ'],
  // Joiners and marks that words of some languages need.
  ['می‌خواهم \u200f!', 'می‌خواهم \u200f!'],
  ['\u001b[2J', '\\u001b[2J'],
  ['\u009b2J', '\\u009b2J'],
  ['100 %\rgone', '100 %\\u000dgone'],
  ['a line of CSV\r', 'a line of CSV\r'],
  ['CSV\r\nmore', 'CSV\r\nmore'],
  ['\r\r', '\\u000d\r'],
  ['\u007f\u0000\u0085', '\\u007f\\u0000\\u0085'],
  ['\u202egpj.exe', '\\u202egpj.exe'],
  ['\u2066a\u2069', '\\u2066a\\u2069'],
])('%j is shown as %j', (text, shown) => {
  expect(terminalText(text)).toBe(shown);
});

test('JSON stays the same JSON', () => {
  const anyText = fc.string({ unit: anyCharacter });
  fc.assert(
    fc.property(anyText, (text) => {
      expect(JSON.parse(terminalText(JSON.stringify(text)))).toBe(text);
    }),
  );
});
