/** What is counted of days that were checked, when it is counted again, and what is kept beside. */
import { beforeEach, expect, test } from 'vitest';
import { namedFacts } from '../../../test/support/named-facts.ts';
import { useNewStore } from '../../../test/support/use-new-store.ts';
import type { CurrentErasures } from '../../vocabulary/erasures.ts';
import type { CurrentVerdicts } from '../../vocabulary/suspects.ts';
import { numberOfWait, waitCauses, waitOutcomes } from '../../vocabulary/waits.ts';
import type { FactStore } from '../client/store-client.ts';
import type { Fact, Wait } from '../facts.ts';
import { noVerdicts } from '../sql/verdicts.ts';
import { repairSums } from '../sums/sum-check.ts';
import {
  audienceGrouping,
  audienceGroupingNames,
  qualitySumNames,
  qualityViewsNames,
} from '../tables/audience.ts';
import { countSomeDays, deleteOutdatedCounts, readAudienceDays } from './day-counts.ts';
import { checkViews, readCheckedDays } from './regular-views.ts';

const slotMs = 900_000;
const hourMs = 4 * slotMs;
const dayMs = 86_400_000;
/** The last day of a year, and the first of the next. */
const dayOne = Date.UTC(2025, 11, 31);
const dayTwo = dayOne + dayMs;
const viewOf = (number: number) => `00000000-0000-0000-0000-00000000000${number}`;

const made = useNewStore();
let accountId = 0;
let verdicts: CurrentVerdicts;
beforeEach(async () => {
  const tables = [
    ...['audience_day', 'irregular_fact', 'audience_seen', 'irregular_view', 'checked_day'],
    ...['playback_sum', 'stretch'],
  ];
  for (const table of tables) await made().run(`TRUNCATE TABLE ${table}`);
  accountId += 1;
  verdicts = noVerdicts;
});

function factOf(view: number, slotStart: number, other: Partial<Fact> = {}): Fact {
  const media = { laterMs: 0, mediaMs: 30_000, attributes: {} };
  const details = { ...media, ...other.details, startMs: slotStart };
  return {
    ...{ accountId, slotStart, packageId: 1, videoId: 11, os: 'iOS', osVersion: '18' },
    ...{ view: viewOf(view), stretch: 0, suspect: '', plays: 1, playMs: 60_000 },
    ...other,
    details,
  };
}
const by = (viewer: bigint) => ({
  details: { startMs: 0, laterMs: 0, mediaMs: 60_000, viewer: String(viewer), attributes: {} },
});
const ofDay = 1n << 62n;
const named = 2n << 62n;

const bothDays = [dayOne, dayTwo];
async function check(facts: readonly Fact[], checked = bothDays): Promise<void> {
  await made().write(facts);
  const days = checked.map((day) => ({ accountId, day }));
  await repairSums(made().store, days, verdicts);
  await made().run('TRUNCATE TABLE touched');
  await checkViews(made().store, days, 0);
}

const current = async () => verdicts;
const count = () => countSomeDays(made().store, { current });
async function countAll(): Promise<number> {
  let times = 0;
  while (await count()) {
    times += 1;
    if (times === 9) expect.fail('days are counted again and again');
  }
  return times;
}
const currentDays = async () => {
  const range = { accountId, fromMs: dayOne, untilMs: dayTwo + dayMs };
  return readAudienceDays(made().store, range, verdicts);
};

const counts = 'plays, playMs, mediaMs, views, knownViews, namedViews, viewers';
/** Of a grouping `hour value version` and the counts, hours counted from the first day. */
async function counted(grouping: string): Promise<string[]> {
  const rows = await made().rows<Record<string, string | number>>(
    `SELECT (toUnixTimestamp(slot) - {first:UInt32}) / 3600 AS hour, value, version, ${counts}
      FROM audience_day FINAL WHERE grouping = {grouping:String} AND accountId = {accountId:UInt32}
      ORDER BY ALL`,
    { accountId, grouping, first: dayOne / 1_000 },
  );
  return rows.map((row) => Object.values(row).join(' '));
}

