import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PlayerEvent } from '../../../store/facts.ts';
import { beginningMs, countedPlayOf, playOf } from './view-play.ts';

const event = (
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
const whole = [event(0, 'resting'), event(1, 'resting'), event(2, 'playing'), event(3, 'playing')];
const longAfter = 1_000_000;

test('is where the view first says that it plays, once all before it is known', () => {
  expect(playOf(whole, 1_100)).toBe(502);
  expect(playOf(whole.slice(0, 2), longAfter)).toBeUndefined();
});

test('waits for what is missing, for a while', () => {
  const late = [event(1, 'resting'), event(3, 'playing', 2_000)];
  expect(playOf(late, 2_000)).toBeUndefined();
  expect(playOf(late, 2_000 + beginningMs)).toBeUndefined();
  expect(playOf(late, 2_000 + beginningMs + 60_000)).toBe(503);
});

test('waits for a minute after the first sign came, and 20 seconds more', () => {
  const late = [event(4, 'playing', 50_000), event(3, 'playing', 2_000)];
  expect(playOf(late, 2_000 + beginningMs + 20_000)).toBeUndefined();
  expect(playOf(late, 2_000 + beginningMs + 20_001)).toBe(503);
});

test('what comes after the minute moves nothing, but shows that nothing is missing', () => {
  const late = event(2, 'playing', 2_001 + beginningMs);
  const inTime = [event(0, 'resting'), event(1, 'resting'), event(3, 'playing', 2_000)];
  expect(playOf(inTime, late.arrivalMs)).toBeUndefined();
  expect(playOf([...inTime, late], late.arrivalMs)).toBe(503);
  const justInTime = { ...late, arrivalMs: 2_000 + beginningMs };
  expect(playOf([...inTime, justInTime], late.arrivalMs)).toBe(502);
});

test('a clock that is set back leaves out nothing', () => {
  const before = [event(0, 'resting', longAfter), event(1, 'playing', longAfter)];
  expect(playOf([...before, event(2, 'playing', 1_000)], 1_001)).toBe(502);
});

test('of two signs at one instant the one with the lower number is the first', () => {
  const signs = [0, 2].map((sequence) => ({ ...event(sequence, 'playing'), momentMs: 500 }));
  // Nothing is missing before number 0, though it is before number 2.
  expect(playOf(signs, 1_100)).toBe(500);
  expect(playOf(signs.toReversed(), 1_100)).toBe(500);
});

test('of two signs the earlier is the first, whatever their numbers', () => {
  const signs = [event(0, 'playing'), { ...event(1, 'playing'), momentMs: 400 }];
  expect(playOf(signs, 1_100)).toBe(400);
  expect(playOf(signs.toReversed(), 1_100)).toBe(400);
});

test('is where it is counted already, and at the earliest such moment', () => {
  const counted = [event(9, 'counted'), event(7, 'counted'), event(8, 'counted')];
  expect(countedPlayOf([...whole, ...counted])).toBe(507);
  expect(playOf([...whole, ...counted], 1_100)).toBe(507);
  expect(countedPlayOf(whole)).toBeUndefined();
});

test('is known by a start delay if no states are sent', () => {
  expect(playOf([event(0, 'resting'), event(1, 'started')], 1_100)).toBe(501);
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
          event(sequence, sequence < 2 ? 'resting' : 'playing', arrivalMs),
        )
        .filter(({ sequence }) => sequence !== lost);
      const answers = new Set<number | undefined>();
      for (let nowMs = 0; nowMs <= 8 * beginningMs; nowMs += 5_000) {
        const arrived = all.filter(({ arrivalMs }) => arrivalMs <= nowMs);
        answers.add(playOf(arrived, nowMs));
      }
      answers.delete(undefined);
      expect(answers.size).toBe(1);
    }),
  );
});
