import { expect, test } from 'vitest';
import { writeCsv } from './answer-to-export.ts';

const asked = {
  dimensions: ['video', 'label.plan'],
  measures: ['plays', 'averageSeen'],
  compare: undefined,
} as const;
const csvOf = (rows: Parameters<typeof writeCsv>[0]) => [...writeCsv(rows, asked)].join('');
const head = 'video,videoTitle,label.plan,plays,averageSeen\r\n';

test('a header stands over nothing', () => {
  expect(csvOf([])).toBe(head);
});

test.each([
  ['A film', 'A film'],
  ['a "film", or two', '"a ""film"", or two"'],
  ['two\nlines', '"two\nlines"'],
  ['=HYPERLINK("x")', '"\'=HYPERLINK(""x"")"'],
  ['+1', '"\'+1"'],
  ['-1', '"\'-1"'],
  ['@SUM', '"\'@SUM"'],
  ['\tx', '"\'\tx"'],
  ['a=b', 'a=b'],
  ['', ''],
])('%j', (videoTitle, cell) => {
  const row = { video: 'k', videoTitle, 'label.plan': 'free', plays: 2, averageSeen: null };
  expect(csvOf([row])).toBe(`${head}k,${cell},free,2,\r\n`);
});

test('many rows come in portions', () => {
  const row = { video: 'k', videoTitle: '', 'label.plan': '', plays: 1, averageSeen: 0.5 };
  const portions = [...writeCsv(Array(1_200).fill(row), asked)];
  expect(portions).toHaveLength(4);
  expect(portions.join('').split('\r\n')).toHaveLength(1_202);
});