const browser = (name: string, version: string) => ({
  ...{ startMs: 0, laterMs: 0, mediaMs: 0, attributes: { browser: name, browserVersion: version } },
});

test('plays, times, views and viewers by each grouping', async () => {
  await check([
    factOf(1, dayOne, { details: browser('Firefox', '140') }),
    factOf(2, dayOne + 5 * hourMs, by(ofDay + 1n)),
    factOf(3, dayOne + 5 * hourMs + slotMs, { ...by(ofDay + 1n), packageId: 2, os: 'Linux' }),
    // Of which some time was taken back.
    factOf(4, dayTwo - slotMs, {
      ...{ ...by(named + 1n), videoId: 12, osVersion: '' },
      ...{ playMs: 90_000, ceiling: { ms: 60_000, known: 1 } },
    }),
    // On two days; it has a mark.
    factOf(5, dayTwo - slotMs),
    factOf(5, dayTwo, { stretch: 1, plays: 0, details: browser('', '') }),
    factOf(8, dayTwo),
    factOf(6, dayOne, { suspect: 'VIDEO:2025-12-31:11' }),
    factOf(7, dayOne, { stretch: 1, plays: 0, playMs: 0 }),
  ]);
  expect(await countAll()).toBe(1);
  // plays playMs mediaMs views knownViews namedViews viewers; no media of what has a ceiling
  expect(await counted('total')).toEqual([
    '0   5 300000 150000 4 3 1 2',
    '24   1 120000 30000 1 0 0 1',
  ]);
  expect(await counted('hour')).toEqual([
    '0   1 60000 0 1 0 0 1',
    '5   2 120000 120000 2 2 0 1',
    '23   2 120000 30000 1 1 1 0',
    '24   1 120000 30000 1 0 0 1',
  ]);
  expect(await counted('package')).toEqual([
    '0 1  4 240000 90000 3 2 1 2',
    '0 2  1 60000 60000 1 1 0 1',
    '24 1  1 120000 30000 1 0 0 1',
  ]);
  expect(await counted('video')).toEqual([
    '0 11  4 240000 150000 3 2 0 2',
    '0 12  1 60000 0 1 1 1 0',
    '24 11  1 120000 30000 1 0 0 1',
  ]);
  expect(await counted('osVersion')).toEqual([
    '0 Linux 18 1 60000 60000 1 1 0 1',
    '0 iOS 18 3 180000 90000 2 1 0 2',
    '0 iOS Unknown 1 60000 0 1 1 1 0',
    '24 iOS 18 1 120000 30000 1 0 0 1',
  ]);
  expect(await counted('browser')).toEqual([
    '0 Firefox  1 60000 0 1 0 0 1',
    '0 Unknown  4 240000 150000 3 3 1 1',
    '24 Unknown  1 120000 30000 1 0 0 1',
  ]);
  expect(await counted('browserVersion')).toEqual([
    '0 Firefox 140 1 60000 0 1 0 0 1',
    '0 Unknown Unknown 4 240000 150000 3 3 1 1',
    '24 Unknown Unknown 1 120000 30000 1 0 0 1',
  ]);
  expect(await counted('viewerKind')).toEqual([
    '0 0  2 120000 30000 1 0 0 1',
    '0 1  2 120000 120000 2 2 0 1',
    '0 2  1 60000 0 1 1 1 0',
    '24 0  1 120000 30000 1 0 0 1',
  ]);
  const split = await counted('split');
  // Dates that begin with an hour of the day: before it and from it on.
  const ofHour = (hour: number) => split.filter((row) => row.split(' ')[1] === String(hour));
  expect(ofHour(0)).toEqual(['0 0  5 300000 150000 4 3 1 2', '24 0  1 120000 30000 1 0 0 1']);
  expect(ofHour(5)).toEqual([
    '0 5  1 60000 0 1 0 0 1',
    '5 5  4 240000 150000 3 3 1 1',
    '24 5  1 120000 30000 1 0 0 1',
  ]);
  expect(ofHour(23).map((row) => row.split(' ')[0])).toEqual(['0', '23', '24']);
  expect(ofHour(24)).toEqual([]);
  const days = await currentDays();
  expect(days).toEqual([
    { day: dayOne, marks: 1, namedViews: 1, countedAtMs: expect.any(Number) },
    { day: dayTwo, marks: 1, namedViews: 0, countedAtMs: days[0]?.countedAtMs },
  ]);
});

