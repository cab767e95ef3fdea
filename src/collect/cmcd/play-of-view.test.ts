import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PlayerEvent } from '../../facts/facts.ts';
import { beginningMs, playOf } from './play-of-view.ts';

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

test('is known by a start delay where states are not told', () => {
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
        const heardMs = Math.min(
          ...arrived.filter(({ state }) => state === 'playing').map(({ arrivalMs }) => arrivalMs),
        );
        const beginning = arrived.filter(({ arrivalMs }) => arrivalMs <= heardMs + beginningMs);
        answers.add(playOf(beginning, nowMs));
      }
      answers.delete(undefined);
      expect(answers.size).toBe(1);
    }),
  );
});
