import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCharacter } from '../../../test/support/any-character.ts';
import { textOrder } from './row-labels.ts';

test.each([
  ['a', 'b'],
  ['a', 'ab'],
  ['', 'a'],
  ['Z', 'a'],
  ['\u{ffe6}', '\u{1f3ac}'],
  ['a\u{e000}', 'a\u{10000}'],
  ['\u{d7ff}', '\u{10000}'],
  ['\u{d7ff}', '\u{e000}'],
  ['\u{d7ff}', '\u{ffff}'],
  ['\u{e000}', '\u{ffff}'],
  ['\u{1f3ac}', '\u{1f3ad}'],
  ['\u{1f3ac}a', '\u{1f3ac}b'],
])('%s comes before %s', (one, other) => {
  expect(textOrder(one) < textOrder(other)).toBe(true);
});

test('the order is that of the bytes in UTF-8', () => {
  const text = fc.string({ unit: anyCharacter, maxLength: 4 });
  fc.assert(
    fc.property(text, text, (one, other) => {
      const isBefore = Buffer.compare(Buffer.from(one), Buffer.from(other)) < 0;
      expect(textOrder(one) < textOrder(other)).toBe(isBefore);
      expect(textOrder(one) === textOrder(other)).toBe(one === other);
    }),
  );
});