test('of each column of a grouping is kept what its value can be read from', async () => {
  await made().write([
    factOf(1, dayOne, { packageId: 4_000_000_000, details: browser('Firefox', '140') }),
    factOf(2, dayOne, { ...by(ofDay + 1n), videoId: 12 }),
    factOf(3, dayOne, { ...by(named + 1n), os: 'Linux', osVersion: '' }),
  ]);
  const columns = audienceGroupingNames.flatMap((name) => audienceGrouping(name).columns);
  const read = columns.map(
    ({ name, kept, restored }) => `arraySort(groupUniqArray(${restored(kept)})) AS of_${name}`,
  );
  const distinct = [...new Set(read)];
  const [found] = await made().rows(`SELECT ${distinct.join(', ')} FROM ${namedFacts}`);
  expect(found).toMatchObject({
    ...{ of_packageId: [1, 4_000_000_000], of_videoId: [11, 12], of_os: ['Linux', 'iOS'] },
    ...{ of_osVersion: ['18', 'Unknown'], of_browser: ['Firefox', 'Unknown'] },
    ...{ of_browserVersion: ['140', 'Unknown'], of_label10: ['Unknown'] },
    of_viewer: [0, Number(ofDay), Number(named)],
  });
});

test('beside the counts are what marked views are, hour by hour, and what all saw', async () => {
  const onward = { stretch: 1, plays: 0 };
  const positioned = (position: number) => ({
    ...{ startMs: 0, laterMs: 0, mediaMs: 30_000, position, attributes: {} },
  });
  await check([
    factOf(1, dayOne + hourMs - slotMs, { details: browser('Firefox', '140') }),
    factOf(1, dayOne + hourMs, { ...onward, ...by(ofDay + 1n), packageId: 1 }),
    factOf(1, dayOne + hourMs + slotMs, { ...onward, ...by(ofDay + 1n), stretch: 2 }),
    factOf(2, dayOne, { details: positioned(0) }),
    factOf(2, dayOne, { ...onward, details: positioned(20_000) }),
    factOf(3, dayOne, { details: positioned(10_000) }),
    factOf(4, dayOne, { ...onward, os: 'Linux', details: positioned(5_000) }),
    factOf(5, dayOne, { suspect: 'VIDEO:2025-12-31:11', stretch: 1 }),
  ]);
  expect(await countAll()).toBe(1);
  // Once each, though the first was marked by the check and with its viewer.
  const marks = await made().rows(
    `SELECT toString(view) AS view FROM irregular_view FINAL
      WHERE accountId = {accountId:UInt32} ORDER BY view`,
    { accountId },
  );
  expect(marks).toEqual([1, 4].map((number) => ({ view: viewOf(number) })));
  const ofDayOne = await made().rows<Record<string, string | number>>(
    `SELECT (toUnixTimestamp(slot) - {first:UInt32}) / 3600 AS hour, toString(view) AS view,
      packageId, videoId, os, osVersion, browser, browserVersion, toString(viewer) AS viewer
    FROM irregular_fact FINAL WHERE accountId = {accountId:UInt32} ORDER BY ALL`,
    { accountId, first: dayOne / 1_000 },
  );
  expect(ofDayOne.map((row) => Object.values(row).join(' '))).toEqual([
    `0 ${viewOf(1)} 1 11 iOS 18 Firefox 140 0`,
    `0 ${viewOf(4)} 1 11 Linux 18   0`,
    `1 ${viewOf(1)} 1 11 iOS 18   ${ofDay + 1n}`,
  ]);
  const seen = await made().rows(
    `SELECT views, positionedViews, isFirst, fromMs, rangeMs, extraAtMs, extra
    FROM audience_seen FINAL WHERE accountId = {accountId:UInt32} ORDER BY view`,
    { accountId },
  );
  const nothing = { isFirst: [], fromMs: [], rangeMs: [], extraAtMs: [], extra: [] };
  // The two without a mark in one row; what the first of them played again is kept beside it.
  expect(seen).toEqual([
    {
      ...{ views: 2, positionedViews: 2, isFirst: [1, 1], fromMs: [0, 10_000] },
      ...{ rangeMs: [50_000, 30_000], extraAtMs: [20_000, 30_000], extra: [1, -1] },
    },
    { ...nothing, views: 1, positionedViews: 0 },
    { ...nothing, views: 1, positionedViews: 1, isFirst: [1], fromMs: [5_000], rangeMs: [30_000] },
  ]);
  const [hashes] = await made().rows<{ isOfBoth: number }>(
    `SELECT viewHashes = arraySort(arrayMap(view -> toUInt32(cityHash64(toUInt32(1), toUInt32(11),
        toUUID(view)) % 4294967296), {views:Array(String)})) AS isOfBoth
    FROM audience_seen FINAL WHERE accountId = {accountId:UInt32} AND views = 2`,
    { accountId, views: [viewOf(2), viewOf(3)] },
  );
  expect(hashes?.isOfBoth).toBe(1);
});

