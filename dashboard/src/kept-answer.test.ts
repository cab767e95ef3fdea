import { expect, test } from 'vitest';
import { keptAnswer } from './kept-answer.ts';

test('of the same video, or of all, the last answer stays until the next is there', () => {
  const [ofAll, ofOne] = [{ asked: {} }, { asked: { accessKey: 'one' } }];
  expect(keptAnswer(ofAll, undefined)).toBe(ofAll);
  expect(keptAnswer(ofOne, 'one')).toBe(ofOne);
});

test('figures of one video never stand on the page of another', () => {
  expect(keptAnswer({ asked: { accessKey: 'one' } }, 'other')).toBeUndefined();
  expect(keptAnswer({ asked: {} }, 'other')).toBeUndefined();
});
