import { describe, expect, test } from 'vitest';
import type { PlayerEvent } from '../../../store/facts.ts';
import { longestIntervalMs } from './view-context.ts';
import { piecesTouching } from './view-pieces.ts';

type Sent = [sequence: number, momentMs: number, state: PlayerEvent['state']];

const eventOf = ([sequence, momentMs, state]: Sent): PlayerEvent => ({
  ...{ accountId: 1, view: 'view', sequence, momentMs, state, arrivalMs: 0 },
});

/** Of a list such as `4@100 playing, 5@350 resting`: numbers, moments and states. */
function sentOf(list: string): Sent[] {
  return list.split(', ').map((text): Sent => {
    const [, sequence, momentMs, state] = /^(\d+)@(\d+) (\w+)$/.exec(text) ?? [];
    return [Number(sequence), Number(momentMs), state as PlayerEvent['state']];
  });
}

/** From when until when. */
function played(sent: readonly Sent[]): string[] {
  const events = sent.map(eventOf);
  return piecesTouching(events, events)
    .filter(({ playMs }) => playMs > 0)
    .map(({ from, playMs }) => `${from.momentMs}-${from.momentMs + playMs}`);
}

test.each<[string, string, string[]]>([
  ['from playing to the next', '4@100 playing, 5@350 resting', ['100-350']],
  ['over heartbeats', '4@100 playing, 5@200 playing, 6@250 resting', ['100-200', '200-250']],
  ['in any order', '6@250 resting, 4@100 playing, 5@200 playing', ['100-200', '200-250']],
  ['not while resting', '4@100 resting, 5@350 playing', []],
  ['not while it is only known to have started', '4@100 started, 5@350 started', []],
  ['not over a gap', '4@100 playing, 6@350 resting', []],
  ['over responses', '4@100 playing, 5@50 untimed, 6@120 untimed, 7@350 resting', ['100-350']],
  ['not over a missing response', '4@100 playing, 5@50 untimed, 7@350 resting', []],
  [
    'up to the longest interval',
    `1@0 playing, 2@${longestIntervalMs} playing`,
    [`0-${longestIntervalMs}`],
  ],
  ['not over a sleep', `1@0 playing, 2@${longestIntervalMs + 1} playing`, []],
  ['nothing at one instant', '1@100 playing, 2@100 playing, 3@130 resting', ['100-130']],
  [
    'past an event of another load at its instant',
    '1@100 playing, 2@100 resting, 2@150 resting',
    ['100-150'],
  ],
  [
    'not where loads mix again, long after others did',
    '1@0 resting, 1@10 resting, 4@985000 resting, 4@1000000 playing, 5@1020000 resting',
    [],
  ],
  [
    'in each load of one session',
    '0@0 playing, 1@50 resting, 0@900 playing, 1@970 resting',
    ['0-50', '900-970'],
  ],
  [
    'not from one load into the next',
    '0@0 playing, 1@900 playing, 2@60 playing, 2@960 resting',
    ['900-960'],
  ],
])('%s', (_name, sent, expected) => {
  expect(played(sentOf(sent))).toEqual(expected);
});