test('quality of views without a mark, and beside it what waits of the others were', async () => {
  const details = {
    startMs: dayOne,
    laterMs: 0,
    mediaMs: 30_000,
    attributes: { quality: 'reported' },
  };
  const told = (view: number, other: Partial<Fact>) => factOf(view, dayOne, { details, ...other });
  const wait = (view: number, number: number, of: Wait) =>
    told(view, {
      ...{ stretch: numberOfWait(number), plays: 0, playMs: 0 },
      quality: { wait: of, mediaHost: 'cdn1.example.com' },
    });
  await check([
    wait(1, 0, { cause: 'start', outcome: 'played', waitMs: 700 }),
    wait(1, 1, { cause: 'stall', outcome: 'played', waitMs: 1_300 }),
    // Nothing more is heard of it: it was left.
    wait(1, 2, { cause: 'stall', outcome: 'waiting', waitMs: 2_000 }),
    wait(1, 3, { cause: 'seek', outcome: 'failed', waitMs: 5_000, error: '3016' }),
    told(1, { quality: { mediaBits: 90_000_000, frames: 1_500, droppedFrames: 30 } }),
    // Two that never played, of which the second has a mark for its two systems.
    wait(4, 0, { cause: 'start', outcome: 'waiting', waitMs: 400 }),
    wait(2, 0, { cause: 'start', outcome: 'waiting', waitMs: 400 }),
    { ...wait(2, 1, { cause: 'seek', outcome: 'played', waitMs: 200 }), os: 'Linux' },
    factOf(3, dayOne),
  ]);
  expect(await countAll()).toBe(1);
  const columns = ['views', 'waits', ...qualityViewsNames, ...qualitySumNames];
  const ofGrouping = (grouping: string) =>
    made().rows<Record<string, string>>(
      `SELECT value, ${columns.join(', ')} FROM audience_day FINAL
        WHERE grouping = {grouping:String} AND accountId = {accountId:UInt32} ORDER BY value`,
      { accountId, grouping },
    );
  const numbersOf = (row: Record<string, unknown> = {}) =>
    Object.fromEntries(
      columns.flatMap((name) => (Number(row[name]) ? [[name, Number(row[name])]] : [])),
    );
  const [total] = await ofGrouping('total');
  const playback = { qualityPlayMs: 60_000, mediaBits: 90_000_000, bitsMediaMs: 30_000 };
  expect(numbersOf(total)).toEqual({
    ...{ views: 2, waits: 7, qualityViews: 2, failures: 1, stalledViews: 1 },
    ...{ attempts: 3, starts: 1, exitsBeforeStart: 2, allStartupMs: 700 },
    ...{ stalls: 2, stallMs: 3_300, seeks: 2, allSeekMs: 5_200 },
    ...{ ...playback, watchedMs: 70_000, frames: 1_500, droppedFrames: 30 },
  });
  const [unknown, host] = await ofGrouping('mediaHost');
  expect([unknown?.value, host?.value]).toEqual(['Unknown', 'cdn1.example.com']);
  expect(numbersOf(unknown)).toMatchObject({ views: 2, qualityViews: 1, ...playback });
  const beside = await made().rows(
    `SELECT toString(view) AS view, cause, outcome, mediaHost, hasPlayback FROM irregular_fact FINAL
      WHERE accountId = {accountId:UInt32} ORDER BY cause`,
    { accountId },
  );
  const left = { cause: waitCauses.start, outcome: waitOutcomes.left };
  const sought = { cause: waitCauses.seek, outcome: waitOutcomes.played };
  expect(beside).toEqual([
    { view: viewOf(2), ...left, mediaHost: 'cdn1.example.com', hasPlayback: 0 },
    { view: viewOf(2), ...sought, mediaHost: 'cdn1.example.com', hasPlayback: 0 },
  ]);
});

