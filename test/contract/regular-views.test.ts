/** Which views are marked as irregular, and on which days every view without a mark is regular. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Fact, FactDetails } from '../../src/store/facts.ts';
import { tables } from '../../src/store/facts.ts';
import type { Facts } from '../../src/store/open-facts.ts';
import { describeKinds } from '../support/each-kind.ts';
import { summingStores } from '../support/fact-stores.ts';

const slotMs = 900_000;
const dayMs = 86_400_000;
const day = Date.UTC(2026, 9, 5);

let accounts = 0;
const newAccount = () => {
  accounts += 1;
  return accounts;
};

const unknown: FactDetails = { startMs: 0, laterMs: 0, mediaMs: 0, attributes: {} };
const firefox = { ...unknown, attributes: { browser: 'Firefox' } };
const named = { ...unknown, viewer: String((2n << 62n) + 1n) };
const play = { plays: 1 };
const onward = { stretch: 1 };
const nextSlot = { ...onward, slotStart: day + slotMs };
const nextDay = { ...onward, slotStart: day + dayMs };
const suspect = 'ADDRESS:2026-10-05:1';

/** Facts of one view, and the days (from `day` on) on which it is marked. */
const cases: readonly (readonly [string, readonly Partial<Fact>[], readonly number[]])[] = [
  ['one stretch', [play], []],
  ['two slots of a day', [play, nextSlot], []],
  ['the last slot of a day', [{ ...play, slotStart: day + dayMs - slotMs }], []],
  ['the same fact twice, grown', [play, { ...play, playMs: 2_000 }], []],
  ['no play', [{ stretch: 3 }], [0]],
  ['two plays', [play, { ...nextSlot, ...play }], [0]],
  ['two days', [play, nextDay], [0, 1]],
  ['two days with a play each', [play, { ...nextDay, ...play }], [0, 1]],
  [
    'two browsers',
    [
      { ...play, details: firefox },
      { ...onward, details: unknown },
    ],
    [0],
  ],
  ['two systems', [play, { ...onward, os: 'Android' }], [0]],
  ['two versions', [play, { ...onward, osVersion: '17' }], [0]],
  ['a viewer known only later', [play, { ...onward, details: named }], [0]],
  ['two videos: a view of each', [play, { ...play, videoId: 12 }], []],
  ['two packages: a view of each', [play, { ...play, packageId: 2 }], []],
  ['a part that is set apart', [play, { ...nextDay, suspect }], []],
  ['a play that is set apart', [{ ...play, suspect }, onward], [0]],
];

