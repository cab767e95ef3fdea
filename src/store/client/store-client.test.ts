import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startRecordingServer } from '../../../test/support/recording-server.ts';
import { engineAccess } from '../../../test/support/shared-parts.ts';
import { waitUntil } from '../../../test/support/wait-until.ts';
import { type FactStore, openFactStore, type ServerOptions } from './store-client.ts';

let cutAfterBytes = Number.POSITIVE_INFINITY;
let asked = '';
let store: FactStore;
/** Between the service and the engine; ends the connection in the middle of an answer. */
const line = createServer((client) => {
  const { hostname, port } = new URL(engineAccess().url);
  const engine = connect(Number(port), hostname);
  let answered = 0;
  engine.on('data', (chunk: Buffer) => {
    answered += chunk.length;
    // What was written before the end arrives before it.
    if (answered <= cutAfterBytes) client.write(chunk);
    else client.end(() => engine.destroy());
  });
  client.on('data', (question: Buffer) => {
    answered = 0;
    asked = question.toString('latin1');
    engine.write(question);
  });
  client.on('close', () => engine.destroy()).on('error', () => {});
  engine.on('close', () => client.end()).on('error', () => {});
});

beforeAll(async () => {
  await once(line.listen(0, '127.0.0.1'), 'listening');
  const { username, password } = engineAccess();
  const url = `http://127.0.0.1:${(line.address() as AddressInfo).port}`;
  store = openFactStore({ url, username, password, database: 'default' });
});
afterAll(async () => {
  await store.close();
  line.close();
});

const manyRows = {
  name: 'many rows',
  sql: 'SELECT number FROM numbers({count:UInt32})',
  parameters: { count: 100_000 },
};

