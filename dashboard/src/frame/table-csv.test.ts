import { expect, test } from 'vitest';
import { tableCsv } from './table-csv.ts';

test('cells are quoted where they must be, and formulas are made harmless', () => {
  const rows = [
    ['a,b', 1.5],
    ['say "hi"', null],
    ['=SUM(A1)', -3],
  ];
  expect(tableCsv({ heads: ['Name', 'Plays'], rows })).toBe(
    'Name,Plays\r\n"a,b",1.5\r\n"say ""hi""",\r\n\'=SUM(A1),-3\r\n',
  );
});
