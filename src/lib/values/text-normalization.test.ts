import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyCharacter } from '../../../test/support/any-character.ts';
import { normalizeText } from './text-normalization.ts';

describe('texts that are alike', () => {
  test.each([
    ['Lecture', 'LECTURE'],
    ['École', 'ÉCOLE'],
    ['E\u0301cole', 'école'],
    ['Straße', 'STRASSE'],
    ['ΟΔΥΣΣΕΥΣ', 'οδυσσευς'],
    ['οδυσσευς', 'οδυσσευσ'],
    ['Москва', 'МОСКВА'],
    ['İSTANBUL', 'istanbul'],
    ['ISTANBUL', 'ıstanbul'],
    ['ﬁlm', 'FILM'],
    ['ﾃｽﾄ', 'テスト'],
    ['Ｌｅｃｔｕｒｅ', 'lecture'],
    ['\u1112\u1161\u11ab글', '한글'],
    ['ᏣᎳᎩ', 'ꮳꮃꭹ'],
    ['ᲥᲐᲠᲗᲣᲚᲘ', 'ქართული'],
    ['𐐔𐐇𐐝', '𐐼𐐯𐑅'],
    ['a\tb\nc', 'a b c'],
  ])('%s and %s', (left, right) => {
    expect(normalizeText(left)).toBe(normalizeText(right));
  });
});

test('every character is alike in both cases, and normalised once for all', () => {
  const broken: string[] = [];
  for (let code = 0; code <= 0x10ffff; code += 1) {
    const character = String.fromCodePoint(code);
    // Surrogates, private and unassigned: three quarters of all, and none has a case.
    if (/\p{Cs}|\p{Co}|\p{Cn}/u.test(character)) continue;
    const normalized = normalizeText(character);
    const forms = [character.toUpperCase(), character.toLowerCase(), normalized];
    if (forms.some((form) => normalizeText(form) !== normalized)) broken.push(code.toString(16));
  }
  expect(broken).toEqual([]);
});

test('normalising a whole text again changes nothing', () => {
  const property = fc.property(fc.string({ unit: anyCharacter }), (text) => {
    const normalized = normalizeText(text);
    expect(normalizeText(normalized)).toBe(normalized);
  });
  fc.assert(property, { numRuns: 2_000 });
});
