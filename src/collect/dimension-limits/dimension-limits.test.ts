/** Which values keep their name: bounded by day, and the same whoever asks again. */
import fc from 'fast-check';
import { Registry } from 'prom-client';
import { beforeEach, expect, test } from 'vitest';
import { type ManualClock, manualClock } from '../../../test/support/manual-clock.ts';
import { valuesOfFacts } from '../../../test/support/value-store.ts';
import { assert } from '../../lib/assert.ts';
import { type AccountDay, type Fact, type OpenColumn, openColumns } from '../../store/facts.ts';
import { Fault } from '../../vocabulary/faults.ts';
import type { Outcome } from '../account-ledger.ts';
import {
  createDimensionLimits,
  createValueNotes,
  type DimensionLimits,
  type NotedValue,
} from './dimension-limits.ts';
import type { ValueSender } from './sender-allowance.ts';

const dayMs = 24 * 60 * 60 * 1_000;
const firstDay = Date.UTC(2026, 10, 20);

interface Reported {
  readonly osVersion: string;
  readonly os?: string;
  readonly accountId?: number;
  readonly slotStart?: number;
  readonly view?: string;
  readonly suspect?: string;
}

function factOf(reported: Reported): Fact {
  const { osVersion, os = 'iOS', accountId = 1, slotStart = firstDay } = reported;
  const { view = viewOf(0), suspect = '' } = reported;
  const about = { accountId, slotStart, packageId: 1, videoId: 1, os, osVersion };
  return { ...about, view, stretch: 0, suspect, plays: 1, playMs: 1 };
}

const viewOf = (number: number) => `00000000-0000-0000-0000-${String(number).padStart(12, '0')}`;

let clock: ManualClock;
let stored: Fact[][];
/** The days of each read of the store. */
let reads: (readonly AccountDay[])[];
let completeThrough: number;
let failure: Fault | undefined;
/** What a read waits for. */
let hang: Promise<void>;
let warnings: string[];
beforeEach(() => {
  clock = manualClock();
  stored = [];
  reads = [];
  completeThrough = 0;
  failure = undefined;
  warnings = [];
  hang = Promise.resolve();
});

/** As a process has it that was just started. */
function newBook(perDay = 2, rememberedEntries?: number, valuesByAddress = 0): DimensionLimits {
  const bounds = { versionsPerDay: perDay, valuesPerDay: perDay, valuesByAddress };
  const store = {
    async valuesOf(days: readonly AccountDay[]) {
      reads.push(days);
      await hang;
      if (failure) throw failure;
      return valuesOfFacts(stored).valuesOf(days);
    },
    earlierValuesOf: (days: readonly AccountDay[], most: number) =>
      valuesOfFacts(stored).earlierValuesOf(days, most),
    completeThrough: () => completeThrough,
  };
  const more = rememberedEntries === undefined ? {} : { rememberedEntries };
  const logger = { warn: (text: unknown) => void warnings.push(String(text)) };
  return createDimensionLimits({ store, clock, logger, ...bounds, ...more });
}

/** The names under which the versions are stored. */
async function keep(book: DimensionLimits, ...reported: readonly Reported[]): Promise<string[]> {
  return keepFrom({}, book, ...reported);
}

async function keepFrom(
  sender: ValueSender,
  book: DimensionLimits,
  ...reported: readonly Reported[]
) {
  const bound = await book.bound(reported.map(factOf), sender);
  stored.push([...bound]);
  return bound.map(({ osVersion }) => osVersion);
}

const named = (...versions: readonly string[]) => versions.map((osVersion) => ({ osVersion }));

test('what comes beyond the bound is Other, and what was counted keeps its name', async () => {
  const book = newBook();
  expect(await keep(book, ...named('17', '17', '18'))).toEqual(['17', '17', '18']);
  expect(await keep(book, ...named('26', '17', '27', '18'))).toEqual([
    'Other',
    '17',
    'Other',
    '18',
  ]);
});

interface Attributes {
  readonly [column: string]: string;
}

function factWith(attributes: Attributes, about: Partial<Reported> = {}): Fact {
  const details = { startMs: firstDay, laterMs: 0, mediaMs: 0, attributes };
  return { ...factOf({ osVersion: '17', ...about }), details };
}

