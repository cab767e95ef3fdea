/** Which repetition of a range an event is, on both sides of every border. */
import { expect, test } from 'vitest';
import { memoryEventLog } from '../../../../test/support/memory-event-log.ts';
import { playEvent } from '../../../../test/support/play-event.ts';
import { assert } from '../../../lib/assert.ts';
import { mostEventsOfView, type PlayerEvent } from '../../../store/facts.ts';
import type { Draft } from '../../draft.ts';
import { readTogether } from '../../steps/event-reader.ts';
import { createAgreement } from '../../steps/instant-agreement.ts';
import {
  createEventDates,
  type Dated,
  draftPlay,
  draftRange,
  noteOfCopy,
  placeOfPlay,
  placeOfRange,
  playNote,
  rangeUntil,
} from './event-time.ts';
import type { LogEvent, PlayedRange } from './log-event.ts';

const { sessionStartMs: startMs } = playEvent;
const again = 2 ** 41;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

const tenSeconds: PlayedRange = { startMs: 5_000, lengthMs: 10_000, startIsDerived: false };

/** A line of the event log: a range that arrived so long after the session began. */
function came(range: Partial<PlayedRange>, afterMs: number, repetition = 0): Dated {
  const { startMs: from, lengthMs: sequence } = { ...tenSeconds, ...range };
  const momentMs = from + repetition * again;
  return { momentMs, sequence, state: 'playing', arrivalMs: startMs + afterMs };
}

const first = came({}, hourMs);
const added = (repetition: number) => ({
  added: { momentMs: 5_000 + repetition * again, sequence: 10_000, state: 'playing' },
});

test.each<[string, Dated[], number, ReturnType<typeof placeOfRange>]>([
  ['the first time', [], hourMs, added(0) as never],
  ['a copy at once', [first], hourMs, { known: first }],
  ['a copy just too soon', [first], hourMs + 8_999, { known: first }],
  ['again, in its length less a second', [first], hourMs + 9_000, added(1) as never],
  ['before it first came, for the clock was set back', [first], 0, { known: first }],
  ['a third time', [came({}, hourMs + 10_000, 1), first], hourMs + 19_000, added(2) as never],
  [
    'just too soon after the second time',
    [first, came({}, hourMs + 10_000, 1)],
    hourMs + 18_999,
    { known: came({}, hourMs + 10_000, 1) },
  ],
  [
    'just too soon after a copy',
    [first, { ...noteOfCopy(tenSeconds, startMs + hourMs + 5_000), arrivalMs: startMs }],
    hourMs + 13_999,
    { known: first },
  ],
  [
    'long enough after a copy',
    [first, { ...noteOfCopy(tenSeconds, startMs + hourMs + 5_000), arrivalMs: startMs }],
    hourMs + 14_000,
    added(1) as never,
  ],
  [
    'a copy of another range is none of this one',
    [
      first,
      {
        ...noteOfCopy({ ...tenSeconds, startMs: 0 }, startMs + hourMs + 5_000),
        arrivalMs: startMs,
      },
    ],
    hourMs + 9_000,
    added(1) as never,
  ],
  ['another end is another range', [came({ lengthMs: 9_999 }, hourMs)], hourMs, added(0) as never],
  ['another beginning too', [came({ startMs: 5_001 }, hourMs)], hourMs, added(0) as never],
  ['again, as long as the session', [came({}, 10_000)], 20_000, added(1) as never],
  [
    'again, as long as the session, which began before its cs',
    [came({}, -4 * minuteMs)],
    20_000 - 4 * minuteMs,
    added(1) as never,
  ],
  ['again, longer than the session', [came({}, 10_000)], 19_999, { known: came({}, 10_000) }],
  [
    'a first range, 5 minutes longer than the session',
    [came({ startMs: 0, lengthMs: 5 * minuteMs }, 0)],
    10_000,
    added(0) as never,
  ],
  [
    'a first range, a moment longer than that',
    [came({ startMs: 0, lengthMs: 5 * minuteMs }, 0)],
    9_999,
    { tooMuch: true },
  ],
])('%s', (_name, log, afterMs, expected) => {
  expect(placeOfRange(tenSeconds, log, playEvent, startMs + afterMs)).toEqual(expected);
});