test('an answer that breaks off in the middle is an outage, and the next one is whole', async () => {
  expect(await store.select(manyRows)).toHaveLength(100_000);
  cutAfterBytes = 100_000;
  await expect(store.select(manyRows)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  cutAfterBytes = Number.POSITIVE_INFINITY;
  // A connection that ended meanwhile may cost a select.
  await expect.poll(() => store.select(manyRows)).toHaveLength(100_000);
});

test('a store of an earlier release is asked not to end an answer that fails as valid JSON', async () => {
  // As this release of the engine does by itself.
  await store.select({ ...manyRows, parameters: { count: 1 } });
  const [, path] = /^POST (\S+)/.exec(asked) ?? [];
  const { searchParams } = new URL(path ?? '', 'http://engine');
  expect(searchParams.get('http_write_exception_in_output_format')).toBe('0');
});

test('large numbers are numbers, and lists of parameters may be long', async () => {
  const sql = 'SELECT toUInt64(9007199254740991) AS large, length({list:Array(UInt32)}) AS length';
  const query = { name: 'test', sql, parameters: { list: [...Array(20_000).keys()] } };
  const expected = [{ large: Number.MAX_SAFE_INTEGER, length: 20_000 }];
  expect(await store.select(query)).toEqual(expected);
  expect(await store.selectMany(query)).toEqual(expected);
});

test('many rows come in portions, and all of them', async () => {
  const rows = await store.selectMany<{ number: number }>(manyRows);
  expect(rows).toHaveLength(100_000);
  expect(rows.at(-1)).toEqual({ number: 99_999 });
});

const login = { username: 'one', password: '', database: 'stats' };
const query = { name: 'ask', sql: 'SELECT 2', parameters: { one: 1 } };

async function openOnRecorder(ofMany?: ServerOptions, isHanging = false) {
  const server = await startRecordingServer(() => (isHanging ? undefined : []));
  const opened = openFactStore({ ...login, url: server.url }, {}, ofMany);
  onTestFinished(async () => {
    await opened.close();
    await server.close();
  });
  return { server, opened };
}

const always = {
  send_progress_in_http_headers: '1',
  http_headers_progress_interval_ms: '20000',
  http_write_exception_in_output_format: '0',
};
const inDatabase = { ...always, database: 'stats' };
const reading = {
  ...{ ...inDatabase, param_one: '1', readonly: '1', output_format_json_quote_64bit_integers: '0' },
  cancel_http_readonly_queries_on_client_close: '1',
};
const inserting = { ...inDatabase, max_execution_time: '10', max_partitions_per_insert_block: '0' };

test.each<[string, (store: FactStore) => Promise<unknown>, object]>([
  ['the database', (one) => one.createDatabase(), { ...always, param_database: 'stats' }],
  ['rows', (one) => one.insertRows('peak', [[1]]), inserting],
  ['text', (one) => one.insertText('peak', Buffer.from('1\n'), ['n']), inserting],
  ['a question', (one) => one.select(query), { ...reading, max_execution_time: '20' }],
  [
    'a question with more time and a setting',
    (one) => one.select(query, { timeoutSeconds: 5, settings: { log_queries: 0 } }),
    { ...reading, max_execution_time: '5', log_queries: '0' },
  ],
  [
    'a question by slots',
    (one) => one.select({ ...query, groupsBySlot: true }),
    { ...reading, max_execution_time: '20', optimize_aggregation_in_order: '1' },
  ],
  [
    'one for many rows by slots',
    (one) => one.selectMany({ ...query, groupsBySlot: true }),
    {
      ...{ ...reading, max_execution_time: '20', optimize_aggregation_in_order: '1' },
      do_not_merge_across_partitions_select_final: '1',
    },
  ],
  [
    'one for many rows',
    (one) => one.selectMany(query),
    {
      ...{ ...reading, max_execution_time: '20' },
      do_not_merge_across_partitions_select_final: '1',
    },
  ],
  [
    'a command',
    (one) => one.command(query),
    { ...inDatabase, param_one: '1', max_execution_time: '110' },
  ],
  [
    'a command with more time',
    (one) => one.command(query, 600),
    { ...inDatabase, param_one: '1', max_execution_time: '600' },
  ],
])('the settings for %s, and those of one server of many', async (_, ask, expected) => {
  const { server, opened } = await openOnRecorder();
  await ask(opened);
  const ofMany = await openOnRecorder({
    settings: { distributed_foreground_insert: 1 },
    insertSettings: () => ({ insert_quorum: '2' }),
  });
  await ask(ofMany.opened);
  const [own, other] = [server, ofMany.server].map(({ asked }) => asked[0]?.parameters ?? {});
  expect(own).toEqual({ ...expected, query_id: expect.any(String) });
  expect(other).toEqual({
    ...{ ...expected, query_id: expect.any(String), distributed_foreground_insert: '1' },
    ...('max_partitions_per_insert_block' in expected && { insert_quorum: '2' }),
  });
});

test.each<[string, (store: FactStore) => Promise<unknown>]>([
  ['a question', (one) => one.select(query)],
  ['one for many rows', (one) => one.selectMany(query)],
  ['a command', (one) => one.command(query)],
])('who waits for %s learns that its server hangs', async (_, ask) => {
  const hanging = new AbortController();
  const { server, opened } = await openOnRecorder({ signal: () => hanging.signal }, true);
  const waiting = ask(opened);
  waiting.catch(() => {});
  await waitUntil('the question', () => server.asked.length === 1);
  hanging.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});

test('closing ends what waits, in the database or not', async () => {
  const { server, opened } = await openOnRecorder({}, true);
  const waiting = [opened.select(query), opened.createDatabase()];
  for (const one of waiting) one.catch(() => {});
  await waitUntil('both questions', () => server.asked.length === 2);
  await opened.close();
  for (const one of waiting) await expect(one).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});

test('a file is written with the settings that hold for all', async () => {
  const { server, opened } = await openOnRecorder({ settings: { max_threads: 3 } });
  const { rows } = await opened.write(query, 'jsonl', new AbortController().signal);
  expect(rows).toBe(0);
  const parameters = { database: 'stats', max_threads: '3' };
  expect(server.asked).toMatchObject([
    { sql: expect.stringContaining('FORMAT JSONEachRow'), parameters },
  ]);
});

test('one answer need not be waited for any longer than its own signal says', async () => {
  const hanging = new AbortController();
  hanging.abort();
  const { server, opened } = await openOnRecorder({ signal: () => hanging.signal }, true);
  const own = new AbortController();
  const waiting = opened.select(query, { signal: own.signal });
  waiting.catch(() => {});
  await waitUntil('the question', () => server.asked.length === 1);
  own.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});

test('each statement is noted by its name: what succeeded with its time, what failed with why', async () => {
  const server = await startRecordingServer(({ sql }) => {
    if (sql.includes('SELECT 2')) return [];
    throw 'Code: 516. DB::Exception: as the test said. (AUTHENTICATION_FAILED)';
  });
  const noted: unknown[] = [];
  const opened = openFactStore(
    { ...login, url: server.url },
    {
      noteFailure: (statement, kind) => noted.push([statement, kind]),
      noteDone: (statement, seconds) => noted.push([statement, seconds]),
    },
  );
  onTestFinished(async () => {
    await opened.close();
    await server.close();
  });
  await opened.select(query);
  await expect(opened.ping()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect(noted).toEqual([
    ['ask', expect.any(Number)],
    ['ping', 'configuration'],
  ]);
});

test('a single server is the only one that works with its tables', async () => {
  expect(await store.onEachServer(async (server) => server === store)).toEqual([true]);
  await store.ping();
});
