import { expect, test } from 'vitest';
import type { PlayerEvent } from '../../facts/facts.ts';
import { longestIntervalMs, piecesOf, piecesTouching, reachMs } from './pieces-of-view.ts';

type Sent = [sequence: number, momentMs: number, state: PlayerEvent['state']];

const eventOf = ([sequence, momentMs, state]: Sent): PlayerEvent => ({
  ...{ accountId: 1, view: 'view', sequence, momentMs, state, arrivalMs: 0 },
});

function played(sent: readonly Sent[]): [number, number][] {
  return piecesOf(sent.map(eventOf)).map(({ from, until }) => [from.momentMs, until.momentMs]);
}

test.each<[string, Sent[], [number, number][]]>([
  [
    'from playing to the next',
    [
      [4, 100, 'playing'],
      [5, 350, 'resting'],
    ],
    [[100, 350]],
  ],
  [
    'over heartbeats',
    [
      [4, 100, 'playing'],
      [5, 200, 'playing'],
      [6, 250, 'resting'],
    ],
    [
      [100, 200],
      [200, 250],
    ],
  ],
  [
    'in any order',
    [
      [6, 250, 'resting'],
      [4, 100, 'playing'],
      [5, 200, 'playing'],
    ],
    [
      [100, 200],
      [200, 250],
    ],
  ],
  [
    'not while resting',
    [
      [4, 100, 'resting'],
      [5, 350, 'playing'],
    ],
    [],
  ],
  [
    'not while it is only known to have started',
    [
      [4, 100, 'started'],
      [5, 350, 'started'],
    ],
    [],
  ],
  [
    'not over a gap',
    [
      [4, 100, 'playing'],
      [6, 350, 'resting'],
    ],
    [],
  ],
  [
    'over responses',
    [
      [4, 100, 'playing'],
      [5, 50, 'untimed'],
      [6, 120, 'untimed'],
      [7, 350, 'resting'],
    ],
    [[100, 350]],
  ],
  [
    'not over a missing response',
    [
      [4, 100, 'playing'],
      [5, 50, 'untimed'],
      [7, 350, 'resting'],
    ],
    [],
  ],
  [
    'up to the longest interval',
    [
      [1, 0, 'playing'],
      [2, longestIntervalMs, 'playing'],
    ],
    [[0, longestIntervalMs]],
  ],
  [
    'not over a sleep',
    [
      [1, 0, 'playing'],
      [2, longestIntervalMs + 1, 'playing'],
    ],
    [],
  ],
  [
    'nothing at one instant',
    [
      [1, 100, 'playing'],
      [2, 100, 'playing'],
      [3, 130, 'resting'],
    ],
    [[100, 130]],
  ],
  [
    'in each load of one session',
    [
      [0, 0, 'playing'],
      [1, 50, 'resting'],
      [0, 900, 'playing'],
      [1, 970, 'resting'],
    ],
    [
      [0, 50],
      [900, 970],
    ],
  ],
  [
    'not from one load into the next',
    [
      [0, 0, 'playing'],
      [1, 900, 'playing'],
      [2, 60, 'playing'],
      [2, 960, 'resting'],
    ],
    [[900, 960]],
  ],
])('%s', (_name, sent, expected) => {
  expect(played(sent)).toEqual(expected);
});

const untilMs = 1_000_000;
test.each<[string, Sent, number]>([
  ['begins with it', [4, untilMs - 50, 'playing'], 1],
  ['ends with it', [6, untilMs, 'resting'], 1],
  ['is joined by it', [5, untilMs - reachMs, 'untimed'], 1],
  [
    'has its number, as an event of another load has long before',
    [5, untilMs - reachMs - 1, 'untimed'],
    0,
  ],
  ['has its number, as an event of another load has later', [6, untilMs + 1, 'resting'], 0],
  ['has the number before it', [7, untilMs - 50, 'resting'], 0],
  ['has the number after it', [3, untilMs - 50, 'resting'], 0],
])('an event adds a piece that %s', (_name, reported, pieces) => {
  const events: Sent[] = [
    [4, untilMs - 50, 'playing'],
    [5, untilMs - 100, 'untimed'],
    [6, untilMs, 'resting'],
  ];
  expect(piecesTouching([eventOf(reported)], events.map(eventOf))).toHaveLength(pieces);
});

test('of a view with more loads than a player makes, nothing is added', () => {
  const alternating = (count: number) =>
    Array.from({ length: count }, (_, index): Sent => [index % 2, index * 10, 'playing']);
  // All but two belong to later loads: 1,001 * 999 and 1,002 * 1,000 comparisons.
  expect(played(alternating(1_001)).length).toBeGreaterThan(0);
  expect(played(alternating(1_002))).toEqual([]);
  // One load may be long.
  const single = Array.from({ length: 5_000 }, (_, index): Sent => [index, index * 10, 'playing']);
  expect(played(single)).toHaveLength(4_999);
});
