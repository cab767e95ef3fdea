import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memoryEventLog } from '../../../../test/support/memory-event-log.ts';
import {
  mostEventsOfView,
  type PlayerEvent,
  type ViewName,
  type ViewWindow,
} from '../../../store/facts.ts';
import { numberOfWaitAt, startNumber } from '../../../vocabulary/waits.ts';
import type { Draft } from '../../draft.ts';
import { readTogether } from '../../steps/event-reader.ts';
import { longestIntervalMs } from './view-context.ts';
import {
  beginningMs,
  createNotes,
  createViewDrafts,
  findCountedPlay,
  findPlay,
  numberOfPieceAt,
} from './view-drafts.ts';

const startMs = Date.UTC(2026, 10, 20, 12);
const reachMs = 2 * longestIntervalMs + 120_000;
const device = { userAgent: 'agent' };

function event(sequence: number, state: PlayerEvent['state'], afterMs: number, view = 'view') {
  const momentMs = startMs + afterMs;
  return { accountId: 7, view, momentMs, sequence, state, arrivalMs: startMs + 1_000 };
}

interface Asked {
  readonly read: ViewWindow[];
  readonly beginnings: string[];
  readonly agreed: [ViewName, string, number][];
  turns: number;
}

/** Drafts views over a log; whoever wants to count a play is asked about it here. */
function drafting(log: readonly PlayerEvent[]) {
  const asked: Asked = { read: [], beginnings: [], agreed: [], turns: 0 };
  const { read, beginnings } = readTogether(memoryEventLog([log]));
  const views = createViewDrafts({
    events: {
      read(window) {
        asked.read.push(window);
        return read(window);
      },
      beginnings(name) {
        asked.beginnings.push(name.view);
        return beginnings(name);
      },
    },
    async agree(view, name, proposalMs) {
      asked.agreed.push([view, name, proposalMs]);
      return proposalMs - 1;
    },
    async takeTurn() {
      asked.turns += 1;
    },
  });
  const portions = (reported: readonly PlayerEvent[]) =>
    views.draftsOf(reported, device, startMs + 2_000);
  const draftsOf = async (reported: readonly PlayerEvent[]) =>
    (await taken(portions(reported))).flat();
  return { ...views, portions, draftsOf, asked };
}

async function taken<Portion>(portions: AsyncIterable<Portion>): Promise<Portion[]> {
  const all: Portion[] = [];
  for await (const portion of portions) all.push(portion);
  return all;
}

const playDraft = (view: string, atMs: number): Draft => ({
  ...{ view, stretch: 0, atMs, playMs: 0, plays: 1, device, facts: [] },
});

test('a view has its play, where all agree on it, and each piece of playing', async () => {
  const log = [event(0, 'resting', 0), event(1, 'playing', 10), event(2, 'resting', 510)];
  const { draftsOf, asked } = drafting(log);
  expect(await draftsOf(log)).toEqual([
    playDraft('view', startMs + 9),
    {
      view: 'view',
      stretch: (startMs + 10) % 2 ** 32,
      atMs: startMs + 10,
      playMs: 500,
      plays: 0,
      device,
      facts: [],
    },
  ]);
  expect(asked.agreed).toEqual([[{ accountId: 7, view: 'view' }, 'play', startMs + 10]]);
});

test('a play that is counted already is counted there, and nobody has to agree', async () => {
  const log = [event(0, 'playing', 10), event(0, 'counted', 7)];
  const { draftsOf, asked } = drafting(log);
  expect(await draftsOf(log.slice(0, 1))).toEqual([playDraft('view', startMs + 7)]);
  expect(asked.agreed).toEqual([]);
});

test('a play whose beginning is not whole waits', async () => {
  const log = [event(1, 'playing', 10)];
  const { draftsOf, asked } = drafting(log);
  expect(await draftsOf(log)).toEqual([]);
  expect(asked.agreed).toEqual([]);
});

test('each view is read from well before its first event to well after its last', async () => {
  const log = [event(3, 'resting', 500), event(1, 'resting', -200), event(0, 'resting', 9, 'two')];
  const { draftsOf, asked } = drafting(log);
  expect(await draftsOf(log)).toEqual([]);
  const at = (view: string, fromMs: number, untilMs: number) => ({
    ...{ accountId: 7, view, fromMs: startMs + fromMs, untilMs: startMs + untilMs },
  });
  expect(asked.read).toEqual([
    at('view', -200 - reachMs, 500 + reachMs),
    at('two', 9 - reachMs, 9 + reachMs),
  ]);
});

