import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { mostItemsIn } from './body-memory.ts';

test.each([
  [undefined, 10],
  ['0', 0],
  ['1', 1],
  ['128', 1],
  ['129', 2],
  ['1280', 10],
  ['1281', 10],
  ['9999999', 10],
])('a body of %s bytes has at most %i items, where 10 are the most', (length, items) => {
  const headers = { 'content-length': length };
  expect(mostItemsIn({ headers } as IncomingMessage, 10)).toBe(items);
});