/** How many are kept of the account's days, and how often some were deleted. */
async function countings(): Promise<[kept: number, deletions: number]> {
  const [row] = await made().rows<{ kept: number; deletions: number }>(
    `SELECT uniqExact(countedAt) AS kept, (SELECT count() FROM system.mutations
      WHERE database = currentDatabase() AND table = 'audience_day') AS deletions
    FROM audience_day WHERE accountId = {accountId:UInt32}`,
    { accountId },
  );
  return [row?.kept ?? 0, row?.deletions ?? 0];
}

test('a day is counted again as soon as what it was counted of has changed', async () => {
  const [, deletions] = await countings();
  await check([factOf(1, dayOne)]);
  expect(await countAll()).toBe(1);
  expect(await countings()).toEqual([1, deletions]);
  expect(await countAll()).toBe(0);
  const marks = await currentDays();
  expect(marks).toHaveLength(1);
  verdicts = { ...noVerdicts, epochs: new Map([[accountId, 1]]) };
  expect(await currentDays()).toEqual([]);
  expect(await countAll()).toBe(1);
  expect(await countings()).toEqual([1, deletions + 1]);
  expect(await currentDays()).toHaveLength(1);
  // Of a lower epoch they are no more current than of a higher one.
  verdicts = noVerdicts;
  expect(await currentDays()).toEqual([]);
  verdicts = { ...noVerdicts, epochs: new Map([[accountId, 1]]) };
  await made().run(
    `INSERT INTO irregular_view VALUES ({accountId:UInt32}, {slot:UInt32}, 1, 11, {view:UUID})`,
    { accountId, slot: dayOne / 1_000, view: viewOf(1) },
  );
  expect(await currentDays()).toEqual([]);
  // Beside a day that was never counted.
  await check([factOf(2, dayTwo)], [dayTwo]);
  expect(await countAll()).toBe(1);
  expect(await currentDays()).toMatchObject([
    { day: dayOne, marks: 1 },
    { day: dayTwo, marks: 0 },
  ]);
  expect(await counted('total')).toEqual([
    '0   1 60000 30000 0 0 0 0',
    '24   1 60000 30000 1 0 0 1',
  ]);
  expect(await countings()).toEqual([1, deletions + 2]);
});

