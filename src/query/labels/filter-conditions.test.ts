/** The conditions as SQL, and what the real engine lets through by them. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { engineAccess } from '../../../test/support/shared-parts.ts';
import { normalizeText } from '../../lib/values/text-normalization.ts';
import { type FactStore, openFactStore } from '../../store/client/store-client.ts';
import { readFilters } from '../parse/filter-parser.ts';
import { clockParameters } from '../ranges/local-clock.ts';
import { normalizedSql } from './dimension-sql.ts';
import { type FilterSources, filterConditions } from './filter-conditions.ts';

const seoul = [{ sinceMs: 0, offsetMs: 9 * 3_600_000 }];
const newYork = [
  { sinceMs: Date.UTC(2026, 0, 1), offsetMs: -5 * 3_600_000 },
  { sinceMs: Date.UTC(2026, 2, 8, 7), offsetMs: -4 * 3_600_000 },
];
/** From the first slot that can be stored, within an hour of 1969. */
const stJohns = [{ sinceMs: 0, offsetMs: -3.5 * 3_600_000 }];
const videos = [
  { videoId: 11, accessKey: 'Abc', folderId: 3, title: 'A walk, by night' },
  { videoId: 12, accessKey: 'xyz', folderId: 4, title: 'Seoul' },
  { videoId: 13, accessKey: 'odos', folderId: 5, title: 'ΟΔΟΣΑ Straße' },
];

const sources = (clock = seoul): FilterSources => ({
  accountId: 1,
  clock,
  labels: new Map([['plan', 2]]),
  publications: {
    findVideoIds: async (_, keys) =>
      new Map(
        [...videos, { videoId: 14, accessKey: 'unplayed' }]
          .filter(({ accessKey }) => keys.has(accessKey))
          .map(({ accessKey, videoId }) => [accessKey, videoId]),
      ),
  },
  playedVideos: async () => videos,
  playedPackages: async () => [
    { id: 7, name: 'Site' },
    { id: 8, name: 'App' },
    { id: 9, name: 'λόγοςα' },
  ],
  folderNames: async (ids) =>
    [
      { id: 3, name: 'Films' },
      { id: 4, name: 'Series' },
    ].filter(({ id }) => ids.includes(id)),
});

function conditionsOf(text: string, clock = seoul) {
  const filters = readFilters(text, sources().labels);
  if (!filters.ok) throw new Error(filters.reason);
  return filterConditions(filters.value, sources(clock));
}

test.each([
  [
    'label.plan!=free;country=@k',
    [
      'NOT (label2 IN {filter0Part0:Array(String)})',
      `(position(if(country = '', 'unknown', ${normalizedSql('country')}), ${normalizedSql('{filter1:String}')}) > 0)`,
    ],
    { filter0Part0: ['free'], filter1: 'k' },
  ],
  [
    'package==7,x,08,99999999999',
    ['(packageId IN {filter0Part0:Array(UInt32)})'],
    { filter0Part0: [7] },
  ],
  [
    'package==10,7.5,7x,4294967295,4294967296',
    ['(packageId IN {filter0Part0:Array(UInt32)})'],
    { filter0Part0: [10, 4_294_967_295] },
  ],
])('%s', async (text, sql, parameters) => {
  expect(await conditionsOf(text)).toEqual({ sql, parameters });
});

/** The ids that captions and keys stand for; `!` where they are left out. */
test.each([
  ['videoTitle=@WALK', 'videoId', [11]],
  [String.raw`videoTitle!=A walk\, by night`, '!videoId', [11]],
  ['videoTitle=@ΔΟΣ', 'videoId', [13]],
  ['videoTitle=@strasse', 'videoId', [13]],
  ['packageName=@ΛΌΓΟΣ', 'packageId', [9]],
  ['folderName=@seri', 'videoId', [12]],
  ['folderName==3', 'videoId', []],
  ['packageName!@sit', '!packageId', [7]],
  ['packageName==App', 'packageId', [8]],
  ['packageName==Ap', 'packageId', []],
  ['videoTitle!=Seo', '!videoId', []],
  ['video==unplayed', 'videoId', [14]],
  ['video!=unplayed', '!videoId', [14]],
  ['video==Abc,none', 'videoId', [11]],
  ['video!=none', '!videoId', []],
  ['video=@B', 'videoId', [11]],
  ['folder!=4', '!videoId', [12]],
])('%s is %s among %j', async (text, column, ids) => {
  const name = column.replace('!', '');
  const isIn = `(${name} IN {filter0Part0:Array(UInt32)})`;
  expect(await conditionsOf(text)).toEqual({
    sql: [column === name ? isIn : `NOT ${isIn}`],
    parameters: { filter0Part0: ids },
  });
});

test.each([
  ...['os', 'osVersion', 'device', 'browser', 'browserVersion', 'country'],
  ...['host', 'page', 'referrer', 'player'],
])('%s is a column, and unknown where it is empty', async (column) => {
  const { sql, parameters } = await conditionsOf(`${column}==Unknown`);
  expect(sql).toEqual([`(${column} IN {filter0Part0:Array(String)})`]);
  expect(parameters).toEqual({ filter0Part0: ['Unknown', ''] });
});

let store: FactStore;
beforeAll(() => {
  store = openFactStore({ ...engineAccess(), database: 'default' });
});
afterAll(() => store.close());

