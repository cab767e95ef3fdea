/** Tables in every format, read back; Parquet as the real engine writes it. */
import { buffer, text } from 'node:stream/consumers';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { expect, test } from 'vitest';
import { factReaderOf } from '../../../test/support/fact-reader-of.ts';
import { useNewStore } from '../../../test/support/use-new-store.ts';
import type { RowFormat } from '../../store/facts.ts';
import { type ExportColumn, type Table, writeTable } from './table-file.ts';

type Row = Readonly<Record<string, string | number | null | undefined>>;

const goesOn = new AbortController().signal;
const made = useNewStore();
const write = (table: Table<Row>, format: RowFormat) =>
  writeTable(factReaderOf(made().store), table, format, goesOn);

const column = (name: string, type: ExportColumn<Row>['type']): ExportColumn<Row> => ({
  ...{ name, type, valueIn: (row) => row[name] },
});
const columns = [
  column('video', 'String'),
  column('peakAt', 'StringOrNull'),
  column('folder', 'UInt32'),
  column('plays', 'Int64'),
  column('share', 'Float64'),
];
const rows: Row[] = [
  {
    video: 'it\'s "one",\ntwo',
    peakAt: '2026-11-01',
    folder: 4_294_967_295,
    plays: -5,
    share: 0.5,
  },
  { video: '', peakAt: '', folder: 0, plays: 9_007_199_254_740_991, share: 0 },
  { video: '한국어', peakAt: null, folder: null, plays: null, share: null, unasked: 7 },
  { video: 'b', plays: 1 },
];

/** As JSON would have it. */
async function readBack(bytes: Buffer): Promise<unknown[]> {
  const file = new Uint8Array(bytes).buffer;
  const read = await parquetReadObjects({ file, compressors });
  return JSON.parse(
    JSON.stringify(read, (_, value) => (typeof value === 'bigint' ? Number(value) : value)),
  );
}

test('Parquet has the types of the columns, and null for what is not known', async () => {
  const written = await write({ rows, columns }, 'parquet');
  expect(written.rows).toBe(4);
  const bytes = await buffer(written.bytes);
  const none = { peakAt: null, folder: null, plays: null, share: null };
  expect(await readBack(bytes)).toEqual([
    rows[0],
    { ...rows[1], peakAt: null },
    { video: '한국어', ...none },
    { ...none, video: 'b', plays: 1 },
  ]);
  const { schema } = parquetMetadata(new Uint8Array(bytes).buffer);
  const types = schema
    .slice(1)
    .map(({ name, type, converted_type }) => [name, type, converted_type]);
  expect(types).toEqual([
    ['video', 'BYTE_ARRAY', 'UTF8'],
    ['peakAt', 'BYTE_ARRAY', 'UTF8'],
    ['folder', 'INT32', 'UINT_32'],
    ['plays', 'INT64', undefined],
    ['share', 'DOUBLE', undefined],
  ]);
});

test('Parquet without rows has its columns', async () => {
  const written = await write({ rows: [], columns }, 'parquet');
  expect(written.rows).toBe(0);
  const { schema } = parquetMetadata(new Uint8Array(await buffer(written.bytes)).buffer);
  expect(schema.slice(1).map(({ name }) => name)).toEqual(columns.map(({ name }) => name));
});

test('CSV has the columns, JSON lines have the rows as they are', async () => {
  const csv = await write({ rows, columns: columns.slice(0, 4) }, 'csv');
  expect(csv.rows).toBe(4);
  expect(await text(csv.bytes)).toBe(
    'video,peakAt,folder,plays\r\n"it\'s ""one"",\ntwo",2026-11-01,4294967295,-5\r\n' +
      ',,0,9007199254740991\r\n한국어,,,\r\nb,,,1\r\n',
  );
  const lines = await write({ rows, columns: [] }, 'jsonl');
  expect(lines.rows).toBe(4);
  expect(await text(lines.bytes)).toBe(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
});

test('a file is bytes, however small its pieces are', async () => {
  const { bytes } = await write({ rows, columns }, 'jsonl');
  for await (const piece of bytes) expect(piece).toBeInstanceOf(Buffer);
  expect(bytes.readableObjectMode).toBe(false);
});
