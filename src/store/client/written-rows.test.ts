/** Files as the store writes them: their forms, what is bound to a statement, and what fails. */
import { once } from 'node:events';
import { buffer, text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { startLocalServer } from '../../../test/support/local-server.ts';
import { startRecordingServer } from '../../../test/support/recording-server.ts';
import { engineAccess } from '../../../test/support/shared-parts.ts';
import type { FactQuery, RowFormat } from '../facts.ts';
import { boundArray } from '../sql/account-days.ts';
import { writtenRows } from './written-rows.ts';

const database = 'default';
const goesOn = new AbortController().signal;

function write(sql: string, format: RowFormat, parameters: FactQuery['parameters'] = {}) {
  const query = { name: 'test', sql, parameters };
  return writtenRows({ ...engineAccess(), database }, query, { format, signal: goesOn });
}

const values = `SELECT toUInt64(number + 9007199254740990) AS id, if(number = 0, NULL, 'a "b"') AS name,
  toDateTime('2025-12-31 23:45:00', 'UTC') AS at, 'a/b' AS path FROM numbers(2)`;
const lines = [
  '9007199254740990,,"2025-12-31T23:45:00Z","a/b"\r\n',
  '9007199254740991,"a ""b""","2025-12-31T23:45:00Z","a/b"\r\n',
];

test.each<[RowFormat, string]>([
  ['csv', `"id","name","at","path"\r\n${lines.join('')}`],
  ['csv without header', lines.join('')],
  [
    'jsonl',
    '{"id":9007199254740990,"name":null,"at":"2025-12-31T23:45:00Z","path":"a/b"}\n' +
      '{"id":9007199254740991,"name":"a \\"b\\"","at":"2025-12-31T23:45:00Z","path":"a/b"}\n',
  ],
])('as %s', async (format, expected) => {
  const { rows, bytes } = await write(values, format);
  expect(rows).toBe(2);
  expect(await text(bytes)).toBe(expected);
});

test('as parquet: the same bytes each time', async () => {
  const sql = 'SELECT number FROM numbers(100000)';
  const [one, other] = [await write(sql, 'parquet'), await write(sql, 'parquet')];
  expect(one.rows).toBe(100_000);
  const bytes = await buffer(one.bytes);
  expect(bytes.subarray(0, 4).toString()).toBe('PAR1');
  expect(await buffer(other.bytes)).toEqual(bytes);
});

test.each(['csv', 'jsonl', 'parquet'] as const)(
  'of %s that nobody reads nothing is left, and nothing fails',
  async (format) => {
    for (const sql of ['SELECT number FROM numbers(1000000)', 'SELECT 1 AS number WHERE 0']) {
      const { bytes } = await write(sql, format);
      bytes.destroy();
      await once(bytes, 'close');
      expect(bytes.errored).toBeNull();
    }
  },
);

test('a file that breaks off fails for whoever reads it', async () => {
  const server = await startLocalServer((_, response) => {
    response.setHeader('x-clickhouse-summary', '{"result_rows":"2"}');
    response.write('"n"\r\n1\r\n', () => response.destroy());
  });
  onTestFinished(() => server.close());
  const access = { url: server.url, username: 'one', password: '', database };
  const query = { name: 'test', sql: 'SELECT 1', parameters: {} };
  const { bytes } = await writtenRows(access, query, { format: 'csv', signal: goesOn });
  await expect(text(bytes)).rejects.toThrow('terminated');
});

test('whatever is bound to a statement arrives as it is', async () => {
  const odd = 'it\'s a "tab\t", a line\nand a return\r, a \\ and 한국어 \\N';
  const many = boundArray('many', 'UInt32', [...Array(20_000).keys()]);
  const sql = `SELECT {text:String} AS text, {number:Int64} AS number, {texts:Array(String)} AS texts,
    {numbers:Array(Int64)} AS numbers, arraySum(${many.sql}) AS sum, {none:Array(String)} AS none`;
  const bound = { text: odd, number: -5, texts: [odd, 'b'], numbers: [1, -2], none: [] };
  const { bytes } = await write(sql, 'jsonl', { ...bound, ...many.parameters });
  const { sum, ...found } = JSON.parse(await text(bytes));
  expect(found).toEqual(bound);
  expect(sum).toBe((20_000 * 19_999) / 2);
});

test('what the store refuses has its code, and not more of its words than anybody reads', async () => {
  await expect(write('SELECT nonsense', 'csv')).rejects.toMatchObject({ code: '47' });
  const failures = ['Code: 241. DB::Exception: ', 'no code at all: Code: 241. '];
  const server = await startRecordingServer(() => {
    throw `${failures.shift()}${'x'.repeat(2_000)}`;
  });
  onTestFinished(() => server.close());
  const access = { url: server.url, username: 'one', password: '', database };
  const query = { name: 'test', sql: 'SELECT 1', parameters: {} };
  const ask = () => writtenRows(access, query, { format: 'csv', signal: goesOn });
  const error = await ask().catch((thrown) => thrown);
  expect(error).toMatchObject({ code: '241' });
  expect(error.message).toHaveLength(1_000);
  await expect(ask()).rejects.toMatchObject({ code: '0' });
});

test('a server that is not there, says no number of rows, or is waited for too long', async () => {
  const query = { name: 'test', sql: 'SELECT 1', parameters: {} };
  const login = { username: 'one', password: '', database };
  const away = await startLocalServer((request) => request.socket.destroy());
  const summaries = ['', '{}', '{"result_rows":"-1"}', '{"result_rows":"1.5"}'];
  const mute = await startLocalServer((_, response) => {
    const summary = summaries.shift();
    if (summary) response.setHeader('x-clickhouse-summary', summary);
    response.end('1\r\n');
  });
  const slow = await startLocalServer(() => {});
  onTestFinished(async () => {
    for (const server of [away, mute, slow]) await server.close();
  });
  const ask = ({ url }: { readonly url: string }, signal = goesOn) =>
    writtenRows({ ...login, url }, query, { format: 'csv', signal });
  await expect(ask(away)).rejects.toMatchObject({ message: 'other side closed' });
  for (const _ of [...summaries]) {
    await expect(ask(mute)).rejects.toThrow('the store tells how many rows it has written');
  }
  const late = new AbortController();
  const waiting = ask(slow, late.signal);
  late.abort(new Error('too late, as the test said'));
  await expect(waiting).rejects.toThrow('too late');
});

test('the settings of the statement, and those that hold for all', async () => {
  const server = await startRecordingServer(() => []);
  onTestFinished(() => server.close());
  const access = { url: server.url, username: 'one', password: '', database: 'stats' };
  const query = { name: 'test', sql: 'SELECT 1', parameters: { one: 1 } };
  const more = { max_memory_usage: 5 };
  const written = await writtenRows(access, query, { format: 'jsonl', signal: goesOn, more });
  expect(await text(written.bytes)).toBe('');
  expect(server.asked).toMatchObject([
    {
      sql: expect.stringContaining('SELECT 1\nFORMAT JSONEachRow'),
      parameters: {
        ...{ database: 'stats', max_memory_usage: '5', readonly: '1', wait_end_of_query: '1' },
        // Less than anybody waits for an answer; more than a page has time for.
        ...{ max_execution_time: '280', max_bytes_before_external_sort: '200000000' },
        max_threads: '1',
      },
    },
  ]);
});
