import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { RowFormat } from '../facts.ts';
import { onlyWhole } from './written-rows.ts';

const csvRows = ['"a","of\r\ntwo ""lines"""\r\n', '"b",""\r\n'];
const files: readonly [RowFormat, rows: number, text: string][] = [
  ['csv', 2, ['name,text\r\n', ...csvRows].join('')],
  ['csv', 0, 'name,text\r\n'],
  ['csv without header', 2, csvRows.join('')],
  ['csv without header', 0, ''],
  ['jsonl', 2, '{"name":"a\\n"}\n{"name":"\\""}\n'],
  ['jsonl', 0, ''],
  ['parquet', 2, 'PAR1 rows, and where they are PAR1'],
  ['parquet', 0, 'PAR1footPAR1'],
];
const brokenOff = { code: 'UNAVAILABLE', retryAfterSeconds: 1 };

function pass(format: RowFormat, rows: number, text: string, step: number): Promise<Buffer> {
  const pieces = Array.from({ length: Math.ceil(text.length / step) }, (_, index) =>
    Buffer.from(text.slice(index * step, (index + 1) * step)),
  );
  return buffer(Readable.from(pieces).compose(onlyWhole(format, rows)));
}

test.each(files)('%s of %i rows passes whole, however it is cut into pieces', async (...file) => {
  const [format, rows, text] = file;
  for (const step of [1, 3, 1_000]) {
    expect(String(await pass(format, rows, text, step))).toBe(text);
  }
});

test.each(files)('%s of %i rows fails wherever it breaks off', async (format, rows, text) => {
  for (let length = 0; length < text.length; length += 1) {
    const broken = pass(format, rows, text.slice(0, length), 1_000);
    await expect(broken).rejects.toMatchObject(brokenOff);
  }
});

test.each(files)('%s of %i rows fails if a broken row follows', async (format, rows, text) => {
  const broken = pass(format, rows, `${text}"b`, 1_000);
  await expect(broken).rejects.toMatchObject(brokenOff);
});

test('a file that does not begin as Parquet does fails', async () => {
  const broken = pass('parquet', 2, 'RAR1 rows, and where they are PAR1', 1_000);
  await expect(broken).rejects.toMatchObject(brokenOff);
});

test.each(files)('%s of %i rows fails if the store counted one more', async (...file) => {
  const [format, rows, text] = file;
  // The rows of Parquet are counted by those who read it.
  if (format === 'parquet') return;
  await expect(pass(format, rows + 1, text, 1_000)).rejects.toThrow('broke off');
});