test.each([
  ['a first range, a second longer than the session', 9_000, added(0)],
  ['a first range, a moment longer than that', 8_999, { tooMuch: true }],
])('of a session that the service gave: %s', (_name, afterMs, expected) => {
  const sealed = { ...playEvent, isSealed: true };
  expect(placeOfRange(tenSeconds, [], sealed, startMs + afterMs)).toEqual(expected);
  const before = came({ startMs: 0, lengthMs: 5_000 }, 5_000);
  const arrivedMs = startMs + afterMs + 5_000;
  expect(placeOfRange(tenSeconds, [before], sealed, arrivedMs)).toEqual(expected);
});

test('a short range may come again after half its length, never at once', () => {
  const short = { ...tenSeconds, lengthMs: 800 };
  const known = came(short, hourMs);
  const place = (afterMs: number) =>
    placeOfRange(short, [known], playEvent, startMs + hourMs + afterMs);
  expect(place(399)).toEqual({ known });
  expect(place(400)).toHaveProperty('added');
});

test('a range counts at most 4,000 times', () => {
  const log = Array.from({ length: 4_000 }, (_, time) => came({}, hourMs + time * 10_000, time));
  const place = (times: number) =>
    placeOfRange(tenSeconds, log.slice(0, times), playEvent, startMs + 13 * hourMs);
  expect(place(3_999)).toEqual(added(3_999));
  expect(place(4_000)).toEqual({ known: log.at(-1) });
});

test('a cs that is not our clock is not what the session is measured by', () => {
  const ofDevice = { ...playEvent, sessionStartMs: startMs - 49 * hourMs };
  const log = [came({}, 0)];
  const place = (afterMs: number) => placeOfRange(tenSeconds, log, ofDevice, startMs + afterMs);
  expect(place(9_999)).toEqual({ known: log[0] });
  expect(place(10_000)).toEqual(added(1));
});

test('the play is known once the log has it', () => {
  expect(placeOfPlay([first])).toEqual({ added: playNote });
  const known = { ...playNote, arrivalMs: 7 };
  expect(placeOfPlay([first, known])).toEqual({ known });
});

test.each([
  [0, 0],
  [-5 * minuteMs, 0],
  [-5 * minuteMs - 1, -5 * minuteMs - 1],
  [48 * hourMs, 0],
  [48 * hourMs + 1, 48 * hourMs + 1],
])('a play first heard of %i ms after cs counts %i ms after it', (heardMs, countedMs) => {
  expect(draftPlay(playEvent, startMs + heardMs, {})).toMatchObject({
    view: 'view',
    stretch: 0,
    atMs: startMs + countedMs,
    playMs: 0,
    plays: 1,
  });
});

test('a range ended when it arrived, and each repetition is a stretch of its own', () => {
  const drafts = [first, came({}, hourMs, 1), came({ startMs: 0 }, hourMs)].map((note) =>
    draftRange(playEvent, note, {}),
  );
  expect(drafts[0]).toEqual({
    view: 'view',
    // As the first release numbered it: a copy that comes after an upgrade is still one.
    stretch: 0xd3c37236,
    ...{ atMs: startMs + hourMs - 10_000, playMs: 10_000, plays: 0 },
    ...{ position: 5_000, mediaMs: 10_000 },
    ...{ device: {}, facts: [] },
  });
  expect(new Set(drafts.map(({ stretch }) => stretch)).size).toBe(3);
});

const stopped: Dated = { momentMs: 10_000, sequence: 2_000, state: 'started', arrivalMs: 30 };
test.each<[string, Dated[], number, PlayedRange | undefined]>([
  ['from 0 where nothing came', [], 4_000, { startMs: 0, lengthMs: 4_000, startIsDerived: true }],
  [
    'from the end of what came last',
    [came({ startMs: 90_000 }, 1), came({}, 3), came({ startMs: 50_000 }, 2)],
    17_000,
    { startMs: 15_000, lengthMs: 2_000, startIsDerived: true },
  ],
  ['nothing where that is its own end', [came({}, 1)], 15_000, undefined],
  ['nothing where that is later', [came({}, 1)], 14_000, undefined],
  [
    'the same where the same came before',
    [stopped],
    12_000,
    { startMs: 10_000, lengthMs: 2_000, startIsDerived: true },
  ],
  [
    'from the end of a repetition',
    [came({}, 1, 3)],
    16_000,
    { startMs: 15_000, lengthMs: 1_000, startIsDerived: true },
  ],
  [
    'whatever else the log holds',
    [
      { ...playNote, arrivalMs: 9 },
      { ...noteOfCopy(tenSeconds, 99), arrivalMs: 99 },
    ],
    1_000,
    { startMs: 0, lengthMs: 1_000, startIsDerived: true },
  ],
])('an end alone: %s', (_name, log, endMs, expected) => {
  expect(rangeUntil(endMs, log)).toEqual(expected);
});

