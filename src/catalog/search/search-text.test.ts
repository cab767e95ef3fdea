import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTitleOrder, planKeyword, splitTokens } from './search-text.ts';

test('a keyword is found by its tokens exactly where it is a part of the text', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '가', '😀', ' '), maxLength: 12 });
  const keyword = fc.string({
    unit: fc.constantFrom('a', 'b', '가', '😀', ' '),
    minLength: 1,
    maxLength: 5,
  });
  const property = fc.property(text, keyword, (given, sought) => {
    const tokens = splitTokens(given);
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
  expect([...createTitleOrder('😀'.repeat(500))]).toHaveLength(200);
  expect(createTitleOrder('B')).toBe('b');
});