/** The attributes under which facts are stored. */
async function keepAll(
  book: DimensionLimits,
  ...given: readonly Attributes[]
): Promise<Attributes[]> {
  const bound = await book.bound(
    given.map((one) => factWith(one)),
    {},
  );
  stored.push([...bound]);
  return bound.map(({ details }) => details?.attributes as Attributes);
}

const ofFacts: readonly OpenColumn[] = ['mediaHost', 'error'];

test.each(ofFacts)(
  'what belongs to a fact and not to its view has room too: %s',
  async (column) => {
    const facts = ['a', 'b', 'c'].map((value) => factOfValue(column, value));
    const bound = await newBook().bound(facts, address('192.0.2.1'));
    expect(bound.map((fact) => valueOfFact(column, fact))).toEqual(['a', 'b', 'Other']);
  },
);

test.each(ofFacts)(
  'what is told after a known fact of the same view has no more room: %s',
  async (column) => {
    const book = newBook();
    const { details } = factWith({ page: 'a' });
    assert(details, 'it has attributes');
    const boundName = async (fact: Fact) => {
      const [bound] = await book.bound([{ ...fact, details }], address('192.0.2.1'));
      return bound && valueOfFact(column, bound);
    };
    // The second time, all its values are known.
    for (const _ of [1, 2]) await boundName(factOf({ osVersion: '17' }));
    const names: unknown[] = [];
    for (const value of ['a', 'a', 'b', 'c']) {
      names.push(await boundName(factOfValue(column, value)));
    }
    expect(names).toEqual(['a', 'a', 'b', 'Other']);
  },
);

test.each(openColumns.filter((column) => column !== 'osVersion' && !ofFacts.includes(column)))(
  'each has room of its own: %s',
  async (column) => {
    const given = ['a', 'b', 'c'].map((value) => ({ [column]: value, country: 'KR' }));
    const other = { [column]: 'Other', country: 'KR' };
    expect(await keepAll(newBook(), ...given)).toEqual([given[0], given[1], other]);
    // After a start too; and what is not reported takes no room.
    const [a = {}, b = {}, c = {}] = given;
    expect(await keepAll(newBook(), c, b, {}, a)).toEqual([other, b, {}, a]);
    const another = column === 'page' ? 'host' : 'page';
    expect(await keepAll(newBook(), { [another]: 'x' })).toEqual([{ [another]: 'x' }]);
  },
);

test('versions of all browsers share the room, beside those of systems', async () => {
  const given = ['Chrome', 'Firefox', 'Safari'].map((browser) => ({
    browser,
    browserVersion: '26',
  }));
  expect((await keepAll(newBook(), ...given)).map(({ browserVersion }) => browserVersion)).toEqual([
    '26',
    '26',
    'Other',
  ]);
  expect(await keep(newBook(), ...named('17', '18'))).toEqual(['17', '18']);
});

test('where one dimension is full, the others of a fact keep their values', async () => {
  const book = newBook();
  const known = [1, 2].map((number) => ({ page: `a/${number}`, host: 'a' }));
  // Once they are known, too.
  for (const _ of [1, 2]) expect(await keepAll(book, ...known)).toEqual(known);
  expect(await keepAll(book, { page: 'b/1', host: 'b', country: 'KR' })).toEqual([
    { page: 'Other', host: 'b', country: 'KR' },
  ]);
});