const device = { userAgent: 'agent' };
const played = (from: number, until: number): LogEvent => ({
  ...playEvent,
  range: { startMs: from, lengthMs: until - from, startIsDerived: false },
});

/** Nodes over one log; `agreed` are the names under which somebody asked for an agreement. */
function dating() {
  const written: (readonly PlayerEvent[])[] = [];
  const agreed: string[] = [];
  const eventSpool = {
    async add(events: readonly PlayerEvent[]) {
      written.push(events);
    },
  };
  const events = readTogether(memoryEventLog(written));
  const agree = createAgreement({ events, eventSpool, clock: { now: () => startMs } });
  const { date } = createEventDates({
    events,
    agree(view, name, proposalMs) {
      agreed.push(name);
      return agree(view, name, proposalMs);
    },
  });
  const dated = async (one: LogEvent, afterMs: number) => {
    const result = await date(one, device, startMs + afterMs);
    assert(result.ok, 'the event is dated');
    return result.value;
  };
  return {
    agreed,
    date,
    dated,
    /** Dates an event and keeps what is to be kept of it. */
    async keep(one: LogEvent, afterMs: number) {
      const { drafts, notes } = await dated(one, afterMs);
      await eventSpool.add(notes);
      return drafts;
    },
  };
}

const rangesOf = (drafts: readonly Draft[]) =>
  drafts.filter(({ plays }) => plays === 0).map(({ atMs, playMs }) => [atMs - startMs, playMs]);
const playsOf = (drafts: readonly Draft[]) =>
  drafts.filter(({ plays }) => plays === 1).map(({ atMs }) => atMs - startMs);
const note = (momentMs: number, sequence: number, afterMs: number): PlayerEvent => ({
  ...{ accountId: 1, view: 'view', momentMs, sequence, state: 'playing' },
  arrivalMs: startMs + afterMs,
});

test('what shows no play is neither counted nor kept, and nobody is asked', async () => {
  const { dated, agreed } = dating();
  expect(await dated({ ...playEvent, showsPlay: false }, 1_000)).toEqual({ drafts: [], notes: [] });
  expect(agreed).toEqual([]);
});

test('a session with more events than a player sends gets no more', async () => {
  const log = Array.from({ length: mostEventsOfView + 1 }, (_, index) => note(index, 5, index));
  const dateBeside = (count: number) =>
    createEventDates({
      events: readTogether(memoryEventLog([log.slice(0, count)])),
      agree: async (_view, _name, proposalMs) => proposalMs,
    }).date(playEvent, device, startMs + 90_000_000);
  expect(await dateBeside(mostEventsOfView)).toMatchObject({ ok: true });
  expect(await dateBeside(mostEventsOfView + 1)).toEqual({
    ok: false,
    reason: { code: 'INVALID_BEACON', detail: 'uid: a session with too many events' },
  });
});

test('a start alone is the play, at the start of the session', async () => {
  const { dated } = dating();
  const { drafts, notes } = await dated(playEvent, 1_000);
  expect(drafts).toEqual([
    { view: 'view', stretch: 0, atMs: startMs, playMs: 0, plays: 1, device, facts: [] },
  ]);
  expect(notes).toEqual([note(-1, 0, 1_000)]);
});

test('the first range brings the play with it; both are kept', async () => {
  const { dated } = dating();
  const { drafts, notes } = await dated(played(0, 5_000), 6_000);
  expect(playsOf(drafts)).toEqual([0]);
  expect(rangesOf(drafts)).toEqual([[1_000, 5_000]]);
  expect(drafts.map((draft) => draft.device)).toEqual([device, device]);
  expect(notes).toEqual([note(-1, 0, 6_000), note(0, 5_000, 6_000)]);
});

test('what the log knows is dated as it was, without asking anybody', async () => {
  const { keep, dated, agreed } = dating();
  await keep(playEvent, 1_000);
  await keep(played(0, 5_000), 6_000);
  agreed.length = 0;
  const { drafts, notes } = await dated(played(0, 5_000), 7_000);
  expect(rangesOf(drafts)).toEqual([[1_000, 5_000]]);
  expect(agreed).toEqual([]);
  // Only that a copy came.
  expect(notes).toEqual([
    { ...note(startMs + 7_000, 0, 7_000), sequence: expect.anything(), state: 'resting' },
  ]);
});

test('a copy in the same millisecond needs no note', async () => {
  const { keep, dated } = dating();
  await keep(played(0, 5_000), 6_000);
  expect((await dated(played(0, 5_000), 6_000)).notes).toEqual([]);
});