describeKinds(summingStores(), 'regular views on $name', (kind) => {
  let facts: Facts;
  beforeAll(async () => {
    // Nothing is under way when a test checks.
    facts = await kind.open(await kind.newLocation(), 'node', { pace: { lookBackMs: 0 } });
  });
  afterAll(() => kind.stop());

  function factOf(accountId: number, other: Partial<Fact>): Fact {
    return {
      ...{ accountId, slotStart: day, packageId: 1, videoId: 11, os: 'iOS', osVersion: '18' },
      ...{ view: 'none', stretch: 0, suspect: '', plays: 0, playMs: 1_000 },
      ...other,
    };
  }
  const write = async (written: readonly Fact[]) => {
    await facts.stretches.write(written);
    await facts.rollUp();
  };
  const range = { fromMs: day - 3 * dayMs, untilMs: day + 3 * dayMs };
  const checkedDays = async (accountId: number) => {
    const checked = await facts.checkedDays({ accountId, ...range });
    return checked.map((at) => (at - day) / dayMs);
  };
  const marksOf = async (accountId: number) => {
    const rows = await facts.read<{ view: string; at: number }>({
      name: 'test',
      sql: `SELECT DISTINCT toString(view) AS view, toUnixTimestamp(slot) AS at
        FROM ${tables.irregularView.name} WHERE accountId = {accountId:UInt32} ORDER BY at`,
      parameters: { accountId },
    });
    return rows.map(({ view, at }) => ({ view, day: (at * 1_000 - day) / dayMs }));
  };

  test('those of which a play does not tell all are marked on all of their days', async () => {
    const accountId = newAccount();
    const views = cases.map(([name, parts, days]) => ({ name, view: randomUUID(), parts, days }));
    await write(
      views.flatMap(({ view, parts }) => parts.map((part) => factOf(accountId, { view, ...part }))),
    );
    expect(await checkedDays(accountId)).toEqual([]);
    await facts.checkViews();
    expect(await checkedDays(accountId)).toEqual([0, 1]);
    const marks = await marksOf(accountId);
    const found = views.map(({ name, view }) => [
      name,
      marks.filter((mark) => mark.view === view).map((mark) => mark.day),
    ]);
    expect(found).toEqual(views.map(({ name, days }) => [name, days]));
  });

  test('a day that gets a fact is not checked until it was checked again', async () => {
    const accountId = newAccount();
    const view = randomUUID();
    await write([
      factOf(accountId, { view, ...play }),
      factOf(accountId, { view: randomUUID(), ...play, slotStart: day + dayMs }),
    ]);
    await facts.checkViews();
    expect(await checkedDays(accountId)).toEqual([0, 1]);
    expect(await marksOf(accountId)).toEqual([]);
    await write([factOf(accountId, { view, ...nextDay })]);
    expect(await checkedDays(accountId)).toEqual([0]);
    await facts.checkViews();
    expect(await checkedDays(accountId)).toEqual([0, 1]);
    // Also on the day that was checked before.
    expect(await marksOf(accountId)).toEqual([
      { view, day: 0 },
      { view, day: 1 },
    ]);
  });

  test('with a view all views of its viewer of a day are marked', async () => {
    const accountId = newAccount();
    const daily = (number: bigint) => ({
      ...{ ...unknown, viewer: String((1n << 62n) + number) },
    });
    // Each with two views: of one of them no play is known; on two days; and nothing of either.
    const viewers = [1n, 2n, 3n].map((number) => {
      const views = [randomUUID(), randomUUID()];
      const of = (index: number, other: Partial<Fact>) =>
        factOf(accountId, { view: views[index] ?? '', details: daily(number), ...other });
      return { views, of };
    });
    const [unplayed, elsewhere, usual] = viewers;
    await write(
      [
        ...[unplayed?.of(0, {}), unplayed?.of(1, play)],
        ...[elsewhere?.of(0, play), elsewhere?.of(1, { ...play, slotStart: day + dayMs })],
        ...[usual?.of(0, play), usual?.of(1, { ...play, slotStart: day + slotMs })],
        // The page names whom it likes on as many days.
        factOf(accountId, { view: randomUUID(), ...play, details: named }),
        factOf(accountId, { view: randomUUID(), ...play, details: named, slotStart: day + dayMs }),
      ].filter((fact) => fact !== undefined),
    );
    await facts.checkViews();
    const marks = (await marksOf(accountId)).map(({ view, day: at }) => `${at} ${view}`);
    const expected = [0, 1].map((index) => `0 ${unplayed?.views[index]}`);
    expected.push(`0 ${elsewhere?.views[0]}`, `1 ${elsewhere?.views[1]}`);
    expect(marks.sort()).toEqual(expected.sort());
    const counted = await facts.audienceDays({ accountId, ...range });
    expect(counted.map(({ marks, namedViews }) => [marks, namedViews])).toEqual([
      [3, 1],
      [1, 1],
    ]);
  });

  test('a day is counted again after its check, and only what was counted last is kept', {
    tags: 'long',
  }, async () => {
    const accountId = newAccount();
    const countings = async () => {
      const [row] = await facts.read<{ countings: number; views: number }>({
        name: 'test',
        sql: `SELECT uniqExact(countedAt) AS countings, sum(views) AS views
          FROM ${tables.audienceDay.name} FINAL
          WHERE accountId = {accountId:UInt32} AND grouping = 'total'`,
        parameters: { accountId },
      });
      return row;
    };
    await write([factOf(accountId, { view: randomUUID(), ...play })]);
    await facts.checkViews();
    expect(await countings()).toEqual({ countings: 1, views: 1 });
    await write([factOf(accountId, { view: randomUUID(), ...play })]);
    expect(await facts.audienceDays({ accountId, ...range })).toEqual([]);
    await facts.checkViews();
    expect(await countings()).toEqual({ countings: 1, views: 2 });
    expect(await facts.audienceDays({ accountId, ...range })).toHaveLength(1);
  });

  test('today is not checked', async () => {
    const accountId = newAccount();
    const today = () => Math.floor(Date.now() / dayMs) * dayMs;
    // Also on the next day, which may begin meanwhile.
    const first = today();
    const slots = [first, first + dayMs];
    await write(
      slots.map((slotStart) => factOf(accountId, { view: randomUUID(), ...play, slotStart })),
    );
    await facts.checkViews();
    const two = { accountId, fromMs: today(), untilMs: today() + 2 * dayMs };
    expect(await facts.checkedDays(two)).toEqual([]);
  });
});
