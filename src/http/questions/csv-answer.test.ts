import { expect, test } from 'vitest';
import { acceptsCsv } from './csv-answer.ts';

test.each([
  [undefined, false],
  ['', false],
  ['*/*', false],
  ['application/json', false],
  ['text/csv', true],
  ['Text/CSV; charset=utf-8', true],
  ['text/csv, application/json', true],
  ['application/json, text/csv', false],
  ['application/json;q=0.5, text/csv', true],
  ['text/csv;q=0.1, application/json;q=0.2', false],
  ['text/csv;q=0', false],
  ['text/csv, */*;q=0.1', true],
])('%s: %s', (accept, expected) => {
  expect(acceptsCsv(accept)).toBe(expected);
});
