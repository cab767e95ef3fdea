import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { keepRows, readKeptRows } from './stored-rows.ts';

const rows = Array.from({ length: 2_500 }, (_, row) => ({ row }));

test.each([
  [0, 10],
  [990, 1_010],
  [0, 2_500],
  [1_000, 2_000],
  [2_499, 2_600],
  [2_500, 2_600],
])('from %d to %d', async (start, end) => {
  const kept = await keepRows({ totals: 'é' }, rows);
  // Databases hand over a view of larger memory.
  const larger = new Uint8Array(kept.byteLength + 8);
  larger.set(kept, 8);
  const read = await readKeptRows(larger.subarray(8), start, end);
  expect(read).toEqual({ about: { totals: 'é' }, rows: rows.slice(start, end) });
});

test('rows that an earlier release kept are none', async () => {
  expect(await readKeptRows(gzipSync(JSON.stringify(rows)), 0, 10)).toBeUndefined();
});

test('an answer without rows', async () => {
  expect(await readKeptRows(await keepRows({}, []), 0, 10)).toEqual({ about: {}, rows: [] });
});