const erasures = (own: Partial<CurrentErasures>): CurrentErasures => ({
  ...{ open: [], keptSince: new Map(), accounts: new Set() },
  ...own,
});

const keptTables = ['audience_day', 'irregular_fact', 'audience_seen'];

test('what is counted while something is erased is forgotten', async () => {
  await check([factOf(1, dayOne)]);
  const states: CurrentVerdicts[] = [
    noVerdicts,
    { ...noVerdicts, erasures: erasures({ keptSince: new Map([[accountId, dayOne]]) }) },
  ];
  const changing = async () => states.shift() ?? noVerdicts;
  expect(await countSomeDays(made().store, { current: changing })).toBe(true);
  for (const table of keptTables) {
    const left = await made().rows(`SELECT 1 FROM ${table} WHERE accountId = {accountId:UInt32}`, {
      accountId,
    });
    expect(left).toEqual([]);
  }
  const target = { accountId, kind: 'views', viewer: '', views: [], packageId: 0 } as const;
  const open = [{ ...target, videoId: 0, untilMs: 0, receipt: 'r', state: 'summing' as const }];
  verdicts = { ...noVerdicts, erasures: erasures({ open }) };
  expect(await countAll()).toBe(0);
  verdicts = noVerdicts;
  expect(await countAll()).toBe(1);
});

test('what another process has counted since an erasure stays', async () => {
  await check([factOf(1, dayOne), factOf(1, dayOne, { stretch: 1, plays: 0, os: 'Linux' })]);
  const before = verdicts;
  verdicts = { ...noVerdicts, epochs: new Map([[accountId, 1]]) };
  const states = [async () => before, async () => void (await count())];
  const changing = async () => (await states.shift()?.()) ?? verdicts;
  expect(await countSomeDays(made().store, { current: changing })).toBe(true);
  const [day] = await currentDays();
  for (const table of keptTables) {
    const countings = await made().rows(
      `SELECT DISTINCT toUnixTimestamp64Milli(countedAt) AS countedAtMs FROM ${table}
        WHERE accountId = {accountId:UInt32}`,
      { accountId },
    );
    expect(countings).toEqual([{ countedAtMs: day?.countedAtMs }]);
  }
});

/** The store of a process that is killed when it begins a statement. */
function killedAt(statement: string): FactStore {
  const store: FactStore = {
    ...made().store,
    async command(query, timeoutSeconds) {
      if (query.name === statement) throw new Error('killed, as the test said');
      return made().store.command(query, timeoutSeconds);
    },
    onEachServer: async (work) => [await work(store)],
  };
  return store;
}

interface Killed {
  readonly at: string;
  /** Views that are not erased, of before and of after the kill. */
  readonly others: number[];
  readonly late: number[];
}

test.each<[string, Killed]>([
  ['before the counts are stored', { at: 'count days', others: [], late: [] }],
  ['before the counts are stored, and others played', { at: 'count days', others: [3], late: [] }],
  ['before they are deleted', { at: 'delete from audience_day', others: [], late: [] }],
  [
    'half-way through it, and others played',
    { at: 'delete from irregular_fact', others: [3], late: [] },
  ],
  [
    'before the last are deleted, and more came since',
    { at: 'delete from audience_seen', others: [3], late: [4] },
  ],
])(
  'of what is erased while it is counted nothing stays: killed %s',
  async (_, { at, others, late }) => {
    const onDayOne = (views: number[]) => views.map((view) => factOf(view, dayOne));
    const irregular = factOf(1, dayOne, { stretch: 1, plays: 0, os: 'Linux' });
    await check([...onDayOne([1, 2, ...others]), irregular]);
    const after: CurrentVerdicts = {
      ...{ accepted: [], epochs: new Map([[accountId, 1]]) },
      erasures: erasures({ accounts: new Set([accountId]) }),
    };
    const states = [noVerdicts];
    const current = async () => states.shift() ?? after;
    const killed = countSomeDays(killedAt(at), { current });
    await expect(killed).rejects.toThrow('as the test said');

    verdicts = after;
    await made().run('ALTER TABLE stretch DELETE WHERE view IN {views:Array(UUID)}', {
      views: [1, 2].map(viewOf),
    });
    await repairSums(made().store, [{ accountId, day: dayOne }], verdicts);
    await made().write(onDayOne(late));
    // Without plays, or with facts that were not checked yet, it is not counted again.
    const isDue = others.length > 0 && late.length === 0;
    expect(await countAll()).toBe(isDue ? 1 : 0);
    await deleteOutdatedCounts(made().store, verdicts);
    expect(await keptViews()).toEqual(isDue ? [others.length, 0, others.length] : [0, 0, 0]);
    expect(await countAll()).toBe(0);
  },
);

