/** What every store of the facts has to do, however it is opened. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Attributes,
  type Fact,
  mostEventsOfRead,
  openColumns,
  type PlayerEvent,
  slotMs,
} from '../../src/store/facts.ts';
import type { Facts } from '../../src/store/open-facts.ts';
import { describeKinds } from '../support/each-kind.ts';
import { type FactsLocation, factStores } from '../support/fact-stores.ts';
import { countedViews, naiveSums, storedSums } from '../support/naive-sums.ts';
import { namedFacts } from '../support/named-facts.ts';

const dayMs = 86_400_000;
/** The last day of a year, and the first of the next. */
const firstDay = Date.UTC(2025, 11, 31);
const secondDay = firstDay + dayMs;
const slots = [firstDay, secondDay - slotMs, secondDay, secondDay + slotMs];
const views = Array.from({ length: 4 }, () => randomUUID());

let accounts = 0;
/** Tests share a store, and no account. */
const newAccount = () => {
  accounts += 1;
  return accounts;
};

const anyFact = fc.record({
  slotStart: fc.constantFrom(...slots),
  packageId: fc.integer({ min: 1, max: 2 }),
  videoId: fc.integer({ min: 11, max: 12 }),
  os: fc.constantFrom('iOS', 'Linux', 'odd \\N\t\'"₂'),
  osVersion: fc.constantFrom('18', 'Unknown', ''),
  view: fc.constantFrom(...views),
  stretch: fc.nat(1),
  suspect: fc.constant(''),
  plays: fc.nat(1),
  playMs: fc.nat(900_000),
});
/** Facts in writes, and the same ones again in another order and in other writes. */
const anyDeliveries = fc
  .array(anyFact, { minLength: 1, maxLength: 40 })
  .chain((facts) =>
    fc.tuple(
      fc.constant([facts]),
      fc.array(fc.shuffledSubarray(facts, { minLength: 1 }), { minLength: 1, maxLength: 3 }),
    ),
  );

const oddTexts = [
  ...['', ' ', '\\', '\\N', '\t', '\n', '\r\n', '\\t', '"', "'", '\0'],
  ...['₂ 한국어 🎬', 'a'.repeat(500)],
];

function factOf(accountId: number, other: Partial<Fact> = {}): Fact {
  return {
    ...{ accountId, slotStart: firstDay, packageId: 1, videoId: 11, os: 'iOS', osVersion: '18' },
    ...{ view: randomUUID(), stretch: 0, suspect: '', plays: 1, playMs: 1_000 },
    ...other,
  };
}