test('where two loads may have mixed, a piece says how much it was made from', async () => {
  const log = [event(0, 'playing', 10), event(0, 'resting', 20), event(1, 'resting', 510)];
  const pieces = (await drafting(log).draftsOf(log)).filter(({ plays }) => plays === 0);
  expect(pieces).toMatchObject([
    { atMs: startMs + 10, playMs: 0, retold: { known: 3, longestMs: longestIntervalMs } },
  ]);
});

test('a view has its waits before its pieces, and pieces the bits of what played', async () => {
  const told = { bitrate: 300, rate: 1.5, streamType: 'vod' };
  const log: PlayerEvent[] = [
    event(0, 'starting', 0),
    { ...event(1, 'playing', 700), ...told },
    { ...event(2, 'failed', 1_700), error: '3016' },
    event(3, 'resting', 2_000),
  ];
  const drafts = (await drafting(log).draftsOf(log)).slice(1);
  expect(drafts).toMatchObject([
    {
      ...{ stretch: 2 ** 31, atMs: startMs, playMs: 0, plays: 0 },
      quality: { wait: { cause: 'start', outcome: 'played', waitMs: 700 } },
    },
    {
      ...{ stretch: 2 ** 31 + 1 + ((startMs + 1_700) % (2 ** 31 - 1)), atMs: startMs + 1_700 },
      quality: { wait: { cause: 'error', outcome: 'failed', waitMs: 0, error: '3016' } },
    },
    {
      ...{ atMs: startMs + 700, playMs: 1_000, mediaMs: 1_500, streamType: 'vod' },
      quality: { mediaBits: 450_000 },
    },
  ]);
});

test.each([
  ['long before the change', startMs],
  ['just before it', Date.UTC(2026, 11, 15) - 1],
  ['on its day', Date.UTC(2026, 11, 15)],
])('a piece that begins %s has the number that version 0.2.0 gives it', (_name, momentMs) => {
  expect(numberOfPieceAt(momentMs)).toBe(momentMs % 2 ** 32);
});

test('from 15 December 2026 on, no piece has the number of a wait', () => {
  const moment = fc.integer({ min: Date.UTC(2026, 11, 15), max: Date.UTC(2100, 0) });
  fc.assert(
    fc.property(moment, (momentMs) => {
      expect(numberOfPieceAt(momentMs)).toBe(momentMs % 2 ** 31);
      expect(numberOfPieceAt(momentMs)).toBeLessThan(startNumber);
      expect(numberOfWaitAt(momentMs)).toBeGreaterThan(startNumber);
    }),
  );
});

test('a wait that is taken back is one of no time, whoever told it before', async () => {
  const log = [event(0, 'starting', 0), event(1, 'playing', 700), event(1, 'resting', 900)];
  const [wait] = (await drafting(log).draftsOf(log)).filter(({ quality }) => quality);
  expect(wait).toMatchObject({ stretch: 2 ** 31, retold: { known: 1, longestMs: 0 } });
});

test('nothing is made of a view of which the log has too many events', async () => {
  const many = Array.from({ length: mostEventsOfView + 1 }, () => event(0, 'playing', 0));
  const tooMany: PlayerEvent[] = many.map((one, index) => ({ ...one, sequence: index }));
  const { draftsOf, asked } = drafting(tooMany);
  expect(await draftsOf(tooMany.slice(0, 1))).toEqual([]);
  expect(asked.beginnings).toEqual([]);
});

test('nor a play, where only its beginning is too long', async () => {
  const early = Array.from({ length: mostEventsOfView }, (_, index) =>
    event(index, 'resting', -2 * reachMs - index),
  );
  const { draftsOf, asked } = drafting([...early, event(mostEventsOfView, 'playing', 0)]);
  expect(await draftsOf([event(mostEventsOfView, 'playing', 0)])).toEqual([]);
  expect(asked.beginnings).toEqual(['view']);
});

test('views are drafted together, each from its own events', async () => {
  const log = ['one', 'two'].flatMap((view, index) => [
    event(0, 'playing', index, view),
    event(1, 'resting', index + 100, view),
  ]);
  const drafts = await drafting(log).draftsOf(log);
  expect(drafts.map(({ view, atMs, playMs }) => [view, atMs - startMs, playMs])).toEqual([
    ['one', -1, 0],
    ['two', 0, 0],
    ['one', 0, 100],
    ['two', 1, 100],
  ]);
});

