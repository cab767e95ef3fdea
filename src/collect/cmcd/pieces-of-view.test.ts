import { expect, test } from 'vitest';
import type { PlayerEvent } from '../../facts/facts.ts';
import { longestIntervalMs, piecesOf } from './pieces-of-view.ts';

type Told = [sequence: number, momentMs: number, state: PlayerEvent['state']];

function played(told: readonly Told[]): [number, number][] {
  const events = told.map(
    ([sequence, momentMs, state]): PlayerEvent => ({
      accountId: 1,
      view: 'view',
      sequence,
      momentMs,
      state,
      arrivalMs: 0,
    }),
  );
  return piecesOf(events).map(({ from, until }) => [from.momentMs, until.momentMs]);
}

test.each<[string, Told[], [number, number][]]>([
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
])('%s', (_name, told, expected) => {
  expect(played(told)).toEqual(expected);
});
