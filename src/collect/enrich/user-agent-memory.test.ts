import { expect, test } from 'vitest';
import { createUserAgentRecall, userAgentLimitChars } from './user-agent-memory.ts';

/** Equal, and not the same text: each request brings its own. */
const text = (chars: number) => Buffer.alloc(chars, 'x').toString();

test('what was noted of a User-Agent is found again, after others as well', () => {
  const recall = createUserAgentRecall();
  recall('one').isBot = true;
  recall('other').isBot = false;
  expect([recall('one').isBot, recall('other').isBot]).toEqual([true, false]);
  expect(recall('').isBot).toBeUndefined();
});

test.each([
  [userAgentLimitChars, true],
  [userAgentLimitChars + 1, undefined],
])('of one of %i characters: %s', (chars, found) => {
  const recall = createUserAgentRecall();
  recall(text(chars)).isBot = true;
  recall('other');
  expect(recall(text(chars)).isBot).toBe(found);
});

test('those used last are remembered, and not the others', () => {
  const recall = createUserAgentRecall();
  recall('first').isBot = true;
  recall('kept').isBot = true;
  for (let number = 0; number < 4_095; number += 1) {
    if (number % 100 === 0) recall('kept');
    recall(String(number));
  }
  expect([recall('first').isBot, recall('kept').isBot]).toEqual([undefined, true]);
});