test('after each copy its own length has to pass before the range counts again', async () => {
  const { keep } = dating();
  const drafts: Draft[] = [];
  for (const afterMs of [30_000, 33_000, 36_000, 39_999, 43_998, 47_998]) {
    drafts.push(...(await keep(played(0, 5_000), afterMs)));
  }
  const counted = new Map(rangesOf(drafts).map(([atMs, playMs]) => [atMs, playMs]));
  expect([...counted]).toEqual([
    [25_000, 5_000],
    [42_998, 5_000],
  ]);
});

test('of two that come at once, before either is kept, the second is a copy', async () => {
  const { dated } = dating();
  const first = await dated(played(0, 5_000), 6_000);
  const second = await dated(played(0, 5_000), 6_500);
  expect(rangesOf(second.drafts)).toEqual(rangesOf(first.drafts));
  expect(playsOf(second.drafts)).toEqual(playsOf(first.drafts));
  expect(second.drafts.map(({ stretch }) => stretch)).toEqual(
    first.drafts.map(({ stretch }) => stretch),
  );
  // The first may have died before it kept anything: whoever comes second keeps it as well.
  expect(second.notes.slice(0, 2)).toEqual(first.notes);
  expect(second.notes.slice(2)).toMatchObject([{ momentMs: startMs + 6_500, state: 'resting' }]);
});

test('a range that comes again after its length counts again, though the first is not kept', async () => {
  const { dated } = dating();
  const first = await dated(played(0, 5_000), 6_000);
  const second = await dated(played(0, 5_000), 20_000);
  expect(rangesOf(second.drafts)).toEqual([[15_000, 5_000]]);
  expect(second.drafts[1]?.stretch).not.toBe(first.drafts[1]?.stretch);
  expect(second.notes).toEqual([note(-1, 0, 6_000), note(2 ** 41, 5_000, 20_000)]);
});

test('a cs of another clock: the play is when it was first heard of, for all', async () => {
  const { dated } = dating();
  const ofDevice = { ...playEvent, sessionStartMs: startMs + 3_600_000 };
  expect(playsOf((await dated(ofDevice, 1_000)).drafts)).toEqual([1_000]);
  expect(playsOf((await dated(ofDevice, 9_000)).drafts)).toEqual([1_000]);
});

test('a stop that says only where it was counts from the end of the last range', async () => {
  const { keep } = dating();
  await keep(played(0, 5_000), 6_000);
  const stop = { ...playEvent, stoppedAtMs: 8_000 };
  expect(rangesOf(await keep(stop, 9_000))).toEqual([[6_000, 3_000]]);
  expect(rangesOf(await keep(stop, 9_500))).toEqual([[6_000, 3_000]]);
  // Nothing lies between the end of the last range and an earlier stop.
  expect(rangesOf(await keep({ ...playEvent, stoppedAtMs: 7_000 }, 9_600))).toEqual([]);
});

test.each([
  [
    'before',
    [
      [5_000, 11_500],
      [undefined, 12_000],
    ],
    12_000,
  ],
  [
    'just after',
    [
      [undefined, 12_000],
      [5_000, 12_500],
    ],
    12_000,
  ],
  [
    'twice after',
    [
      [undefined, 12_000],
      [5_000, 15_000],
      [5_000, 18_000],
    ],
    12_000,
  ],
  [
    'its own length after',
    [
      [undefined, 12_000],
      [5_000, 16_000],
    ],
    17_000,
  ],
])('a range that comes %s a stop that says only where it was', async (_name, told, countedMs) => {
  const { keep } = dating();
  const drafts = [...(await keep(played(0, 5_000), 6_000))];
  for (const [fromMs, afterMs = 0] of told) {
    const stop = { ...playEvent, stoppedAtMs: 12_000 };
    drafts.push(...(await keep(fromMs === undefined ? stop : played(fromMs, 10_000), afterMs)));
  }
  const counted = new Map(drafts.map(({ stretch, playMs }) => [stretch, playMs]));
  expect([...counted.values()].reduce((sum, playMs) => sum + playMs, 0)).toBe(countedMs);
});

test('more time than has passed is refused, and nothing of the range is kept', async () => {
  const { date } = dating();
  expect(await date(played(0, 400_000), device, startMs + 99_999)).toEqual({
    ok: false,
    reason: { code: 'IN_FUTURE', detail: 'det: more time than has passed since cs' },
  });
  expect(await date(played(0, 400_000), device, startMs + 100_000)).toMatchObject({ ok: true });
});
