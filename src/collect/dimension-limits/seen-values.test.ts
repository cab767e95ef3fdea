import { expect, test } from 'vitest';
import type { Attributes, Fact } from '../../store/facts.ts';
import { createRememberedDays } from './known-day-values.ts';
import { createSeenValues } from './seen-values.ts';

const days = createRememberedDays(100);
const day = days.ofDay({ accountId: 1, day: 0 });

const factOf = (given: Partial<Fact> = {}, attributes?: Attributes): Fact => ({
  ...{ accountId: 1, slotStart: 0, packageId: 1, videoId: 1, os: 'iOS', osVersion: '18' },
  ...{ view: 'v', stretch: 0, suspect: '', plays: 1, playMs: 1 },
  ...(attributes && { details: { startMs: 0, laterMs: 0, position: 0, mediaMs: 0, attributes } }),
  ...given,
});
const page: Attributes = { page: 'a.example/1' };

test('a fact with the same values is seen, whatever else it says', () => {
  const seen = createSeenValues();
  expect(seen.has(factOf(), day)).toBe(false);
  seen.add(factOf({}, page), day);
  seen.add(factOf({ os: 'Windows' }), day);
  expect(seen.has(factOf({ videoId: 2, view: 'w', playMs: 9 }, page), day)).toBe(true);
  expect(seen.has(factOf({ os: 'Windows' }), day)).toBe(true);
});

test.each<[string, Fact]>([
  ['system', factOf({ os: 'iPadOS' }, page)],
  ['version', factOf({ osVersion: '17' }, page)],
  ['page', factOf({}, { page: 'a.example/2' })],
  ['suspect', factOf({ suspect: 'VIDEO:2026-11-20:3' }, page)],
  ['attributes', factOf()],
])('one with another %s is not', (_, other) => {
  const seen = createSeenValues();
  seen.add(factOf({}, page), day);
  expect(seen.has(other, day)).toBe(false);
});

test('one of another day, or of a day that was forgotten since, is not', () => {
  const seen = createSeenValues();
  seen.add(factOf(), day);
  expect(seen.has(factOf(), days.ofDay({ accountId: 2, day: 0 }))).toBe(false);
  expect(seen.has(factOf(), createRememberedDays(1).ofDay({ accountId: 1, day: 0 }))).toBe(false);
});

test('the last sixteen are remembered', () => {
  const seen = createSeenValues();
  const facts = Array.from({ length: 17 }, (_, number) => factOf({ osVersion: `${number}` }));
  for (const fact of facts) seen.add(fact, day);
  expect(facts.map((fact) => seen.has(fact, day))).toEqual([false, ...Array(16).fill(true)]);
});