const untilMs = 1_000_000;
test.each<[string, Sent, number]>([
  ['begins with it', [4, untilMs - 50, 'playing'], 1],
  ['ends with it', [6, untilMs, 'resting'], 1],
  ['is joined by it', [5, untilMs - 100, 'untimed'], 1],
  ['has its number, as an event of another load has later', [6, untilMs + 90_000, 'resting'], 0],
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

describe('where another load has a number within reach', () => {
  const fromMs = 1_000_000;
  const piece: Sent[] = [
    [4, fromMs, 'playing'],
    [5, fromMs + 20_000, 'resting'],
  ];
  const eventAt =
    (state: PlayerEvent['state']) =>
    (sequence: number, afterMs: number): Sent => [sequence, fromMs + afterMs, state];
  const at = eventAt('resting');
  const untimed = eventAt('untimed');
  const partsOf = (reported: Sent, others: readonly Sent[]) =>
    piecesTouching([eventOf(reported)], [...piece, ...others].map(eventOf)).map(
      ({ playMs, known }) => [playMs, known],
    );

  test.each<[string, Sent, number, number]>([
    ['long before', [4, fromMs - 210_000, 'resting'], 20_000, 3],
    ['earlier than that', [4, fromMs - 210_001, 'resting'], 20_000, 2],
    ['less than an interval before the end', [4, fromMs - 70_000, 'resting'], 0, 3],
    ['an interval before the end', [4, fromMs - 70_001, 'resting'], 20_000, 3],
    ['as a response, whose request was earlier', [4, fromMs - 190_000, 'untimed'], 0, 3],
    ['that is the nearer next', [5, fromMs + 5_000, 'resting'], 5_000, 3],
    ['that is the later next', [5, fromMs + 90_000, 'resting'], 20_000, 3],
    ['that is later still', [5, fromMs + 90_001, 'resting'], 20_000, 2],
  ])('%s, it is made again with all that is known', (_name, other, playMs, known) => {
    expect(partsOf([4, fromMs, 'playing'], [other])).toContainEqual([
      playMs,
      known === 2 ? undefined : known,
    ]);
  });

  test.each<[string, Sent[], number]>([
    ['begins', [at(3, -100_000), at(3, 5_000)], 0],
    ['begins as it ends', [at(3, -100_000), at(3, 20_000)], 0],
    ['begins with it', [at(3, -100_000), at(3, 0)], 20_000],
    ['begins after it', [at(3, -100_000), at(3, 20_001)], 20_000],
    ['may only be late', [at(9, -50_000), at(9, -40_000), at(3, 5_000)], 20_000],
    ['ends', [at(6, 5_000), at(6, 40_000)], 0],
    ['ends as it ends', [at(6, 20_000), at(6, 40_000)], 20_000],
    ['ends as it begins', [at(6, 0), at(6, 40_000)], 20_000],
    ['may only be early', [at(9, -50_000), at(9, -40_000), at(6, 5_000)], 20_000],
    ['may only be late beside another', [at(3, 5_000), at(3, 30_000)], 20_000],
    ['has a response within it', [untimed(5, 5_000)], 0],
  ])('of which one load %s, it proves what is left', (_name, others, playMs) => {
    const known = piece.length + others.length;
    expect(partsOf([4, fromMs, 'playing'], others)).toContainEqual([playMs, known]);
  });

  const response = untimed(5, -10);
  const notIn: Sent[] = [at(5, -30_000), at(4, -15_000)];
  test.each<[string, Sent[], number]>([
    ['it went on', [at(4, -20_000), at(5, -10_000)], 20_000],
    ['it went on at that instant', [at(4, -10_000), at(5, -10_000)], 0],
    ['another went on before it', [at(4, -10_000), at(5, -20_000)], 0],
    ['it went on, as far back as all is seen', [untimed(4, -150_000), at(5, -120_000)], 20_000],
    ['it may have gone on, farther back', [untimed(4, -150_000), at(5, -120_001)], 0],
    ['a response has its next number', [response, at(6, 30_000)], 20_000],
    ['a response has it, and the event after is nearer', [response, at(6, 10_000)], 10_000],
    ['a response has it, and another was at it', [response, at(5, -30_000), at(6, 10_000)], 0],
    ['both went on', [response, ...notIn, at(6, -20_000), at(6, -10_000), at(6, 10_000)], 10_000],
    ['one of two went on', [response, ...notIn, at(6, -20_000), at(6, 10_000)], 0],
  ])('at the same number: %s', (_name, others, playMs) => {
    const known = piece.length + others.length;
    expect(partsOf([4, fromMs, 'playing'], others)).toContainEqual([playMs, known]);
  });

  test('of a number that nothing else has, it stands on its two events', () => {
    const reported: Sent = [9, fromMs + 10_000, 'resting'];
    expect(partsOf([4, fromMs, 'playing'], [reported])).toEqual([[20_000, undefined]]);
  });

  test('it is made again whatever is reported nearby', () => {
    const other: Sent = [4, fromMs - 100_000, 'resting'];
    for (const beside of [-210_000, -3, 90_000]) {
      const reported: Sent = [77, fromMs + beside, 'resting'];
      expect(partsOf(reported, [other, reported])).toEqual([[20_000, 4]]);
    }
    for (const beyond of [-210_001, 90_001]) {
      const reported: Sent = [77, fromMs + beyond, 'resting'];
      expect(partsOf(reported, [other, reported])).toEqual([]);
    }
  });
});

describe('of a view with more loads than a player makes', () => {
  // All bear on each other, and each piece is made from all of them.
  const alternating = (count: number) =>
    Array.from({ length: count }, (_, index): Sent => [index % 2, index * 10, 'playing']);

  test('nothing counts', () => {
    expect(played(alternating(316)).length).toBeGreaterThan(0);
    expect(played(alternating(317))).toEqual([]);
    // Fewer pieces may be among more events.
    const responses = Array.from({ length: 999 }, (_, index): Sent => [9, -1 - index, 'untimed']);
    expect(played([...alternating(91), ...responses]).length).toBeGreaterThan(0);
    expect(played([...alternating(92), ...responses])).toEqual([]);
    // One load may be long.
    const single = Array.from({ length: 5_000 }, (_, at): Sent => [at, at * 10, 'playing']);
    expect(played(single)).toHaveLength(4_999);
  });

  test('who sees that first takes back what counted; those after make nothing', () => {
    const arrivedAt = (sent: readonly Sent[], arrivalMs: number) =>
      sent.map((one) => ({ ...eventOf(one), arrivalMs }));
    const before = arrivedAt(alternating(316), 1);
    const [one, other] = arrivedAt([[0, 4_000, 'playing'] as const, [1, 4_010, 'playing']], 2);
    const log = [...before, one, other] as PlayerEvent[];
    expect(piecesTouching([one as PlayerEvent], log)).toEqual(
      log
        .toSorted((earlier, later) => earlier.momentMs - later.momentMs)
        .map((from) => ({ from, playMs: 0, known: 318 })),
    );
    const [late] = arrivedAt([[0, 5_000, 'resting']], 3) as [PlayerEvent];
    expect(piecesTouching([late], [...log, late])).toEqual([]);
    expect(piecesTouching([{ ...late, arrivalMs: 2 }], [...log, late])).toHaveLength(318);
  });
});
