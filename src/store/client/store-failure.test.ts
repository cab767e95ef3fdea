import { ClickHouseError } from '@clickhouse/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRefusingWay } from '../../../test/support/refusing-way.ts';
import { engineAccess } from '../../../test/support/shared-parts.ts';
import { type FactStore, openFactStore } from './store-client.ts';
import {
  configurationCodes,
  damageCodes,
  faultOfStore,
  findReason,
  isStoreMistake,
  kindOfFailure,
  outageCodes,
} from './store-failure.ts';

const noted: { statement: string; kind: string }[] = [];
let store: FactStore;
beforeAll(() => {
  const access = { ...engineAccess(), database: 'default' };
  store = openFactStore(access, {
    noteFailure: (statement, kind) => noted.push({ statement, kind }),
  });
});
afterAll(() => store.close());

test('every code of the table is the one that ClickHouse calls so', async () => {
  const table = { ...outageCodes, ...damageCodes, ...configurationCodes };
  const rows = await store.select<{ code: number; name: string }>({
    name: 'names of codes',
    sql: `SELECT arrayJoin({codes:Array(UInt32)}) AS code, errorCodeToName(code) AS name`,
    parameters: { codes: Object.keys(table).map(Number) },
  });
  expect(Object.fromEntries(rows.map(({ code, name }) => [code, name]))).toEqual(table);
});

const clickHouse = (code: number) =>
  new ClickHouseError({ message: 'as the test said', code: String(code), type: 'ANY' });
const broken = Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });

const messages = {
  outage: 'The statistics store does not answer',
  damage: 'The statistics store has found damaged data: see its log',
  configuration: 'The statistics store refuses the service: see its log',
  mistake: 'Something went wrong here; it has been logged',
};

test.each([
  ['too many parts', clickHouse(252), 'outage', 'UNAVAILABLE', 1],
  ['a read-only replica', clickHouse(242), 'outage', 'UNAVAILABLE', 1],
  ['a full disk', clickHouse(243), 'outage', 'UNAVAILABLE', 1],
  ['a connection that broke', broken, 'outage', 'UNAVAILABLE', 1],
  ['an answer that is no JSON', new SyntaxError('Unexpected end'), 'outage', 'UNAVAILABLE', 1],
  ['a damaged part', clickHouse(246), 'damage', 'UNAVAILABLE', 1],
  ['a wrong password', clickHouse(516), 'configuration', 'UNAVAILABLE', 1],
  ['a right that is missing', clickHouse(497), 'configuration', 'UNAVAILABLE', 1],
  ['an unknown column', clickHouse(47), 'mistake', 'INTERNAL', undefined],
  ['a code nobody thought of', clickHouse(60_000), 'mistake', 'INTERNAL', undefined],
  ['a slip in our code', new TypeError('x is not a function'), 'mistake', 'INTERNAL', undefined],
] as const)('%s', (_what, cause, kind, code, retryAfterSeconds) => {
  expect(kindOfFailure(cause)).toBe(kind);
  const fault = faultOfStore(cause);
  expect(fault).toMatchObject({ code, retryAfterSeconds, cause });
  expect(fault.message).toBe(messages[kind]);
  expect(isStoreMistake(fault)).toBe(kind === 'mistake');
});

test('what an operator reads of a failure', () => {
  expect(isStoreMistake(broken)).toBe(false);
  expect(isStoreMistake(Object.assign(new Error('no fault'), { code: 'INTERNAL' }))).toBe(false);
  expect(findReason(faultOfStore(broken))).toBe(`${messages.outage}: socket hang up`);
  expect(findReason(broken)).toBe('socket hang up');
  expect(findReason('a text')).toBe('a text');
});

test('a statement of ours that the store refuses is a mistake, noted by its name', async () => {
  const nonsense = { name: 'nonsense', sql: 'SELECT nonsense', parameters: {} };
  await expect(store.select(nonsense)).rejects.toMatchObject({ code: 'INTERNAL' });
  await expect(store.command(nonsense)).rejects.toMatchObject({ code: 'INTERNAL' });
  await expect(store.insertText('no_such_table', Buffer.from('1\n'), ['a'])).rejects.toMatchObject({
    code: 'INTERNAL',
  });
  expect(noted).toEqual([
    { statement: 'nonsense', kind: 'mistake' },
    { statement: 'nonsense', kind: 'mistake' },
    { statement: 'insert into no_such_table', kind: 'mistake' },
  ]);
});

test('a wrong password is the configuration: the store says so, and a ping does too', async () => {
  const engine = engineAccess();
  const way = await openRefusingWay(engine);
  const stranger = openFactStore({
    ...engine,
    url: way.url,
    database: 'default',
  });
  const fault = { code: 'UNAVAILABLE', cause: expect.objectContaining({ code: '516' }) };
  await expect(stranger.ping()).rejects.toMatchObject(fault);
  await expect(stranger.createDatabase()).rejects.toMatchObject(fault);
  await stranger.close();
  await way.close();
});