test('days whose facts were erased are not counted, and what a killed process counted of them goes', async () => {
  const irregular = factOf(1, dayOne, { stretch: 1, plays: 0, os: 'Linux' });
  await check([factOf(1, dayOne), irregular, factOf(2, dayTwo)]);
  const ofDay = async () =>
    (await currentDays()).map(({ day, countedAtMs }) => ({ day, countedAtMs }));
  const keptSince = new Map([[accountId, dayTwo]]);
  verdicts = { ...noVerdicts, erasures: erasures({ keptSince, accounts: new Set([accountId]) }) };
  expect(await countAll()).toBe(1);
  expect(await ofDay()).toMatchObject([{ day: dayTwo }]);
  expect(await keptViews()).toEqual([1, 0, 1]);

  await made().run('TRUNCATE TABLE audience_day');
  const states = [noVerdicts];
  const early = async () => states.shift() ?? verdicts;
  const killed = countSomeDays(killedAt('delete from audience_day'), { current: early });
  await expect(killed).rejects.toThrow('as the test said');
  const both = await ofDay();
  expect(both).toMatchObject([{ day: dayOne }, { day: dayTwo }]);
  await deleteOutdatedCounts(made().store, verdicts);
  expect(await ofDay()).toEqual(both.slice(1));
  expect(await keptViews()).toEqual([1, 0, 1]);
});

test('a day whose earlier counts could not be deleted is not counted for that', async () => {
  await check([factOf(1, dayOne)]);
  await countAll();
  const accounts = new Set([accountId]);
  const erasure = erasures({ accounts });
  verdicts = { ...noVerdicts, epochs: new Map([[accountId, 1]]), erasures: erasure };
  const killed = countSomeDays(killedAt('delete from audience_day'), { current });
  await expect(killed).rejects.toThrow('as the test said');
  expect(await countAll()).toBe(0);
  const days = await currentDays();
  const [kept, deletions] = await countings();
  expect(kept).toBe(2);
  await deleteOutdatedCounts(made().store, verdicts);
  expect(await countings()).toEqual([1, deletions + 1]);
  expect(await currentDays()).toEqual(days);
  await deleteOutdatedCounts(made().store, verdicts);
  expect(await countings()).toEqual([1, deletions + 1]);
});

test('what another process is storing of a day that is due is not outdated', async () => {
  await check([factOf(1, dayOne), factOf(1, dayOne, { stretch: 1, plays: 0, os: 'Linux' })]);
  await countAll();
  const accounts = new Set([accountId]);
  verdicts = { ...noVerdicts, epochs: new Map([[accountId, 1]]), erasures: erasures({ accounts }) };
  const store: FactStore = {
    ...made().store,
    async command(query, timeoutSeconds) {
      if (query.name === 'count days') await deleteOutdatedCounts(made().store, verdicts);
      return made().store.command(query, timeoutSeconds);
    },
  };
  expect(await countSomeDays(store, { current })).toBe(true);
  expect(await currentDays()).toMatchObject([{ day: dayOne, marks: 1 }]);
  expect(await keptViews()).toEqual([0, 1, 1]);
});

