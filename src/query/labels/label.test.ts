import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textOrder, versionOrder } from './label.ts';

const compareVersions = (one: string, other: string) =>
  versionOrder(one) < versionOrder(other) ? -1 : Number(versionOrder(one) > versionOrder(other));

test('versions are ordered as people read them', () => {
  const ordered = [
    '0',
    '9',
    '09',
    '9.3',
    '10',
    '10.2',
    '10.15',
    '10.15.7',
    '10.beta',
    '99999999999999999999',
    '100000000000000000000',
    'Unknown',
    'beta',
  ];
  const mixed = [...ordered].sort();
  expect(mixed).not.toEqual(ordered);
  expect(mixed.sort(compareVersions)).toEqual(['0', '09', '9', '9.3', ...ordered.slice(4)]);
});

test.each([
  ['alpha', 'beta', -1],
  ['beta', 'alpha', 1],
  ['beta', 'beta', 0],
  ['9', 'beta', -1],
  ['beta', '9', 1],
  ['1a', '1', 1],
  ['a1', '1', 1],
  ['2b', '100', 1],
  ['b2', '100', 1],
  ['9', '10b', -1],
  ['0010', '9', 1],
  ['0010', '010', -1],
  ['1.2', '1.2.0', -1],
])('%s against %s', (one, other, order) => {
  expect(compareVersions(one, other)).toBe(order);
});

test('any versions are in the order that a naive comparison gives', () => {
  const part = fc.constantFrom('', '0', '00', '01', '9', '10', '123', 'a', 'ab', 'Unknown');
  const version = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('.'));
  fc.assert(
    fc.property(version, version, (one, other) => {
      expect(compareVersions(one, other)).toBe(compareNaively(one, other));
    }),
  );
});

function compareNaively(one: string, other: string): number {
  const [left, right] = [one.split('.'), other.split('.')];
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const [a, b] = [left[index], right[index]];
    if (a === undefined || b === undefined) return a === undefined ? -1 : 1;
    const [isNumber, otherIsNumber] = [/^\d+$/.test(a), /^\d+$/.test(b)];
    if (isNumber !== otherIsNumber) return isNumber ? -1 : 1;
    if (isNumber && BigInt(a) !== BigInt(b)) return BigInt(a) < BigInt(b) ? -1 : 1;
    if (a !== b) return a < b ? -1 : 1;
  }
  return 0;
}

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
  const text = fc.string({ unit: 'binary', maxLength: 4 });
  fc.assert(
    fc.property(text, text, (one, other) => {
      const isBefore = Buffer.compare(Buffer.from(one), Buffer.from(other)) < 0;
      expect(textOrder(one) < textOrder(other)).toBe(isBefore);
      expect(textOrder(one) === textOrder(other)).toBe(one === other);
    }),
  );
});
