/** Facts only grow, so what counts is all that any order of arrival makes of the same events. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PlayerEvent } from '../../facts/facts.ts';
import { longestIntervalMs, piecesTouching, reachMs } from './pieces-of-view.ts';

/** What a player was doing, and for how long, until its next event. */
type Spell = readonly [state: 'playing' | 'resting', ms: number];

const spell: fc.Arbitrary<Spell> = fc.tuple(
  fc.constantFrom('playing', 'resting'),
  fc.integer({ min: 1, max: longestIntervalMs }),
);
const spells = fc.array(spell, { minLength: 1, maxLength: 6 });

interface Load {
  readonly events: readonly PlayerEvent[];
  readonly playMs: number;
}

/** One load of a player: numbers from 0, each with the state until the next; at last it rests. */
function loadOf(given: readonly Spell[], startMs: number): Load {
  let momentMs = startMs;
  let playMs = 0;
  const events = [...given, ['resting', 0] as const].map(([state, ms], sequence): PlayerEvent => {
    const event = { accountId: 1, view: 'view', sequence, momentMs, state, arrivalMs: 0 };
    momentMs += ms;
    if (state === 'playing') playMs += ms;
    return event;
  });
  return { events, playMs };
}

/** All that is ever counted, where the events arrive in these batches. */
function countedMs(batches: readonly (readonly PlayerEvent[])[]): number {
  const log: PlayerEvent[] = [];
  const counted = new Map<number, number>();
  batches.forEach((batch, arrivalMs) => {
    for (const event of batch) {
      const isKnown = log.some(
        ({ sequence, momentMs }) => sequence === event.sequence && momentMs === event.momentMs,
      );
      if (!isKnown) log.push({ ...event, arrivalMs });
    }
    const moments = batch.map(({ momentMs }) => momentMs);
    const [firstMs, lastMs] = [Math.min(...moments) - reachMs, Math.max(...moments) + reachMs];
    const near = log.filter(({ momentMs }) => momentMs >= firstMs && momentMs <= lastMs);
    for (const { from, until } of piecesTouching(batch, near)) {
      const playMs = until.momentMs - from.momentMs;
      counted.set(from.momentMs, Math.max(counted.get(from.momentMs) ?? 0, playMs));
    }
  });
  return [...counted.values()].reduce((sum, playMs) => sum + playMs, 0);
}

/** Any order, any batches, and every event up to three times. */
function deliveriesOf(events: readonly PlayerEvent[]) {
  const all = [...events, ...events, ...events];
  const order = fc.shuffledSubarray(all, { minLength: events.length });
  return fc.tuple(order, fc.array(fc.integer({ min: 1, max: 5 }))).map(([arriving, sizes]) => {
    const rest = [...arriving];
    const batches: PlayerEvent[][] = [];
    while (rest.length > 0) batches.push(rest.splice(0, sizes[batches.length] ?? 2));
    return batches;
  });
}

test('one load: every order, batch and repetition counts the time that was played', () => {
  const deliveries = spells.chain((given) => {
    const load = loadOf(given, 1_000_000);
    return fc.tuple(fc.constant(load), deliveriesOf(load.events));
  });
  fc.assert(
    fc.property(deliveries, ([{ events, playMs }, batches]) => {
      expect(countedMs([...batches, events])).toBe(playMs);
    }),
    { numRuns: 500 },
  );
});

test('one load: what is lost costs its two sides, in whatever order the rest comes', () => {
  const deliveries = spells.chain((given) => {
    const { events, playMs } = loadOf(given, 1_000_000);
    const some = fc.subarray([...events], { minLength: 1 });
    return some.chain((left) =>
      fc.tuple(fc.constant({ left, playMs }), deliveriesOf(left), deliveriesOf(left)),
    );
  });
  fc.assert(
    fc.property(deliveries, ([{ left, playMs }, one, other]) => {
      const counted = countedMs([left]);
      expect(countedMs([...one, left])).toBe(counted);
      expect(countedMs([...other, left])).toBe(counted);
      expect(counted).toBeLessThanOrEqual(playMs);
    }),
    { numRuns: 500 },
  );
});