test('long values count as several of what is remembered', async () => {
  const page = 'p'.repeat(512);
  // The day, its version, and a page of 512 characters.
  const book = newBook(9, 11);
  expect(await keepAll(book, { page })).toEqual([{ page }]);
  const next = { osVersion: '17', slotStart: firstDay + dayMs };
  await expect(keep(book, next)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  stored = [];
  const short = newBook(9, 11);
  expect(await keepAll(short, { page: 'short' })).toEqual([{ page: 'short' }]);
  expect(await keep(short, next)).toEqual(['17']);
});

test('an unknown version takes no room', async () => {
  const versions = ['Unknown', '17', 'Unknown', '18', 'Unknown'];
  expect(await keep(newBook(), ...named(...versions))).toEqual(versions);
  stored = [named('Unknown', '17').map(factOf)];
  expect(await keep(newBook(), ...named('18'))).toEqual(['18']);
});

test('versions of all systems share the room; other facts of a fact stay', async () => {
  const reported = ['iOS', 'Android', 'iPadOS'].map((os) => factOf({ os, osVersion: '17' }));
  const bound = await newBook().bound(reported, {});
  expect(bound.map(({ os, osVersion }) => `${os} ${osVersion}`)).toEqual([
    'iOS 17',
    'Android 17',
    'iPadOS Other',
  ]);
  expect(bound[2]).toEqual({ ...factOf({ os: 'iPadOS', osVersion: 'Other' }) });
});

test.each([
  ['the next day', { slotStart: firstDay + dayMs }],
  ['the day before', { slotStart: firstDay - 1 }],
  ['another account', { accountId: 2 }],
])('%s has room of its own', async (_name, other) => {
  const book = newBook(1);
  const [one, two] = [{ osVersion: '17' }, { osVersion: '18' }];
  expect(await keep(book, one, { ...two, ...other })).toEqual(['17', '18']);
  // What is known of the one is not known of the other.
  expect(await keep(book, one, { ...one, ...other })).toEqual(['17', 'Other']);
  const last = { slotStart: firstDay + dayMs - 1 };
  expect(await keep(book, { osVersion: '18', ...last })).toEqual(['Other']);
});

test('after a start, what was counted has its name and what was left out has not', async () => {
  expect(await keep(newBook(), ...named('17', '18', '26'))).toEqual(['17', '18', 'Other']);
  expect(await keep(newBook(), ...named('26', '18'))).toEqual(['Other', '18']);
});

test('a bound that was raised holds at once', async () => {
  await keep(newBook(), ...named('17', '18', '26'));
  const others = named('26', '27').map((one) => ({ ...one, view: viewOf(1) }));
  expect(await keep(newBook(3), ...others)).toEqual(['26', 'Other']);
  expect(await keep(newBook(3), ...named('26', '18'))).toEqual(['26', '18']);
});

test('a node learns within a second what another has counted', async () => {
  const [one, other] = [newBook(), newBook()];
  await keep(one, ...named('17'));
  await keep(other, ...named('17'));
  await keep(one, ...named('18'));
  clock.advance(1_000);
  expect(await keep(other, ...named('18', '26'))).toEqual(['18', 'Other']);
  clock.advance(1_000);
  expect(await keep(one, ...named('26', '17'))).toEqual(['Other', '17']);
});

test('the store is asked once about a day, and again before a new version is judged', async () => {
  const book = newBook(9);
  await Promise.all(['17', '18', '17'].map((osVersion) => keep(book, { osVersion })));
  expect(reads).toEqual([[{ accountId: 1, day: firstDay }]]);
  clock.advance(999);
  await keep(book, ...named('26'));
  clock.advance(1);
  await keep(book, ...named('17', '18', '26', 'Unknown'));
  expect(reads).toHaveLength(1);
  await keep(book, ...named('27'));
  expect(reads).toHaveLength(2);
});

test('after a read that took long the store is left alone for longer', async () => {
  clock.advance(5_000);
  const book = newBook(9);
  let answer = () => {};
  hang = new Promise((resolve) => {
    answer = resolve;
  });
  const first = keep(book, ...named('17'));
  await expect.poll(() => reads.length).toBe(1);
  clock.advance(100);
  answer();
  await first;
  clock.advance(1_899);
  await keep(book, ...named('18'));
  expect(reads).toHaveLength(1);
  clock.advance(1);
  await keep(book, ...named('26'));
  expect(reads).toHaveLength(2);
});

test('of a request only the days with new values are asked about', async () => {
  const book = newBook(9);
  const next = { slotStart: firstDay + dayMs };
  await keep(book, { osVersion: '17' }, { osVersion: '17', ...next });
  clock.advance(1_000);
  await keep(book, { osVersion: '17' }, { osVersion: '18', ...next });
  expect(reads.at(-1)).toEqual([{ accountId: 1, day: firstDay + dayMs }]);
});

test('days that are new while a read is under way are read together', async () => {
  const book = newBook();
  const days = Array.from({ length: 50 }, (_, index) => firstDay + index * dayMs);
  await Promise.all(days.map((slotStart) => keep(book, { osVersion: '17', slotStart })));
  expect(reads.flat().map(({ day }) => day)).toEqual(days);
  expect(reads.length).toBeLessThanOrEqual(2);
});

test('a store that does not answer is asked again for the next', async () => {
  const book = newBook();
  failure = new Fault('UNAVAILABLE', 'The store is away');
  await expect(keep(book, ...named('17'))).rejects.toBe(failure);
  failure = undefined;
  expect(await keep(book, ...named('17'))).toEqual(['17']);
});

test('a store that hangs is not waited for', async () => {
  const book = newBook();
  let answer = () => {};
  hang = new Promise((resolve) => {
    answer = resolve;
  });
  const refused = expect(keep(book, ...named('17'))).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    retryAfterSeconds: 1,
  });
  clock.advance(4_999);
  expect(clock.waiting()).toBe(1);
  clock.advance(1);
  await refused;
  answer();
  expect(await keep(book, ...named('17'))).toEqual(['17']);
  expect(clock.waiting()).toBe(0);
});