const restingEvents = (count: number, view = 'view') =>
  Array.from({ length: count }, (_, index) => event(index, 'resting', index, view));

test.each([
  ['a view of 1,000 events', restingEvents(1_000), 0],
  ['two of them', ['a', 'b'].flatMap((view) => restingEvents(1_000, view)), 1],
  ['seven of 300', [...'abcdefg'].flatMap((view) => restingEvents(300, view)), 2],
  ['one of 2,500, after each of its portions, of waits and of playing', restingEvents(2_500), 8],
])('others have their turn while many events are looked at: %s', async (_name, log, turns) => {
  const { draftsOf, remember, asked } = drafting(log);
  remember(log.map(({ view }) => playDraft(view, startMs)));
  await draftsOf(
    [...Map.groupBy(log, ({ view }) => view).values()].map(([first]) => first as PlayerEvent),
  );
  expect(asked.turns).toBe(turns);
});

test('views of 200 reported events are read at once, the next when their drafts are taken', async () => {
  const log = ['a', 'b', 'c'].flatMap((view) => [
    ...restingEvents(99, view),
    event(99, 'playing', 100, view),
  ]);
  const { portions, asked } = drafting(log);
  const readSoFar: string[] = [];
  for await (const [draft] of portions(log)) {
    readSoFar.push(`${draft?.view}: ${asked.read.map(({ view }) => view).join(' ')}`);
  }
  expect(readSoFar).toEqual(['a: a b', 'c: a b c']);
});

test('drafts come in portions', async () => {
  // Two loads of 150 pieces each, all of which one event touches.
  const pieces = Array.from({ length: 302 }, (_, at) => event(at % 151, 'playing', at));
  const mixed = drafting(pieces);
  const portions = await taken(mixed.portions(pieces.slice(0, 1)));
  expect(portions.map(({ length }) => length)).toEqual([1, 250, 52]);
  expect(mixed.asked.turns).toBe(1);
});

test.each([
  ['first', [[0], [1, 2]]],
  ['last', [[1, 2], [0]]],
])(
  'a view that plays long after its beginning has its play where that comes %s',
  async (_name, requests) => {
    const all = [
      event(0, 'resting', 0),
      event(1, 'playing', reachMs + 1),
      event(2, 'resting', reachMs + 5_000),
    ];
    const log: PlayerEvent[] = [];
    const { draftsOf } = drafting(log);
    const drafts: Draft[] = [];
    for (const numbers of requests) {
      const reported = all.filter(({ sequence }) => numbers.includes(sequence));
      log.push(...reported);
      drafts.push(...(await draftsOf(reported)));
    }
    const plays = drafts.filter((draft) => draft.plays > 0);
    expect(plays).toEqual([playDraft('view', startMs + reachMs)]);
  },
);

test('whose play is durable is not asked about again, for 50,000 views', async () => {
  const log = ['one', 'two'].map((view) => event(0, 'playing', 0, view));
  const { draftsOf, remember, asked } = drafting(log);
  const asks = async () => {
    asked.beginnings.length = 0;
    await draftsOf(log);
    return asked.beginnings;
  };
  const many = Array.from({ length: 49_998 }, (_, index) => playDraft(`view ${index}`, startMs));
  expect(await asks()).toEqual(['one', 'two']);
  remember([{ ...playDraft('one', startMs), plays: 0 }]);
  expect(await asks()).toEqual(['one', 'two']);
  remember([playDraft('one', startMs), playDraft('two', startMs), ...many]);
  expect(await asks()).toEqual([]);
  remember([playDraft('newest', startMs)]);
  expect(await asks()).toEqual(['one']);
});

test('what is kept of drafts is where their plays are', () => {
  const piece: Draft = { ...playDraft('view', startMs + 5), plays: 0 };
  expect(createNotes([piece, playDraft('view', startMs)], 7, startMs + 9)).toEqual([
    {
      accountId: 7,
      view: 'view',
      momentMs: startMs,
      sequence: 0,
      state: 'counted',
      arrivalMs: startMs + 9,
    },
  ]);
});