/** The loads in any order among each other, each in its own; then all of it once more. */
function interleaved(loads: readonly Load[]) {
  const places = loads.flatMap(({ events }, load) => events.map(() => load));
  return fc
    .tuple(
      fc.shuffledSubarray(places, { minLength: places.length }),
      fc.infiniteStream(fc.boolean()),
    )
    .map(([order, together]) => {
      const rest = loads.map(({ events }) => [...events]);
      const batches: PlayerEvent[][] = [];
      for (const load of order) {
        const event = rest[load]?.shift() as PlayerEvent;
        if (batches.length > 0 && together.next().value) batches.at(-1)?.push(event);
        else batches.push([event]);
      }
      return [...batches, ...batches];
    });
}

test('loads of one session, far apart: all their time, whichever comes first', () => {
  // Nearer together, an event of the second might be the next of the first.
  const gap = fc.integer({ min: longestIntervalMs + 1, max: 4 * longestIntervalMs });
  const deliveries = fc
    .array(fc.tuple(spells, gap), { minLength: 2, maxLength: 3 })
    .chain((given) => {
      let startMs = 1_000_000;
      const loads = given.map(([each, gapMs]) => {
        const load = loadOf(each, startMs);
        startMs = (load.events.at(-1)?.momentMs ?? 0) + gapMs;
        return load;
      });
      return fc.tuple(fc.constant(loads), interleaved(loads));
    });
  fc.assert(
    fc.property(deliveries, ([loads, batches]) => {
      expect(countedMs(batches)).toBe(loads.reduce((sum, { playMs }) => sum + playMs, 0));
    }),
    { numRuns: 2_000 },
  );
});

/** Loads of one session that begin within minutes of each other; no two events share an instant. */
const nearLoads = fc
  .array(fc.tuple(spells, fc.integer({ min: 1_000_000, max: 1_200_000 })), {
    minLength: 2,
    maxLength: 3,
  })
  .map((given) =>
    given.map(([each, startMs], load) =>
      loadOf(
        each.map(([state, ms]): Spell => [state, ms - (ms % 3) + 3]),
        startMs - (startMs % 3) + load,
      ),
    ),
  );
const playedBy = (loads: readonly Load[]) => loads.reduce((sum, { playMs }) => sum + playMs, 0);

test('loads of one session, near or at once: never more than all of them played', () => {
  const deliveries = nearLoads.chain((loads) => fc.tuple(fc.constant(loads), interleaved(loads)));
  fc.assert(
    fc.property(deliveries, ([loads, batches]) => {
      expect(countedMs(batches)).toBeLessThanOrEqual(playedBy(loads));
    }),
    { numRuns: 5_000 },
  );
}, 60_000);

test('loads of one session in one request: never more than all of them played, in any order', () => {
  const deliveries = nearLoads.chain((loads) => {
    const events = loads.flatMap((load) => load.events);
    const order = fc.shuffledSubarray(events, { minLength: events.length });
    return fc.tuple(fc.constant(loads), order);
  });
  fc.assert(
    fc.property(deliveries, ([loads, events]) => {
      expect(countedMs([events, events])).toBeLessThanOrEqual(playedBy(loads));
    }),
    { numRuns: 2_000 },
  );
});

test('loads of one session in requests of any order: up to 90 s more for each event that plays', () => {
  const deliveries = nearLoads.chain((loads) =>
    fc.tuple(fc.constant(loads), deliveriesOf(loads.flatMap((load) => load.events))),
  );
  fc.assert(
    fc.property(deliveries, ([loads, batches]) => {
      const events = loads.flatMap((load) => load.events);
      const playing = events.filter(({ state }) => state === 'playing').length;
      expect(countedMs(batches)).toBeLessThanOrEqual(playing * longestIntervalMs);
    }),
    { numRuns: 2_000 },
  );
});

test('two events may be one load or of two: what counts the one counts the other', () => {
  const startMs = 1_000_000;
  const one = loadOf([['playing', 10_000]], startMs);
  const stoppedSoon = loadOf([['playing', 2_000]], startMs);
  const begunLate = loadOf([['playing', 100]], startMs + 9_900);
  const [first, last] = one.events as [PlayerEvent, PlayerEvent];
  expect([stoppedSoon.events[0], begunLate.events[1]]).toEqual([first, last]);
  expect(countedMs([[first], [last]])).toBe(one.playMs);
  // In order, and in one request, the two loads are told apart.
  const inOrder = [...stoppedSoon.events, ...begunLate.events];
  const playMs = stoppedSoon.playMs + begunLate.playMs;
  expect(countedMs(inOrder.map((event) => [event]))).toBe(playMs);
  expect(countedMs([inOrder.toReversed()])).toBe(playMs);
});
