import { expect, test } from 'vitest';
import { csvLine } from './csv-text.ts';

test.each([
  ...['=1+1', '+1', '-1', '@a', '\tx', '\rx', '\nx'],
  ...['＝1+1', '＋1', '－1', '＠a', ' =1+1', '\n=1+1', ' \t\r\n ＝1+1'],
])('%j would be taken for a formula', (text) => {
  expect(csvLine([text])).toBe(`"'${text}"\r\n`);
});

test.each(['a=b', ' a', '1-2', '“=1', "'=1", '한글', ''])('%j is as it is', (text) => {
  expect(csvLine([text])).toBe(`${text}\r\n`);
});

test('quotes, commas and line breaks stand in quotes; numbers are no texts', () => {
  expect(csvLine(['a"b', 'c,d', 'e\nf', -1, null, undefined])).toBe('"a""b","c,d","e\nf",-1,,\r\n');
});
