import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planKeyword, titleOrderOf, tokensOf } from './search-text.ts';

test('a keyword is found by its tokens exactly where it is a part of the text', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '가', '😀', ' '), maxLength: 12 });
  const keyword = fc.string({
    unit: fc.constantFrom('a', 'b', '가', '😀', ' '),
    minLength: 1,
    maxLength: 5,
  });
  const property = fc.property(text, keyword, (given, sought) => {
    const tokens = tokensOf(given);
    const plan = planKeyword(sought);
    const isFound =
      plan.kind === 'prefix'
        ? tokens.some((token) => token.startsWith(plan.prefix))
        : tokens.some((_, start) => plan.tokens.every((token, at) => tokens[start + at] === token));
    expect(isFound).toBe(given.includes(sought));
  });
  fc.assert(property, { numRuns: 2_500 });
});

test('a title sorts by at most 200 characters, whole ones', () => {
  expect([...titleOrderOf('😀'.repeat(500))]).toHaveLength(200);
  expect(titleOrderOf('B')).toBe('b');
});