/** One fact, in the first quarter of an hour of the year in UTC but for what is said otherwise. */
async function letsThrough(text: string, about: Record<string, string>, clock = seoul) {
  const { sql, parameters } = await conditionsOf(text, clock);
  const fact: Record<string, string> = {
    slot: "toDateTime('2026-01-01 00:00:00', 'UTC')",
    packageId: 'toUInt32(7)',
    videoId: 'toUInt32(11)',
    viewer: 'toUInt64(0)',
    ...Object.fromEntries(texts.map((name) => [name, "''"])),
    ...about,
  };
  const columns = Object.entries(fact).map(([name, value]) => `materialize(${value}) AS ${name}`);
  const rows = await store.select({
    name: `test ${randomUUID()}`,
    sql: `SELECT 1 FROM (SELECT ${columns.join(', ')}) WHERE ${sql.join(' AND ')}`,
    parameters: { ...parameters, ...clockParameters(clock) },
  });
  return rows.length === 1;
}
const texts = ['os', 'osVersion', 'device', 'country', 'page', 'label2'];

const slotAt = (text: string) => ({ slot: `toDateTime('${text}', 'UTC')` });
const viewerOf = (kind: number) => ({ viewer: `bitShiftLeft(toUInt64(${kind}), 62) + 5` });

test.each([
  ['os==Unknown', {}, true],
  ['os!=Unknown', {}, false],
  ['os==iOS,Linux', { os: "'Linux'" }, true],
  ['os==ios', { os: "'iOS'" }, false],
  ['os=@IO', { os: "'iOS'" }, true],
  ['os!@IO', { os: "'iOS'" }, false],
  ['country=@unk', {}, true],
  ['page=@ÉTÉ', { page: "'www.example.com/été'" }, true],
  ['page=@жук', { page: "'www.example.com/ЖУК'" }, true],
  ['label.plan=@ΔΟΣ', { label2: "'ΟΔΟΣΑ'" }, true],
  ['label.plan=@ΔΟΣ', { label2: "'ΟΔΟΣ'" }, true],
  ['label.plan=@STRASSE', { label2: "'Straße'" }, true],
  ['label.plan!@aß', { label2: "'STRASSE'" }, false],
  ['label.plan=@istanbul', { label2: "'İSTANBUL'" }, true],
  ['label.plan=@한글', { label2: "'\u1112\u1161\u11ab글'" }, true],
  ['label.plan=@UNK', {}, true],
  ['hour=@t09:', slotAt('2026-01-01 00:45:00'), true],
  ["page=@'%_", { page: String.raw`'a\'%_b'` }, true],
  ['page=@%', { page: "'abc'" }, false],
  ['label.plan==free', { label2: "'free'" }, true],
  ['package==7', {}, true],
  ['package==8', {}, false],
  ['package=@7', {}, true],
  ['package!@7', {}, false],
  ['video==Abc', {}, true],
  ['video!=Abc', {}, false],
  ['video==none', {}, false],
  ['video!=none', {}, true],
  ['folder==3', {}, true],
  ['folder=@4', {}, false],
  ['viewerKind==named', viewerOf(2), true],
  ['viewerKind==daily', viewerOf(1), true],
  ['viewerKind==none', {}, true],
  ['viewerKind=@D', viewerOf(2), true],
  ['hour==2026-01-01T09:00:00+09:00', slotAt('2026-01-01 00:45:00'), true],
  ['hour==2026-01-01T10:00:00+09:00', slotAt('2026-01-01 00:45:00'), false],
  ['date==2026-01-02', slotAt('2026-01-01 15:00:00'), true],
  ['date==2026-01-02', slotAt('2026-01-01 14:45:00'), false],
  ['week==2025-12-29', {}, true],
  ['month==2026-01-01', {}, true],
  ['year==2026-01-01', slotAt('2025-12-31 15:00:00'), true],
  ['hourOfDay==09', {}, true],
  ['weekday==4', {}, true],
  ['weekday==4;hourOfDay!=09', {}, false],
])('%s of %j: %s', async (text, about, expected) => {
  expect(await letsThrough(text, about as unknown as Record<string, string>)).toBe(expected);
});

test.each([
  ['2026-03-08 06:45:00', 'New York', '2026-03-08T01:00:00-05:00', newYork],
  ['2026-03-08 07:00:00', 'New York', '2026-03-08T03:00:00-04:00', newYork],
  ['1970-01-01 12:00:00', "St. John's", '1970-01-01T08:00:00-03:30', stJohns],
])('the hour of %s in %s is %s', async (slot, _, hour, clock) => {
  expect(await letsThrough(`hour==${hour}`, slotAt(slot), clock)).toBe(true);
});

test('a list longer than a field of a request is bound in parts', async () => {
  const many = Array.from({ length: 100 }, (_, index) => `${'x'.repeat(1_600)}${index}`);
  const text = `page==${many.join(',')}`;
  expect(await letsThrough(text, { page: `'${many.at(-1)}'` })).toBe(true);
  expect(await letsThrough(text, { page: "'other'" })).toBe(false);
});

/** Letters that change in number or place when their case does, in every order. */
const letters = [...'ΣσςßẞİıiIſKkﬁǰŉᾳΑΙ\u0307\u0301eéÉᏣꮳ한글ｶﾞ😀 -'];

test('the engine normalises as we do, so captions and values are found alike', async () => {
  const some = fc.array(fc.constantFrom(...letters), { minLength: 1, maxLength: 8 });
  const texts = fc.sample(some, { seed: 1, numRuns: 500 }).map((parts) => parts.join(''));
  const rows = await store.select<{ text: string; normalized: string }>({
    name: `test ${randomUUID()}`,
    sql: `SELECT text, ${normalizedSql('text')} AS normalized
      FROM (SELECT arrayJoin({texts:Array(String)}) AS text)`,
    parameters: { texts },
  });
  expect(rows).toHaveLength(texts.length);
  for (const { text, normalized } of rows) expect(normalized).toBe(normalizeText(text));
});
