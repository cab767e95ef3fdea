import { expect, test } from 'vitest';
import { useNewStore } from '../../../test/support/use-new-store.ts';
import type { Fact } from '../facts.ts';
import { createValueReader } from './day-values.ts';

const dayMs = 86_400_000;
const slotMs = 900_000;
const day = Date.UTC(2025, 11, 31);

const made = useNewStore();

test('the values of many days, each with those of its own slots, as long as it is ready', async () => {
  const fact = (at: number, osVersion: string, page = '', label10 = '') => ({
    ...{ accountId: 1, slotStart: day + at, packageId: 1, videoId: 11, os: 'iOS', osVersion },
    ...{ view: '00000000-0000-0000-0000-000000000001', stretch: 0, suspect: '', plays: 1 },
    ...{
      playMs: 1,
      details: { startMs: 0, laterMs: 0, mediaMs: 0, attributes: { page, label10 } },
    },
  });
  const days = Array.from({ length: 301 }, (_, number) => number);
  await made().write([
    ...days.map((number) => fact(number * dayMs, String(number), 'same')),
    fact(dayMs - slotMs, 'last', 'other', 'own'),
    fact(-slotMs, 'before'),
  ]);
  let reads = 0;
  const { valuesOf } = createValueReader(made().store, () => {
    reads += 1;
    if (reads > 6) throw new Error('not ready, as the test said');
  });
  const asked = days.map((number) => ({ accountId: 1, day: day + number * dayMs }));
  const found = await valuesOf([...asked, { accountId: 2, day }]);
  // Of 302 days in two parts how many facts they have, and in two parts their values.
  expect(reads).toBe(4);
  expect(await valuesOf(asked.slice(0, 20))).toHaveLength(20);
  expect(await valuesOf([])).toEqual([]);
  expect(reads).toBe(5);
  const versions = found.map((one) => [
    (one.day - day) / dayMs,
    one.values.osVersion.toSorted(),
    one.values.page.toSorted(),
    one.values.label10,
    one.values.browserVersion,
  ]);
  expect(versions.sort(([a], [b]) => Number(a) - Number(b))).toEqual(
    days.map((number) =>
      number === 0
        ? [0, ['iOS\n0', 'iOS\nlast'], ['other', 'same'], ['own'], []]
        : [number, [`iOS\n${number}`], ['same'], [], []],
    ),
  );
  await expect(valuesOf(asked)).rejects.toThrow('as the test said');
});

const none = { osVersion: [], page: [], host: [] };

test('of the week before a day the values of the most days come first, then of the most plays', async () => {
  const accountId = 7;
  let views = 0;
  const play = (daysAgo: number, page: string, more: Partial<Fact> = {}): Fact => {
    views += 1;
    return {
      ...{ accountId, slotStart: day - daysAgo * dayMs + 5 * slotMs, packageId: 1, videoId: 11 },
      ...{ os: 'iOS', osVersion: '18', suspect: '', plays: 1, playMs: 1, stretch: 0 },
      view: `00000000-0000-0000-0000-${String(views).padStart(12, '0')}`,
      details: { startMs: 0, laterMs: 0, mediaMs: 0, attributes: { page } },
      ...more,
    };
  };
  await made().write([
    ...[
      play(1, 'home'),
      play(2, 'home'),
      play(1, 'crowded'),
      play(1, 'crowded'),
      play(7, 'weekly'),
    ],
    ...[play(8, 'too long ago'), play(0, 'of the day'), play(1, 'apart', { suspect: 'X' })],
    ...[play(1, 'Other'), play(1, 'Unknown'), play(1, 'never played', { plays: 0 })],
    play(1, 'of another account', { accountId: 8 }),
  ]);
  // Two days that are counted: their facts are not read.
  const value = (grouping: string, at: number, name: string, version = '', plays = 1) =>
    `(${accountId}, '${grouping}', ${at / 1_000}, ${at / 1_000}, '${name}', '${version}', ${plays})`;
  const countedAt = day - 3 * dayMs;
  await made().write([play(3, 'only in facts')]);
  await made().run(`INSERT INTO audience_day
      (accountId, grouping, slot, countedAt, value, version, plays) VALUES
      ${[
        value('total', countedAt, ''),
        value('page', countedAt, 'counted', '', 9),
        value('osVersion', countedAt, 'iOS', '18'),
        value('osVersion', countedAt, 'iOS', 'Unknown'),
        value('osVersion', countedAt, 'Windows', '11'),
      ].join(', ')}`);
  const { earlierValuesOf } = createValueReader(made().store, () => {});
  const read = async (most: number, ...days: number[]) => {
    const found = await earlierValuesOf(
      days.map((one) => ({ accountId, day: one })),
      most,
    );
    return new Map(found.map((one) => [(one.day - day) / dayMs, one.values]));
  };
  const ofDay = (await read(10, day)).get(0);
  expect(ofDay?.page).toEqual(['home', 'counted', 'crowded', 'weekly']);
  expect(ofDay?.osVersion).toEqual(['iOS\n18', 'Windows\n11']);
  expect((await read(2, day)).get(0)).toMatchObject({ page: ['home', 'counted'], host: [] });
  // Several days at once, each with the week before it.
  const both = await read(10, day, day - 6 * dayMs, day + 20 * dayMs);
  expect(both.get(0)?.page).toEqual(ofDay?.page);
  expect(both.get(-6)).toMatchObject({
    ...none,
    osVersion: ['iOS\n18'],
    page: ['weekly', 'too long ago'],
  });
  expect(both.size).toBe(2);
  expect(await earlierValuesOf([{ accountId: 9, day: 0 }], 1)).toEqual([]);

  // Very many at once: those with few facts, one that is counted, and most with nothing.
  const many = [7, 8].flatMap((account) =>
    Array.from({ length: 12 }, (_, number) => ({
      accountId: account,
      day: day + (number - 8) * dayMs,
    })),
  );
  const byKey = (found: Awaited<ReturnType<typeof earlierValuesOf>>) =>
    new Map(found.map((one) => [`${one.accountId} ${one.day}`, one.values]));
  const apart = [many.slice(0, 12), many.slice(12)].map((some) => earlierValuesOf(some, 10));
  expect(byKey(await earlierValuesOf(many, 10))).toEqual(byKey((await Promise.all(apart)).flat()));
});

test('days of very many facts are read apart from those of few', async () => {
  const accounts = Array.from({ length: 25 }, (_, number) => 100 + number);
  await made().run(`INSERT INTO stretch (accountId, slot, packageId, videoId, view, plays, toldPlayer)
      SELECT if(number < 20100, 100, 101 + number % 24), ${day / 1_000}, 1, 1,
        generateUUIDv4(), 1, concat('1player ', toString(number % 5))
      FROM numbers(21000)`);
  const { valuesOf, earlierValuesOf } = createValueReader(made().store, () => {});
  const asked = (at: number) => accounts.map((accountId) => ({ accountId, day: at }));
  const players = ['player 0', 'player 1', 'player 2', 'player 3', 'player 4'];
  const found = [
    ...(await valuesOf(asked(day))),
    ...(await earlierValuesOf(asked(day + dayMs), 10)),
  ];
  expect(found.map(({ accountId }) => accountId).sort()).toEqual(
    accounts.flatMap((account) => [account, account]),
  );
  for (const { values } of found) expect(values.player.toSorted()).toEqual(players);
});
