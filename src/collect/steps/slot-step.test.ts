import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Publication } from '../../catalog/catalog.ts';
import { type Fact, slotMs } from '../../store/facts.ts';
import type { Draft } from '../draft.ts';
import { splitIntoSlots } from './slot-step.ts';

const slotStart = Date.UTC(2026, 10, 20, 12);
const about = { accountId: 1, packageId: 2, videoId: 3 };
const context = { sender: {}, nowMs: 0 };
const publication: Publication = {
  ...{ ...about, videoKey: 'film', allowedOrigins: [], durationMs: 0 },
  ...{ takesUnsealed: false, viewers: 'anonymous', signing: 'open' },
};

type Further = Pick<Draft, 'suspect' | 'beyond' | 'position' | 'mediaMs' | 'attributes' | 'retold'>;

function splitWhole(atMs: number, playMs: number, plays: 0 | 1, further: Further = {}) {
  const draft: Draft = {
    ...{ view: 'v', stretch: 4, atMs, playMs, plays, device: {}, facts: [] },
    publication,
    operatingSystem: { name: 'iOS', version: '18' },
    ...further,
  };
  expect(splitIntoSlots.run(draft, context)).toBeUndefined();
  return draft.facts;
}

/** Without their details. */
function split(...args: Parameters<typeof splitWhole>): Fact[] {
  return splitWhole(...args).map(({ details, ...fact }) => fact);
}

const fact = (slot: number, plays: number, playMs: number) => ({
  ...{ ...about, os: 'iOS', osVersion: '18', view: 'v', stretch: 4, suspect: '' },
  ...{ slotStart: slotStart + slot * slotMs, plays, playMs },
});

test.each([
  ['a play without time', 0, 0, 1, [fact(0, 1, 0)]],
  ['neither play nor time, so that what is told of the view is kept', 0, 0, 0, [fact(0, 0, 0)]],
  ['time within a slot', 1_000, 5_000, 0, [fact(0, 0, 5_000)]],
  ['until the border', slotMs - 5_000, 5_000, 1, [fact(0, 1, 5_000)]],
  ['1 ms over it', slotMs - 5_000, 5_001, 1, [fact(0, 1, 5_000), fact(1, 0, 1)]],
  ['from a border', slotMs, 1, 1, [fact(1, 1, 1)]],
  ['a whole slot', 0, slotMs, 0, [fact(0, 0, slotMs)]],
  ['three slots', slotMs - 1, slotMs + 2, 1, [fact(0, 1, 1), fact(1, 0, slotMs), fact(2, 0, 1)]],
] as const)('%s', (_, sinceMs, playMs, plays, facts) => {
  expect(split(slotStart + sinceMs, playMs, plays)).toEqual(facts);
});

test('the parts are the whole, each inside its slot, and none is empty', () => {
  const at = fc.integer({ min: 86_400_000, max: 4e12 });
  const length = fc.oneof(
    fc.nat(86_400_000),
    fc.nat(4).map((slots) => slots * slotMs),
  );
  fc.assert(
    fc.property(at, length, fc.constantFrom(0 as const, 1 as const), (atMs, playMs, plays) => {
      const facts = split(atMs, playMs, plays);
      expect(facts.reduce((sum, part) => sum + part.playMs, 0)).toBe(playMs);
      expect(facts.reduce((sum, part) => sum + part.plays, 0)).toBe(plays);
      for (const part of facts) {
        expect(part.slotStart % slotMs).toBe(0);
        expect(part.playMs).toBeLessThanOrEqual(slotMs);
        if (plays + playMs > 0) expect(part.plays + part.playMs).toBeGreaterThan(0);
      }
      const slots = facts.map((part) => part.slotStart);
      expect(slots).toEqual([...new Set(slots)].sort((one, other) => one - other));
    }),
  );
});

test('more time of the same stretch makes no part smaller', () => {
  const times = fc.tuple(fc.nat(10 * slotMs), fc.nat(4 * slotMs), fc.nat(4 * slotMs));
  fc.assert(
    fc.property(times, ([since, shorter, more]) => {
      const before = split(slotStart + since, shorter, 1);
      const after = split(slotStart + since, shorter + more, 1);
      before.forEach((part, index) => {
        expect(after[index]?.slotStart).toBe(part.slotStart);
        expect(after[index]?.plays).toBe(part.plays);
        expect(after[index]?.playMs).toBeGreaterThanOrEqual(part.playMs);
      });
    }),
  );
});

const apart = (suspect: string, part: Fact) => ({ ...part, suspect });

test.each([
  ['a play and its time', 5_000, 1, undefined, [apart('S', fact(0, 1, 5_000))]],
  ['time beyond', 5_000, 1, 2_000, [fact(0, 1, 2_000), apart('B', fact(0, 0, 5_000))]],
  ['all time beyond', 5_000, 1, 0, [fact(0, 1, 0), apart('B', fact(0, 0, 5_000))]],
  ['no play, all time beyond', 5_000, 0, 0, [apart('B', fact(0, 0, 5_000))]],
  [
    'the slot of the border is in both, whole',
    slotMs + 9,
    1,
    slotMs + 4,
    [fact(0, 1, slotMs), fact(1, 0, 4), apart('B', fact(1, 0, 9))],
  ],
  ['beyond from a border', slotMs + 9, 1, slotMs, [fact(0, 1, slotMs), apart('B', fact(1, 0, 9))]],
] as const)('what is set apart: %s', (_, playMs, plays, fromMs, facts) => {
  const judged = fromMs === undefined ? { suspect: 'S' } : { beyond: { suspect: 'B', fromMs } };
  expect(split(slotStart, playMs, plays, judged)).toEqual(facts);
});

