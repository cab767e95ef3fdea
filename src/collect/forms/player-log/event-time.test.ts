/** Which repetition of a range an event is, on both sides of every border. */
import { expect, test } from 'vitest';
import { playEvent } from '../../../../test/support/play-event.ts';
import {
  type Dated,
  draftPlay,
  draftRange,
  noteOfCopy,
  placeOfPlay,
  placeOfRange,
  playNote,
  rangeUntil,
} from './event-time.ts';
import type { PlayedRange } from './log-event.ts';

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