test('days are forgotten once their facts are in the store, and not before', async () => {
  // A day and its version, twice.
  const book = newBook(1, 4);
  const [first, second, third] = [0, 1, 2].map((index) => firstDay + index * dayMs);
  const keepOn = (slotStart = 0, osVersion = '17') => keep(book, { osVersion, slotStart });
  await keepOn(first);
  clock.advance(1);
  await keepOn(second);
  const begun = clock.now();
  completeThrough = begun + 60_000 - 1;
  await expect(keepOn(third)).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 5 });
  completeThrough = begun + 60_000;
  expect(await keepOn(third)).toEqual(['17']);
  expect(await keepOn(second, '18')).toEqual(['Other']);
  const { length } = reads;
  clock.advance(60_001);
  completeThrough = clock.now() + 1;
  expect(await keepOn(first, '18')).toEqual(['Other']);
  expect(reads.length).toBeGreaterThan(length);
});

test('what is read again takes no more room, and there is room for just as much', async () => {
  // A day with two versions, and another day.
  const book = newBook(2, 4);
  await keep(book, ...named('17', '18'));
  for (const osVersion of ['26', '27']) {
    clock.advance(1_000);
    expect(await keep(book, { osVersion })).toEqual(['Other']);
  }
  expect(reads).toHaveLength(3);
  const next = { slotStart: firstDay + dayMs };
  expect(await keep(book, { osVersion: '17', ...next })).toEqual(['17']);
  const third = { osVersion: '17', slotStart: firstDay + 2 * dayMs };
  await expect(keep(book, third)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});

test.each([
  ['one', 5, 3],
  ['several', 4, 4],
])('of the days no more are forgotten than must be: %s', async (_name, entries, reread) => {
  const book = newBook(1, entries);
  const on = (index: number) => ({ osVersion: '17', slotStart: firstDay + index * dayMs });
  const passLong = () => {
    clock.advance(60_001);
    completeThrough = clock.now();
  };
  await keep(book, on(0));
  await keep(book, on(1));
  passLong();
  // Room for three days: their versions may come on top.
  await keep(book, on(2), on(3), on(4));
  expect(reads.flat()).toHaveLength(5);
  passLong();
  await keep(book, on(1));
  expect(reads).toHaveLength(reread);
});

const apart = (...versions: readonly string[]) =>
  versions.map((osVersion) => ({ osVersion, suspect: 'UNSIGNED' }));

test('what is set apart has room of its own', async () => {
  const book = newBook();
  expect(await keep(book, ...apart('1', '2', '3'))).toEqual(['1', '2', 'Other']);
  const next = [...named('17'), ...apart('17', '1', '3')].map((one) => ({
    ...one,
    view: viewOf(1),
  }));
  expect(await keep(book, ...next)).toEqual(['17', '17', '1', 'Other']);
  // After a start too: what was set apart counts for nothing.
  const again = [...named('18', '26'), ...apart('1', '2', '27')];
  expect(await keep(newBook(), ...again.map((one) => ({ ...one, view: viewOf(2) })))).toEqual([
    ...['18', 'Other', '1', '2', 'Other'],
  ]);
});

test('where what counts has no room left, what is set apart has none', async () => {
  const book = newBook();
  await keep(book, ...named('17', '18'));
  expect(await keep(book, ...apart('1', '17'))).toEqual(['Other', '17']);
  expect(await keep(newBook(), ...apart('1', '18'))).toEqual(['Other', '18']);
});

test('of a request, what counts is not taken for what is set apart beside it', async () => {
  const book = newBook(1);
  expect(await keep(book, ...apart('1'), ...named('17'))).toEqual(['1', '17']);
  expect(await keep(book, ...apart('1'), ...named('1'))).toEqual(['1', 'Other']);
});

const address = (network: string, site?: string): ValueSender => ({ network, site });
const trusted: ValueSender = { ...address('192.0.2.9'), accountId: 1 };

/** Brings so many versions, of which a sender has no share. */
async function use(
  book: DimensionLimits,
  count: number,
  other: Partial<Reported> = {},
): Promise<void> {
  const versions = named(...Array.from({ length: count }, (_, index) => `${100 + index}`));
  await keepFrom(trusted, book, ...versions.map((one) => ({ ...one, ...other })));
}

test('the first half of a room is anybody’s, of the other half a sender has a share', async () => {
  const book = newBook(6, undefined, 1);
  const versions = named('1', '2', '3', '4', '5');
  expect(await keepFrom(address('192.0.2.1'), book, ...versions)).toEqual([
    ...['1', '2', '3', '4', 'Other'],
  ]);
});

test('one address brings so many new values of each room, others go on', async () => {
  const book = newBook(100, undefined, 2);
  await use(book, 50);
  const versions = (...all: readonly string[]) =>
    all.map((osVersion, index) => ({ osVersion, view: viewOf(index) }));
  const stranger = address('192.0.2.1');
  const real = address('192.0.2.2');
  expect(await keepFrom(stranger, book, ...versions('1', '2', '3', '4'))).toEqual([
    ...['1', '2', 'Other', 'Other'],
  ]);
  // What others brought is everybody's, and so is room on other days and of other accounts.
  const viewer = { osVersion: '4', view: viewOf(9) };
  expect(await keepFrom(real, book, viewer)).toEqual(['4']);
  expect(await keepFrom(stranger, book, { osVersion: '4', view: viewOf(8) })).toEqual(['4']);
  for (const other of [{ slotStart: firstDay - dayMs }, { accountId: 2 }]) {
    await use(book, 50, other);
    const some = versions('5', '6', '7').map((one) => ({ ...one, ...other }));
    expect(await keepFrom(stranger, book, ...some)).toEqual(['5', '6', 'Other']);
  }
  // After a start what was left out closes nothing: neither for others nor for the address.
  const restarted = newBook(100, undefined, 2);
  expect(await keepFrom(real, restarted, { osVersion: '3', view: viewOf(7) })).toEqual(['3']);
  expect(warnings.filter((text) => text.includes('NEW_VALUES_BY_ADDRESS'))).toHaveLength(1);
});

/** A fact with this value of an open column. */
function factOfValue(column: OpenColumn, value: string, about: Partial<Reported> = {}): Fact {
  const browser = column === 'browserVersion' ? { browser: 'Chrome' } : {};
  if (column === 'osVersion') return factOf({ osVersion: value, ...about });
  if (column === 'mediaHost')
    return { ...factOf({ osVersion: '17', ...about }), quality: { mediaHost: value } };
  if (column === 'error') {
    const wait = { cause: 'error', outcome: 'failed', waitMs: 0, error: value } as const;
    return { ...factOf({ osVersion: '17', ...about }), quality: { wait } };
  }
  return factWith({ ...browser, [column]: value }, about);
}

function valueOfFact(column: OpenColumn, { osVersion, details, quality }: Fact) {
  if (column === 'osVersion') return osVersion;
  if (column === 'mediaHost') return quality?.mediaHost;
  return column === 'error' ? quality?.wait?.error : details?.attributes[column];
}

/** Of the size that days have by default, with all that it notes. */
function realBook() {
  const noted: NotedValue[] = [];
  const store = { ...valuesOfFacts(stored), completeThrough: () => 0 };
  const bounds = { versionsPerDay: 200, valuesPerDay: 1_000, valuesByAddress: 40 };
  const logger = { warn() {} };
  const noteValues = (values: readonly NotedValue[]) => void noted.push(...values);
  return { book: createDimensionLimits({ store, clock, logger, noteValues, ...bounds }), noted };
}

test.each(openColumns)(
  'fourteen addresses with 1,145 made-up values take nobody the place: %s',
  async (column) => {
    const yesterday = { slotStart: firstDay - dayMs };
    stored.push([factOfValue(column, 'home', yesterday), factOfValue(column, 'course', yesterday)]);
    const { book, noted } = realBook();
    for (let number = 0; number < 14; number += 1) {
      const madeUp = Array.from({ length: 82 }, (_, index) =>
        factOfValue(column, `${number}.${index}`),
      );
      stored.push([...(await book.bound(madeUp, address(`192.0.2.${number}`)))]);
    }
    const others = noted.filter(({ isOther }) => isOther);
    expect(noted.length).toBe(14 * 82);
    expect(others.length).toBeGreaterThan(0);
    expect(new Set(noted.map((one) => one.column))).toEqual(
      new Set(column === 'osVersion' ? ['osVersion'] : [column]),
    );
    noted.length = 0;
    const told = ['home', 'new today', 'course'].map((value) => factOfValue(column, value));
    const sender = address('198.51.100.1');
    const named = await book.bound(told, sender);
    expect(named.map((fact) => valueOfFact(column, fact))).toEqual(['home', 'new today', 'course']);
    expect(noted).toEqual([{ accountId: 1, column, isOther: false }]);
    // After a start too.
    stored.push([...named]);
    const again = await realBook().book.bound([...told, factOfValue(column, 'newer')], sender);
    expect(again.map((fact) => valueOfFact(column, fact))).toEqual([
      ...['home', 'new today', 'course', 'newer'],
    ]);
  },
);

test('what is set apart has the places of earlier days too, and keeps none for later ones', async () => {
  await keep(newBook(4), ...named('17'), ...apart('1', '2'));
  const next = { slotStart: firstDay + dayMs };
  const book = newBook(2);
  const on = (one: Reported) => ({ ...one, ...next });
  expect(await keep(book, ...named('18', '26').map(on))).toEqual(['18', 'Other']);
  expect(await keep(book, ...[...apart('17', '1'), ...named('17', '2')].map(on))).toEqual([
    ...['17', 'Other', '17', 'Other'],
  ]);
});

test('of earlier days half a room is kept, for what was told on most of them', async () => {
  const days = [3, 2, 1].map((ago) => ({ slotStart: firstDay - ago * dayMs }));
  await keep(newBook(9), ...days.flatMap((day) => [{ osVersion: '17', ...day }]));
  await keep(newBook(9), ...named('18', '18', '18', '26').map((one) => ({ ...one, ...days[0] })));
  await keep(newBook(9), { osVersion: '15', slotStart: firstDay - 8 * dayMs });
  const book = newBook(4);
  expect(await keep(book, ...named('26', '15', '27', '17', '18'))).toEqual([
    ...['26', '15', 'Other', '17', '18'],
  ]);
});

test('each dimension of an address has an allowance of its own', async () => {
  const book = newBook(4, undefined, 1);
  const facts = ['a/1', 'a/2', 'a/3', 'a/4'].map((page) => factWith({ page, host: 'a' }));
  const bound = await book.bound(facts, address('192.0.2.1'));
  expect(bound.map(({ details }) => details?.attributes)).toEqual(
    ['a/1', 'a/2', 'a/3', 'Other'].map((page) => ({ page, host: 'a' })),
  );
});

test('a site brings as many as four of its networks', async () => {
  const book = newBook(99, undefined, 2);
  await use(book, 50);
  const bring = async (number: number) => {
    const sender = address(`2001:db8:0:${number}`, '2001:db8:0::/48');
    const all = [0, 1, 2].map((index) => ({
      osVersion: `${number}.${index}`,
      view: viewOf(index),
    }));
    return (await keepFrom(sender, book, ...all)).filter((name) => name !== 'Other').length;
  };
  expect([await bring(1), await bring(2), await bring(3), await bring(4)]).toEqual([2, 2, 2, 2]);
  expect(await bring(5)).toBe(0);
});

test('who has a key is trusted, and so is everybody without a limit', async () => {
  const names = ['1', '2', '3', '4', '5', '6', '7', '8'];
  const book = newBook(9, undefined, 1);
  expect(await keepFrom(trusted, book, ...named(...names))).toEqual(names);
  stored = [];
  expect(await keepFrom(address('192.0.2.1'), newBook(9), ...named(...names))).toEqual(names);
  expect(warnings).toEqual([]);
});

test('a version that found no room has its name once somebody else has brought it', async () => {
  const book = newBook(9, undefined, 1);
  await use(book, 5);
  const [stranger, real] = [address('192.0.2.1'), address('192.0.2.2')];
  const own = { osVersion: '18', view: viewOf(1) };
  expect(await keepFrom(stranger, book, { osVersion: '17' }, own)).toEqual(['17', 'Other']);
  expect(await keepFrom(real, book, { osVersion: '18', view: viewOf(2) })).toEqual(['18']);
  expect(await keepFrom(stranger, book, own)).toEqual(['18']);
  expect(await keepFrom(real, book, { ...own, suspect: 'LENGTH' })).toEqual(['18']);
});

test('whatever comes in whatever order, a version of a day has one name, and they are few', async () => {
  const step = fc.record({
    osVersion: fc.constantFrom('15', '16', '17', '18', '26', 'Unknown'),
    os: fc.constantFrom('iOS', 'iPadOS'),
    accountId: fc.constantFrom(1, 2),
    slotStart: fc.constantFrom(firstDay, firstDay + dayMs),
    starts: fc.boolean(),
    passedMs: fc.constantFrom(0, 500, 1_000),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      stored = [];
      let book = newBook(3);
      const names = new Map<string, string>();
      for (const { starts, passedMs, ...reported } of steps) {
        if (starts) book = newBook(3);
        clock.advance(passedMs);
        const [name = ''] = await keep(book, reported);
        const { accountId, slotStart, os, osVersion } = reported;
        const key = `${accountId} ${slotStart} ${os} ${osVersion}`;
        // A start reads again what keeps its place: then what had none may have one.
        const before = names.get(key) ?? name;
        expect(starts && before === 'Other' ? name : before).toBe(name);
        names.set(key, name);
      }
      const counted = [...names].filter(([key, name]) => key.endsWith(name) && name !== 'Unknown');
      const byDay = Map.groupBy(counted, ([key]) => key.split(' ').slice(0, 2).join(' '));
      for (const ofDay of byDay.values()) expect(ofDay.length).toBeLessThanOrEqual(3);
    }),
  );
});

test('new values are told by account and hour, and in the metrics by dimension', async () => {
  const clock = manualClock(Date.UTC(2026, 10, 20, 7, 59));
  const noted: Outcome[] = [];
  const accountLedger = { note: (outcomes: readonly Outcome[]) => void noted.push(...outcomes) };
  const metrics = new Registry();
  const note = createValueNotes({ accountLedger, clock, metrics });
  const seen = async () => {
    const [counter] = await metrics.getMetricsAsJSON();
    return counter?.values.map(({ labels, value }) => [labels.dimension, labels.outcome, value]);
  };
  expect(await seen()).toHaveLength(2 * openColumns.length);
  note([
    { accountId: 1, column: 'page', isOther: false },
    { accountId: 2, column: 'label1', isOther: true },
  ]);
  clock.advance(60_000);
  note([{ accountId: 2, column: 'label1', isOther: true }]);
  expect(noted).toEqual([
    { accountId: 1, code: 'NEW_page' },
    { accountId: 2, code: 'OTHER_label1_07' },
    { accountId: 2, code: 'OTHER_label1_08' },
  ]);
  expect((await seen())?.filter(([, , value]) => value !== 0)).toEqual([
    ['page', 'named', 1],
    ['label1', 'other', 2],
  ]);
});