test('what is set apart and what is not are together the whole, where of two the larger counts', () => {
  const times = fc.tuple(fc.nat(10 * slotMs), fc.nat(4 * slotMs), fc.nat(4 * slotMs));
  fc.assert(
    fc.property(times, ([since, fromMs, moreMs]) => {
      const atMs = slotStart + since;
      const beyond = { suspect: 'B', fromMs };
      const facts = split(atMs, fromMs + moreMs, 1, { beyond });
      const usual = facts.filter(({ suspect }) => suspect === '');
      expect(usual).toEqual(split(atMs, fromMs, 1));
      const largest = Map.groupBy(facts, (part) => part.slotStart);
      const whole = [...largest.values()].map((parts) => ({
        plays: Math.max(...parts.map(({ plays }) => plays)),
        playMs: Math.max(...parts.map(({ playMs }) => playMs)),
      }));
      const all = split(atMs, fromMs + moreMs, 1);
      expect(whole).toEqual(all.map(({ plays, playMs }) => ({ plays, playMs })));
    }),
  );
});

test('each part knows its whole stretch', () => {
  const reported = { position: 7_000, mediaMs: 2_000, attributes: { country: 'KR' } };
  const since = slotStart + slotMs - 400;
  expect(splitWhole(since, 1_000, 1, reported).map(({ details }) => details)).toEqual([
    { startMs: since, laterMs: 600, ...reported },
    { startMs: since, laterMs: 0, ...reported },
  ]);
});

test('of a stretch that reports more, every part knows of it', () => {
  const before = splitWhole(slotStart, slotMs + 5, 1, { position: 1, mediaMs: 300 });
  const after = splitWhole(slotStart, 2 * slotMs + 5, 1, { position: 1, mediaMs: 900 });
  expect(before.map(({ details }) => details?.laterMs)).toEqual([5, 0]);
  expect(after.map(({ details }) => details?.laterMs)).toEqual([slotMs + 5, 5, 0]);
  expect(new Set(after.map(({ details }) => details?.mediaMs))).toEqual(new Set([900]));
});

test.each([
  ['as far as reported', 1_000, 16_000, 16_000],
  ['not faster than anything plays', 1_000, 16_001, 16_000],
  ['nothing reported', 1_000, undefined, 0],
])('how far the media advanced: %s', (_, playMs, mediaMs, kept) => {
  const [part] = splitWhole(slotStart, playMs, 1, { mediaMs });
  expect(part?.details).toMatchObject({ mediaMs: kept, position: undefined });
});

test('what is not set apart has its share of the media', () => {
  const beyond = { suspect: 'B', fromMs: 333 };
  const facts = splitWhole(slotStart, 1_000, 1, { beyond, mediaMs: 2_000 });
  expect(facts.map(({ suspect, details }) => [suspect, details?.mediaMs])).toEqual([
    ['', 666],
    ['B', 2_000],
  ]);
});

// From ten minutes after the beginning of a slot on, two minutes long, or once longer.
const minuteMs = 60_000;
const withCeiling = (one: Fact, ms: number) => ({ ...one, ceiling: { known: 3, ms } });
const suspect = 'VIDEO:2026-11-20:3';

test.each<[string, number, Further, Fact[]]>([
  [
    'a slot that it no longer reaches has none left',
    19,
    {},
    [withCeiling(fact(0, 1, 2 * minuteMs), 2 * minuteMs), withCeiling(fact(1, 0, 0), 0)],
  ],
  [
    'the slot at whose beginning it ended is one of them',
    5,
    {},
    [withCeiling(fact(0, 1, 2 * minuteMs), 2 * minuteMs), withCeiling(fact(1, 0, 0), 0)],
  ],
  ['no other is', 4, {}, [withCeiling(fact(0, 1, 2 * minuteMs), 2 * minuteMs)]],
  [
    'what is set apart has a usual fact beside it',
    4,
    { suspect },
    [
      withCeiling({ ...fact(0, 1, 2 * minuteMs), suspect }, 2 * minuteMs),
      withCeiling(fact(0, 0, 0), 2 * minuteMs),
    ],
  ],
  [
    'what is set apart from an instant on has its own',
    4,
    { beyond: { suspect, fromMs: minuteMs } },
    [
      withCeiling(fact(0, 1, minuteMs), 2 * minuteMs),
      withCeiling({ ...fact(0, 0, 2 * minuteMs), suspect }, 2 * minuteMs),
    ],
  ],
])('of what was longer once: %s', (_, longestMinutes, further, facts) => {
  const retold = { known: 3, longestMs: longestMinutes * minuteMs };
  const given = { ...further, retold };
  expect(split(slotStart + 10 * minuteMs, 2 * minuteMs, 1, given)).toEqual(facts);
});

test('of what was longer once, each slot has what there is in it now', () => {
  const retold = { known: 3, longestMs: 40 * minuteMs };
  const facts = split(slotStart + 10 * minuteMs, 25 * minuteMs, 0, { retold });
  expect(facts.map(({ playMs, ceiling }) => [playMs, ceiling?.ms])).toEqual(
    [5, 15, 5, 0].map((minutes) => [minutes * minuteMs, minutes * minuteMs]),
  );
});