const signal = (
  sequence: number,
  state: PlayerEvent['state'],
  arrivalMs = 1_000 + sequence,
): PlayerEvent => ({
  accountId: 1,
  view: 'view',
  sequence,
  momentMs: 500 + sequence,
  state,
  arrivalMs,
});
const beginning = [
  signal(0, 'resting'),
  signal(1, 'resting'),
  signal(2, 'playing'),
  signal(3, 'playing'),
];
const longAfter = 1_000_000;

test('is where the view first says that it plays, once all before it is known', () => {
  expect(findPlay(beginning, 1_100)).toBe(502);
  expect(findPlay(beginning.slice(0, 2), longAfter)).toBeUndefined();
});

test('waits for what is missing, for a while', () => {
  const late = [signal(1, 'resting'), signal(3, 'playing', 2_000)];
  expect(findPlay(late, 2_000)).toBeUndefined();
  expect(findPlay(late, 2_000 + beginningMs)).toBeUndefined();
  expect(findPlay(late, 2_000 + beginningMs + 60_000)).toBe(503);
});

test('waits for a minute after the first sign came, and 20 seconds more', () => {
  const late = [signal(4, 'playing', 50_000), signal(3, 'playing', 2_000)];
  expect(findPlay(late, 2_000 + beginningMs + 20_000)).toBeUndefined();
  expect(findPlay(late, 2_000 + beginningMs + 20_001)).toBe(503);
});

test('what comes after the minute moves nothing, but shows that nothing is missing', () => {
  const late = signal(2, 'playing', 2_001 + beginningMs);
  const inTime = [signal(0, 'resting'), signal(1, 'resting'), signal(3, 'playing', 2_000)];
  expect(findPlay(inTime, late.arrivalMs)).toBeUndefined();
  expect(findPlay([...inTime, late], late.arrivalMs)).toBe(503);
  const justInTime = { ...late, arrivalMs: 2_000 + beginningMs };
  expect(findPlay([...inTime, justInTime], late.arrivalMs)).toBe(502);
});

test('a clock that is set back leaves out nothing', () => {
  const before = [signal(0, 'resting', longAfter), signal(1, 'playing', longAfter)];
  expect(findPlay([...before, signal(2, 'playing', 1_000)], 1_001)).toBe(502);
});

test('of two signs at one instant the one with the lower number is the first', () => {
  const signs = [0, 2].map((sequence) => ({ ...signal(sequence, 'playing'), momentMs: 500 }));
  // Nothing is missing before number 0, though it is before number 2.
  expect(findPlay(signs, 1_100)).toBe(500);
  expect(findPlay(signs.toReversed(), 1_100)).toBe(500);
});

test('of two signs the earlier is the first, whatever their numbers', () => {
  const signs = [signal(0, 'playing'), { ...signal(1, 'playing'), momentMs: 400 }];
  expect(findPlay(signs, 1_100)).toBe(400);
  expect(findPlay(signs.toReversed(), 1_100)).toBe(400);
});

test('is where it is counted already, and at the earliest such moment', () => {
  const counted = [signal(9, 'counted'), signal(7, 'counted'), signal(8, 'counted')];
  expect(findCountedPlay([...beginning, ...counted])).toBe(507);
  expect(findPlay([...beginning, ...counted], 1_100)).toBe(507);
  expect(findCountedPlay(beginning)).toBeUndefined();
});

test('is known by a start delay if no states are sent', () => {
  expect(findPlay([signal(0, 'resting'), signal(1, 'started')], 1_100)).toBe(501);
});

test('whoever asks, whenever, about whatever had arrived, gets one instant or none yet', () => {
  const delays = fc.array(fc.integer({ min: 0, max: 4 * beginningMs }), {
    minLength: 6,
    maxLength: 6,
  });
  fc.assert(
    fc.property(delays, fc.nat(5), (arrivals, lost) => {
      const all = arrivals
        .map((arrivalMs, sequence) =>
          signal(sequence, sequence < 2 ? 'resting' : 'playing', arrivalMs),
        )
        .filter(({ sequence }) => sequence !== lost);
      const answers = new Set<number | undefined>();
      for (let nowMs = 0; nowMs <= 8 * beginningMs; nowMs += 5_000) {
        const arrived = all.filter(({ arrivalMs }) => arrivalMs <= nowMs);
        answers.add(findPlay(arrived, nowMs));
      }
      answers.delete(undefined);
      expect(answers.size).toBe(1);
    }),
  );
});
