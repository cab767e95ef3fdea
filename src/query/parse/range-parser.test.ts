import { expect, test } from 'vitest';
import { checkRange } from './range-parser.ts';

const after = { parameter: 'sdate', detail: 'must not be after edate' };
const tooLong = { parameter: 'edate', detail: 'must not be more than 10 years after sdate' };

test.each([
  ['2026-05-04', '2026-05-04', []],
  ['2026-05-05', '2026-05-04', [after]],
  ['2026-05-04', '2036-05-04', []],
  ['2026-05-04', '2036-05-05', [tooLong]],
  ['2024-02-29', '2034-02-28', []],
  ['2024-02-29', '2034-03-01', [tooLong]],
  ['0001-01-01', '0011-01-01', []],
  ['0001-01-01', '0011-01-02', [tooLong]],
  ['9989-12-31', '9999-12-31', []],
  ['9989-12-30', '9999-12-31', [tooLong]],
  ['9999-12-30', '9999-12-31', []],
  [undefined, '2026-05-04', []],
  ['2026-05-05', undefined, []],
])('from %s to %s: %j', (firstDay, lastDay, errors) => {
  expect(checkRange(firstDay, lastDay)).toEqual(errors);
});