/** Of all countings: views of the counts, marked views, and views of what was seen. */
async function keptViews(): Promise<number[]> {
  const views = async (sql: string) => {
    const [row] = await made().rows<{ views: number }>(
      `SELECT toUInt32(${sql} WHERE accountId = {accountId:UInt32}`,
      { accountId },
    );
    return row?.views;
  };
  const all = [
    `sumIf(views, grouping = 'total')) AS views FROM audience_day FINAL`,
    'uniqExact(view)) AS views FROM irregular_fact',
    'sum(views)) AS views FROM audience_seen FINAL',
  ];
  return Promise.all(all.map(async (sql) => (await views(sql)) ?? 0));
}

test('a day that was counted by a clock that was ahead is counted again, once', async () => {
  await check([factOf(1, dayOne)]);
  await made().run(
    `INSERT INTO audience_day (accountId, grouping, slot, countedAt)
      SELECT {accountId:UInt32}, 'total', {slot:UInt32}, now64(3) + toIntervalHour(1)`,
    { accountId, slot: dayOne / 1_000 },
  );
  expect(await countAll()).toBe(1);
  expect(await currentDays()).toMatchObject([{ day: dayOne }]);
  expect(await counted('total')).toEqual(['0   1 60000 30000 1 0 0 1']);
});

async function pretendPlays(day: number, plays: number): Promise<void> {
  await made().run(
    `INSERT INTO playback_sum (accountId, grouping, slot, plays)
      VALUES ({accountId:UInt32}, 'account-day', {slot:UInt32}, {plays:UInt64})`,
    { accountId, slot: day / 1_000, plays },
  );
}

test.each([
  [100_000, 100_000, 1],
  [100_001, 100_000, 2],
  [1_000_000, 1, 2],
  [1_000_001, 1, 1],
])('days of %i and %i plays are counted by %i statements', async (first, second, times) => {
  const days = [dayOne, dayTwo].map((day) => ({ accountId, day }));
  await pretendPlays(dayOne, first);
  await pretendPlays(dayTwo, second);
  await checkViews(made().store, days, 0);
  expect(await count()).toBe(true);
  const found = (await currentDays()).map(({ day }) => day);
  // The latest first; one with too many plays never.
  expect(found).toEqual(times === 1 && first <= 100_000 ? [dayOne, dayTwo] : [dayTwo]);
  expect(await countAll()).toBe(times - 1);
  // Also one of which no fact counts has a row.
  expect(await counted('total')).toHaveLength(first > 1_000_000 ? 1 : 2);
});

test('a note that arrived as the check began may be of facts that it did not see', async () => {
  await check([factOf(1, dayOne)]);
  await countAll();
  const note = (earlierMs: number) =>
    made().run(
      `INSERT INTO touched (arrival, accountId, slot)
        SELECT checkedAt - toIntervalMillisecond({earlierMs:UInt32}), accountId, slot
        FROM checked_day WHERE accountId = {accountId:UInt32} AND slot = {slot:UInt32}`,
      { earlierMs, accountId, slot: dayOne / 1_000 },
    );
  const range = { accountId, fromMs: dayOne, untilMs: dayTwo };
  await note(1);
  expect(await readCheckedDays(made().store, range)).toEqual([dayOne]);
  expect(await currentDays()).toHaveLength(1);
  await note(0);
  expect(await readCheckedDays(made().store, range)).toEqual([]);
  expect(await currentDays()).toEqual([]);
  const noWholeDay = { ...range, fromMs: dayOne + 1 };
  expect(await readCheckedDays(made().store, noWholeDay)).toEqual([]);
  expect(await readAudienceDays(made().store, noWholeDay, verdicts)).toEqual([]);
});

test('days without plays, and days that were not checked since, are not counted', async () => {
  await check([factOf(1, dayOne, { plays: 0 }), factOf(2, dayTwo)]);
  await made().write([factOf(3, dayTwo)]);
  expect(await countAll()).toBe(0);
});