describeKinds(factStores(), 'facts on $name', (kind) => {
  let location: FactsLocation;
  let facts: Facts;
  beforeAll(async () => {
    location = await kind.newLocation();
    facts = await kind.open(location);
  });
  afterAll(() => kind.stop());

  const sumsIn = (opened: Facts, accountId: number) =>
    storedSums((query) => opened.read(query), accountId);

  async function expectSums(opened: Facts, accountId: number, written: readonly Fact[]) {
    const counted = countedViews(written);
    expect(await sumsIn(opened, accountId)).toEqual({
      bySlot: naiveSums(counted, false),
      byDay: naiveSums(counted, true),
    });
  }

  test('of what is known of a stretch the largest counts, in any order', async () => {
    const accountId = newAccount();
    const about = { startMs: firstDay + 5, laterMs: 0, position: 0, mediaMs: 10, viewer: '7' };
    const fact = factOf(accountId, {
      details: { ...about, attributes: { page: 'é', label10: 'z' } },
    });
    const attributes = { page: 'z', country: 'KR' };
    const later = { ...about, laterMs: 3, mediaMs: 12, viewer: String(2n ** 63n), attributes };
    await facts.stretches.write([{ ...fact, details: later }, factOf(accountId, fact)]);
    const nothing = { startMs: firstDay + 5, laterMs: 0, mediaMs: 0, attributes: {} };
    await facts.stretches.write([{ ...fact, details: nothing }]);
    await facts.stretches.write([fact]);
    await facts.rollUp();
    const [stored, ...others] = await facts.read({
      name: 'test',
      sql: `SELECT startMs, laterMs, position, mediaMs, toString(viewer) AS viewerText, page, country,
        label10, label1 FROM ${namedFacts} WHERE accountId = {accountId:UInt32}`,
      parameters: { accountId },
    });
    expect(others).toEqual([]);
    expect(stored).toEqual({
      ...{ startMs: firstDay + 5, laterMs: 3, position: 1, mediaMs: 12 },
      ...{ viewerText: String(2n ** 63n), page: 'é', country: 'KR', label10: 'z', label1: '' },
    });
  });

  test('text, numbers and instants are kept as they were written', async () => {
    const accountId = 4_294_967_295;
    const written = oddTexts.map(
      (text, index): Fact => ({
        accountId,
        // The first slot that can be, and the last one of a DateTime in this century's first half.
        slotStart: index === 0 ? dayMs : Date.UTC(2049, 11, 31, 23, 45),
        ...{ packageId: index, videoId: 4_294_967_295, os: 'iOS', osVersion: '18' },
        ...{ view: randomUUID(), stretch: 4_294_967_295, suspect: text },
        ...{ plays: 1, playMs: 86_400_000 },
        details: { startMs: 0, laterMs: 0, mediaMs: 0, attributes: { label1: text } },
      }),
    );
    await facts.stretches.write(written);
    await facts.rollUp();
    const kept = await facts.read<Fact>({
      name: 'test',
      sql: `SELECT accountId, toUnixTimestamp(slot) * 1000 AS slotStart, packageId, videoId,
          os, osVersion, toString(view) AS view, stretch, suspect, plays, playMs, label1
        FROM ${namedFacts} WHERE accountId = {accountId:UInt32} ORDER BY packageId`,
      parameters: { accountId },
    });
    expect(kept).toEqual(
      written.map(({ details, ...fact }) => ({ ...fact, label1: details?.attributes.label1 })),
    );
  });

  test('the versions of a day are those that its stored facts name', async () => {
    const [accountId, other] = [newAccount(), newAccount()];
    const lastSlot = firstDay + dayMs - slotMs;
    await facts.stretches.write([
      factOf(accountId, { osVersion: '17' }),
      factOf(accountId, { osVersion: '17', videoId: 12, slotStart: firstDay + slotMs }),
      factOf(accountId, { os: 'iPadOS', osVersion: 'Other', slotStart: lastSlot }),
      factOf(accountId, { osVersion: '18', slotStart: secondDay }),
      factOf(accountId, { osVersion: '15', slotStart: firstDay - slotMs }),
      factOf(other, { osVersion: '26' }),
    ]);
    await facts.rollUp();
    const versionsOf = async (...days: readonly [accountId: number, day: number][]) => {
      const asked = days.map(([account, day]) => ({ accountId: account, day }));
      const found = await facts.values.valuesOf(asked);
      return found
        .flatMap(({ accountId: account, day, values }) =>
          values.osVersion.map((value) => [account, day, ...value.split('\n')]),
        )
        .sort();
    };
    expect(await versionsOf([accountId, firstDay])).toEqual([
      [accountId, firstDay, 'iOS', '17'],
      [accountId, firstDay, 'iPadOS', 'Other'],
    ]);
    expect(await versionsOf([other, firstDay], [accountId, secondDay])).toEqual([
      [accountId, secondDay, 'iOS', '18'],
      [other, firstDay, 'iOS', '26'],
    ]);
    expect(await versionsOf([other, secondDay])).toEqual([]);
    const many = Array.from({ length: 250 }, (_, day) => [accountId, firstDay + day * dayMs]);
    expect(await versionsOf(...(many as [number, number][]))).toHaveLength(3);
  });

  test('the values of a day are those of every column that strangers fill', async () => {
    const accountId = newAccount();
    const values = Object.fromEntries(
      openColumns
        .filter((column) => column !== 'osVersion')
        .map((column) => [column, `a ${column}`]),
    );
    const details = (attributes: Attributes) => ({
      startMs: 0,
      laterMs: 0,
      mediaMs: 0,
      attributes,
    });
    const failed = { cause: 'error', outcome: 'failed', waitMs: 0 } as const;
    await facts.stretches.write([
      {
        ...factOf(accountId, { osVersion: '17' }),
        details: details({ ...values, browser: 'B' }),
        quality: { mediaHost: 'a mediaHost', wait: { ...failed, error: 'a error' } },
      },
      { ...factOf(accountId, { videoId: 12 }), details: details({ page: 'another' }) },
      { ...factOf(accountId, { videoId: 13, suspect: 'X' }), details: details({ page: 'apart' }) },
      { ...factOf(accountId, { videoId: 15, plays: 0 }), details: details({ page: 'not played' }) },
      factOf(accountId, { videoId: 14 }),
    ]);
    await facts.rollUp();
    const found = await facts.values.valuesOf([{ accountId, day: firstDay }]);
    const [day, apart] = found.sort((one) => (one.areApart ? 1 : -1));
    const expected = {
      ...Object.fromEntries(Object.entries(values).map(([column, value]) => [column, [value]])),
      browserVersion: ['B\na browserVersion'],
      page: ['a page', 'another', 'not played'],
    };
    expect({ ...day?.values, page: day?.values.page.toSorted() }).toMatchObject(expected);
    expect(found.map(({ areApart }) => areApart)).toEqual([false, true]);
    expect(apart?.values).toMatchObject({ page: ['apart'], host: [] });
    // Of the day after it, these are earlier values.
    const [later] = await facts.values.earlierValuesOf([{ accountId, day: secondDay }], 9);
    expect(later).toMatchObject({ accountId, day: secondDay });
    expect({ ...later?.values, page: later?.values.page.toSorted() }).toEqual({
      ...{ ...expected, page: ['a page', 'another'] },
      osVersion: expect.arrayContaining(['iOS\n17']),
    });
  });

  async function playsOf(accountId: number): Promise<number> {
    const sql = `SELECT toUInt64(sum(plays)) AS plays FROM playback_sum FINAL
      WHERE accountId = {accountId:UInt32} AND grouping = 'account'`;
    const query = { name: 'test', sql, parameters: { accountId } };
    const [row] = await facts.read<{ plays: number }>(query);
    return row?.plays ?? 0;
  }

  test('all sums are those of the facts, whatever is written again, reordered or doubled', async () => {
    const side = { minLength: kind.someOf(3), maxLength: kind.someOf(3) };
    await fc.assert(
      // Accounts side by side: what is summed together takes hardly longer than one.
      fc.asyncProperty(fc.array(anyDeliveries, side), async (all) => {
        const own = all.map(([first, again]) => {
          const accountId = newAccount();
          const of = (some: readonly Omit<Fact, 'accountId'>[]) =>
            some.map((fact) => ({ ...fact, accountId }));
          return { accountId, first: first.map(of), again: again.map(of) };
        });
        const expectAll = async () => {
          await facts.rollUp();
          for (const { accountId, first } of own) await expectSums(facts, accountId, first.flat());
        };
        for (const { first } of own) for (const some of first) await facts.stretches.write(some);
        await expectAll();
        const again = own.flatMap((account) => account.again);
        await Promise.all(again.map((some) => facts.stretches.write(some)));
        await expectAll();
      }),
      { numRuns: 1 },
    );
  });

  test('a larger time takes the place of a smaller one, and never the other way round', async () => {
    const accountId = newAccount();
    const fact = factOf(accountId, { plays: 0, playMs: 10_000 });
    const written = [fact, { ...fact, playMs: 30_000 }, { ...fact, plays: 1, playMs: 20_000 }];
    for (const [index, one] of written.entries()) {
      await facts.stretches.write([one]);
      await facts.rollUp();
      await expectSums(facts, accountId, written.slice(0, index + 1));
    }
  });

  test('accounts do not mix', async () => {
    const [one, other] = [newAccount(), newAccount()];
    const view = randomUUID();
    await facts.stretches.write([factOf(one, { view }), factOf(other, { view, playMs: 5 })]);
    await facts.rollUp();
    await expectSums(facts, one, [factOf(one)]);
    await expectSums(facts, other, [factOf(other, { playMs: 5 })]);
  });

  test('complete-through never promises more than the sums hold, and keeps up', async () => {
    const accountId = newAccount();
    const acknowledgedAt: number[] = [];
    let writing = true;
    const write = async () => {
      for (let count = 0; count < 30; count += 1) {
        await facts.stretches.write([factOf(accountId)]);
        acknowledgedAt.push(Date.now());
      }
      writing = false;
    };
    const look = async () => {
      do {
        await facts.rollUp();
        const through = facts.completeThrough();
        const promised = acknowledgedAt.filter((at) => at < through).length;
        expect(await playsOf(accountId)).toBeGreaterThanOrEqual(promised);
      } while (writing);
    };
    await Promise.all([write(), look()]);
    const endedAt = Date.now();
    await facts.rollUp();
    expect(facts.completeThrough()).toBeGreaterThanOrEqual(endedAt);
    expect(facts.completeThrough()).toBeLessThanOrEqual(Date.now());
  });

  test('a day is unsettled for its account until its sums are made, also after a restart', async () => {
    const [accountId, other] = [newAccount(), newAccount()];
    const place = await kind.newLocation();
    const written = [secondDay, firstDay].map((slotStart) => factOf(accountId, { slotStart }));
    const slow = await kind.open(place, 'node', { pace: { daysEveryMs: 2 ** 30 } });
    await slow.stretches.write(written);
    await slow.rollUp();
    expect(await slow.unsettledDays(accountId)).toEqual([firstDay, secondDay]);
    expect(await slow.unsettledDays(other)).toEqual([]);
    const ofSlots = { bySlot: naiveSums(written, false), byDay: [] };
    expect(await sumsIn(slow, accountId)).toEqual(ofSlots);
    await slow.close();

    const slowAgain = await kind.open(place, 'node', { pace: { daysEveryMs: 2 ** 30 } });
    expect(await slowAgain.unsettledDays(accountId)).toEqual([firstDay, secondDay]);
    await slowAgain.close();

    const quick = await kind.open(place);
    await quick.rollUp();
    expect(await quick.unsettledDays(accountId)).toEqual([]);
    await expectSums(quick, accountId, written);
  });

  test('two that open at once on an empty store, and write and sum at once', {
    tags: 'long',
  }, async () => {
    const place = await kind.newLocation();
    const accountId = newAccount();
    const both = await Promise.all(['one', 'other'].map((node) => kind.open(place, node)));
    const fact = factOf(accountId);
    const written = both.map((_, index) => [
      { ...fact, playMs: 1_000 * index },
      factOf(accountId, { slotStart: secondDay }),
    ]);
    await Promise.all(both.map((opened, index) => opened.stretches.write(written[index] ?? [])));
    await Promise.all(both.map((opened) => opened.rollUp()));
    // What one brought into the store while the other summed is summed now.
    for (const opened of both) await opened.rollUp();
    for (const opened of both) await expectSums(opened, accountId, written.flat());
  });

  test('what was acknowledged before closing is answered by the next to open', async () => {
    const place = await kind.newLocation();
    const accountId = newAccount();
    const written: Fact[] = [];
    const event = eventOf(accountId);
    const row = ledgerRowOf(accountId);
    for (let round = 0; round < 3; round += 1) {
      const opened = await kind.open(place);
      const fact = factOf(accountId, { slotStart: slots[round] ?? 0 });
      await opened.stretches.write([fact]);
      await opened.events.write([event]);
      await opened.ledger.write([row]);
      await opened.close();
      written.push(fact);
    }
    const opened = await kind.open(place);
    expect((await sumsIn(opened, accountId)).bySlot).toEqual(naiveSums(written, false));
    await opened.rollUp();
    await expectSums(opened, accountId, written);
    expect(opened.waitingFacts()).toBe(0);
    expect(await opened.events.read([windowOf(event)])).toEqual([event]);
    const { day, outcome, beacons } = row;
    const range = { accountId, firstDay: day, lastDay: day };
    expect(await opened.ledger.read(range)).toEqual([{ day, outcome, beacons }]);
  });

  test('of an event the first arrival holds, however often and in which order it comes', async () => {
    const event = eventOf(newAccount());
    const { arrivalMs } = event;
    for (const laterMs of [5, 0, 9]) {
      await facts.events.write([{ ...event, arrivalMs: arrivalMs + laterMs }, event]);
    }
    expect(await facts.events.read([windowOf(event)])).toEqual([event]);
  });

  test('a window holds both its ends, one view of one account, and each event once', async () => {
    const event = eventOf(newAccount());
    const moments = [99, 100, 150, 200, 201];
    const all = moments.map((momentMs) => ({ ...event, momentMs, sequence: momentMs }));
    await facts.events.write([
      ...all,
      { ...event, view: randomUUID(), momentMs: 150 },
      { ...event, accountId: newAccount(), momentMs: 150 },
    ]);
    const window = { accountId: event.accountId, view: event.view, fromMs: 100, untilMs: 200 };
    expect(inOrder(await facts.events.read([window]))).toEqual(all.slice(1, 4));
    // Windows may overlap.
    const wide = { ...window, fromMs: 0, untilMs: 150 };
    expect(inOrder(await facts.events.read([wide, window]))).toEqual(all.slice(0, 4));
  });

  test('events that differ in number or state are two', async () => {
    const event = eventOf(newAccount());
    const others = [
      { ...event, sequence: 8 },
      { ...event, state: 'resting' as const },
    ];
    await facts.events.write([event, ...others]);
    expect(await facts.events.read([windowOf(event)])).toHaveLength(3);
  });

  test('beginnings: all of a view until its play is counted; then where', async () => {
    const view = eventOf(newAccount());
    const at = (state: PlayerEvent['state'], afterMs: number): PlayerEvent => ({
      ...view,
      ...{ state, momentMs: afterMs, sequence: 0, arrivalMs: view.arrivalMs + afterMs },
    });
    const soon = [at('untimed', -50), at('resting', 0), at('started', 10), at('playing', 40)];
    const late = [at('resting', 111), at('playing', 200)];
    const counted = at('counted', 900);
    const resting = { ...at('resting', 0), view: randomUUID() };
    await facts.events.write([...late, ...soon, resting]);
    const named = [{ accountId: view.accountId, view: view.view }];
    expect(inOrder(await facts.events.beginnings(named))).toEqual([...soon, ...late]);
    expect(await facts.events.beginnings([resting])).toEqual([resting]);
    await facts.events.write([counted]);
    expect(inOrder(await facts.events.beginnings(named))).toEqual([counted]);
  });

  test('more events than fit into a read are counted, and read view by view', {
    tags: 'long',
  }, async () => {
    const { events } = facts;
    const one = eventOf(newAccount());
    const eventsOf = (view: string, length: number) =>
      Array.from({ length }, (_, index) => ({ ...one, view, momentMs: index, sequence: index }));
    const sizes = [mostEventsOfRead - 1, 1, 1];
    const all = sizes.map((size) => eventsOf(randomUUID(), size));
    for (const ofView of all) await events.write(ofView);
    const windows = all.map(([{ accountId, view } = one]) => ({
      ...{ accountId, view },
      ...{ fromMs: 0, untilMs: mostEventsOfRead },
    }));
    const [first] = windows;
    expect((await events.read(windows.slice(0, 2)))?.length).toBe(mostEventsOfRead);
    expect((await events.beginnings(windows.slice(0, 2)))?.length).toBe(mostEventsOfRead);
    expect(await events.read(windows)).toBeUndefined();
    expect(await events.beginnings(windows)).toBeUndefined();
    const counted = await events.count([...windows, { ...windowOf(one), view: randomUUID() }]);
    const byView = new Map(counted.map((each) => [each.view, each]));
    expect(windows.map(({ view }) => byView.get(view)?.events)).toEqual(sizes);
    expect(counted).toHaveLength(3);
    expect(await events.count([{ ...(first ?? windowOf(one)), untilMs: 9 }])).toMatchObject([
      { events: 10 },
    ]);
  });

  test('of the rows of one run the largest holds, and the runs of a day are added up', async () => {
    const row = ledgerRowOf(newAccount());
    const { accountId } = row;
    const next = { ...row, day: '2026-01-01', beacons: 4 };
    for (const beacons of [10, 30, 20]) await facts.ledger.write([{ ...row, beacons }]);
    await facts.ledger.write([
      { ...row, run: randomUUID(), beacons: 5 },
      { ...row, outcome: 'BOT', beacons: 2 },
      { ...row, accountId: newAccount(), beacons: 99 },
      { ...row, day: '2025-12-30', beacons: 99 },
      { ...row, day: '2026-01-02', beacons: 99 },
      next,
    ]);
    const range = { accountId, firstDay: row.day, lastDay: next.day };
    expect(await facts.ledger.read(range)).toEqual([
      { day: row.day, outcome: 'BOT', beacons: 2 },
      { day: row.day, outcome: 'COUNTED', beacons: 35 },
      { day: next.day, outcome: 'COUNTED', beacons: 4 },
    ]);
  });

  test('an open store is ready and answers a ping', async () => {
    expect(facts.whyNotReady()).toBeUndefined();
    expect(facts.stretches.whyNotReady()).toBeUndefined();
    await expect(facts.ping()).resolves.toBeUndefined();
  });
});

function eventOf(accountId: number): PlayerEvent {
  const arrivalMs = Date.now();
  return {
    ...{ accountId, view: randomUUID(), momentMs: arrivalMs - 500, sequence: 7 },
    ...{ state: 'playing', arrivalMs },
  };
}

function windowOf({ accountId, view, momentMs }: PlayerEvent) {
  return { accountId, view, fromMs: momentMs, untilMs: momentMs };
}

function ledgerRowOf(accountId: number) {
  return { accountId, day: '2025-12-31', outcome: 'COUNTED', run: randomUUID(), beacons: 3 };
}

function inOrder(events: readonly PlayerEvent[] = []): PlayerEvent[] {
  return events.toSorted((one, other) => one.momentMs - other.momentMs);
}
