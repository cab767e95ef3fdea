/** What is stored only grows, and yet counts the same whatever order the same events arrive in. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PlayerEvent } from '../../../store/facts.ts';
import { waitOutcomeNames } from '../../../vocabulary/waits.ts';
import { longestIntervalMs, orderView, reachMs } from './view-context.ts';
import { piecesTouching } from './view-pieces.ts';
import { waitsTouching } from './view-waits.ts';

/** What a player was doing, and for how long, until its next event. */
type Spell = readonly [state: PlayerEvent['state'], ms: number];

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

/** What is stored of the pieces that begin at one instant. */
interface Stored {
  readonly playMs: number;
  readonly known: number;
  readonly ceilingMs: number;
}

/** All that counts in the end, where the events arrive in these batches. */
function countedMs(batches: readonly Batch[], late: readonly number[] = []): number {
  const stored = new Map<number, Stored>();
  const store = (fromMs: number, playMs: number, known = 0) => {
    const before = stored.get(fromMs) ?? { playMs: 0, known: 0, ceilingMs: 0 };
    const ceilingMs = known === before.known ? Math.max(before.ceilingMs, playMs) : playMs;
    const after = known >= before.known ? { known, ceilingMs } : {};
    stored.set(fromMs, { ...before, ...after, playMs: Math.max(before.playMs, playMs) });
  };
  deliver(batches, late, (batch, near) => {
    for (const { from, playMs, known } of piecesTouching(batch, near)) {
      store(from.momentMs, playMs, known);
    }
  });
  return [...stored.values()].reduce(
    (sum, { playMs, known, ceilingMs }) => sum + (known > 0 ? Math.min(playMs, ceilingMs) : playMs),
    0,
  );
}

/**
 * All waits that are stored in the end: what is stored of each only grows, until it is taken back.
 * Also then there is a row of it, by which its view has quality.
 */
function waitsIn(batches: readonly Batch[], late: readonly number[] = []): string[] {
  const stored = new Map<string, { outcome: number; waitMs: number; isTakenBack: boolean }>();
  deliver(batches, late, (batch, near) => {
    for (const wait of [...waitsTouching(orderView(batch, near))].flat()) {
      const name = `${wait.cause}@${wait.from.momentMs}`;
      const before = stored.get(name) ?? { outcome: 0, waitMs: 0, isTakenBack: false };
      stored.set(name, {
        outcome: Math.max(before.outcome, waitOutcomeNames.indexOf(wait.outcome)),
        waitMs: Math.max(before.waitMs, wait.waitMs),
        isTakenBack: before.isTakenBack || wait.isTakenBack === true,
      });
    }
  });
  return [...stored]
    .map(([name, { outcome, waitMs, isTakenBack }]) =>
      isTakenBack ? `${name} taken back` : `${name} ${waitOutcomeNames[outcome]} ${waitMs}`,
    )
    .sort();
}

/** Has each batch read once it and `late` further ones were written to the log. */
function deliver(
  batches: readonly Batch[],
  late: readonly number[],
  look: (batch: Batch, near: readonly PlayerEvent[]) => void,
): void {
  const log: PlayerEvent[] = [];
  const read = (batch: Batch) => {
    const moments = batch.map(({ momentMs }) => momentMs);
    const [firstMs, lastMs] = [Math.min(...moments) - reachMs, Math.max(...moments) + reachMs];
    look(
      batch,
      log.filter(({ momentMs }) => momentMs >= firstMs && momentMs <= lastMs),
    );
  };
  const reading = batches.map((batch, index) => ({ batch, at: index + (late[index] ?? 0) }));
  batches.forEach((batch, written) => {
    for (const event of batch) {
      const isKnown = log.some(
        ({ sequence, momentMs, state }) =>
          sequence === event.sequence && momentMs === event.momentMs && state === event.state,
      );
      if (!isKnown) log.push(event);
    }
    for (const { batch: own } of reading.filter(({ at }) => at === written)) read(own);
  });
  for (const { batch } of reading.filter(({ at }) => at >= batches.length)) read(batch);
}

type Batch = readonly PlayerEvent[];

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
    { numRuns: 250 },
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
    { numRuns: 250 },
  );
});

const lateness = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 40 });

test('loads of one session, far apart: all their time, in every order', () => {
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
      return fc.tuple(fc.constant(loads), deliveriesOf(eventsOf(loads)), lateness);
    });
  fc.assert(
    fc.property(deliveries, ([loads, batches, late]) => {
      expect(countedMs([...batches, eventsOf(loads)], late)).toBe(playedBy(loads));
    }),
    { numRuns: 1_000 },
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
        // Not longer than a player is silent.
        each.map(([state, ms]): Spell => [state, Math.min(ms - (ms % 3) + 3, longestIntervalMs)]),
        startMs - (startMs % 3) + load,
      ),
    ),
  );
const eventsOf = (loads: readonly Load[]) => loads.flatMap(({ events }) => events);
const playedBy = (loads: readonly Load[]) => loads.reduce((sum, { playMs }) => sum + playMs, 0);

test('loads near or at once: the same time in every order, and never more than they played', () => {
  const deliveries = nearLoads.chain((loads) =>
    fc.tuple(fc.constant(loads), deliveriesOf(eventsOf(loads)), lateness),
  );
  fc.assert(
    fc.property(deliveries, ([loads, batches, late]) => {
      const events = eventsOf(loads);
      const all = [...batches, ...missingFrom(batches, events)];
      expect(countedMs(all, late)).toBe(countedMs([events]));
      expect(countedMs([events])).toBeLessThanOrEqual(playedBy(loads));
    }),
    { numRuns: 2_500 },
  );
});

/** What no batch has, as one more. */
function missingFrom(batches: readonly Batch[], events: Batch): Batch[] {
  const arrived = new Set(batches.flat());
  const missing = events.filter((event) => !arrived.has(event));
  return missing.length > 0 ? [missing] : [];
}

test('loads that end without a last event: never more than their events show', () => {
  const ended = nearLoads.map((loads) =>
    loads.map(({ events }) => {
      const left = events.slice(0, -1);
      const playMs = left.reduce(
        (sum, { state, momentMs }, index) =>
          sum + (state === 'playing' ? (left[index + 1]?.momentMs ?? momentMs) - momentMs : 0),
        0,
      );
      return { events: left, playMs };
    }),
  );
  const deliveries = ended.chain((loads) =>
    fc.tuple(fc.constant(loads), deliveriesOf(eventsOf(loads)), lateness),
  );
  fc.assert(
    fc.property(deliveries, ([loads, batches, late]) => {
      const all = [...batches, ...missingFrom(batches, eventsOf(loads))];
      expect(countedMs(all, late)).toBeLessThanOrEqual(playedBy(loads));
    }),
    { numRuns: 2_500 },
  );
});

test('loads near or at once, some events lost: the same time in every order', () => {
  const deliveries = nearLoads
    .chain((loads) => fc.subarray(eventsOf(loads), { minLength: 1 }))
    .chain((left) => fc.tuple(fc.constant(left), deliveriesOf(left), lateness));
  fc.assert(
    fc.property(deliveries, ([left, batches, late]) => {
      const all = [...batches, ...missingFrom(batches, left)];
      expect(countedMs(all, late)).toBe(countedMs([left]));
    }),
    { numRuns: 2_500 },
  );
});

test('more events than a player sends: the same time in every order, wherever they get too many', () => {
  const sent = fc.tuple(
    fc.integer({ min: 1, max: 700 }),
    fc.constantFrom<PlayerEvent['state']>('playing', 'playing', 'playing', 'resting'),
  );
  // Each load stops a moment before the next begins, so most pieces are certain.
  const deliveries = fc
    .tuple(
      fc.array(sent, { minLength: 380, maxLength: 450, size: 'max' }),
      fc.integer({ min: 10, max: 60 }),
    )
    .map(([all, ofLoad]) => {
      let momentMs = 1_000_000;
      return all.map(([afterMs, state], index): PlayerEvent => {
        momentMs += afterMs;
        const sequence = index % ofLoad;
        return { accountId: 1, view: 'view', sequence, momentMs, state, arrivalMs: 0 };
      });
    })
    .chain((events) => fc.tuple(fc.constant(events), crowdOf(events), lateness));
  fc.assert(
    fc.property(deliveries, ([events, batches, late]) => {
      const arriving = batches.map((batch, arrivalMs) =>
        batch.map((event) => ({ ...event, arrivalMs })),
      );
      expect(countedMs(arriving, late)).toBe(countedMs([events]));
    }),
    { numRuns: 15 },
  );
});

/** All of them, in any order and in a few batches. */
function crowdOf(events: readonly PlayerEvent[]) {
  const order = fc.shuffledSubarray([...events], { minLength: events.length });
  return fc.tuple(order, fc.integer({ min: 5, max: 200 })).map(([arriving, size]) => {
    const rest = [...arriving];
    const batches: PlayerEvent[][] = [];
    while (rest.length > 0) batches.push(rest.splice(0, size));
    return batches;
  });
}

test('an earlier load that comes late takes time back', () => {
  const earlier = loadOf([['playing', 10_000]], 1_000_000);
  const later = loadOf([['playing', 1_000]], 1_079_000);
  const [began, ended] = earlier.events as [PlayerEvent, PlayerEvent];
  const [begunLater, last] = later.events as [PlayerEvent, PlayerEvent];
  expect(countedMs([[last], [began]])).toBe(80_000);
  expect(countedMs([[last], [began], [begunLater]])).toBe(0);
  expect(countedMs([[last], [began], [begunLater], [ended]])).toBe(11_000);
  expect(countedMs([[last], [began], [ended], [begunLater]])).toBe(11_000);
});

test('two events may be of one load or of two, until the others arrive', () => {
  const startMs = 1_000_000;
  const one = loadOf([['playing', 10_000]], startMs);
  const stoppedSoon = loadOf([['playing', 2_000]], startMs);
  const begunLate = loadOf([['playing', 100]], startMs + 9_900);
  const [first, last] = one.events as [PlayerEvent, PlayerEvent];
  expect([stoppedSoon.events[0], begunLate.events[1]]).toEqual([first, last]);
  expect(countedMs([[first], [last]])).toBe(one.playMs);
  const rest = [stoppedSoon.events[1], begunLate.events[0]] as PlayerEvent[];
  const playMs = stoppedSoon.playMs + begunLate.playMs;
  expect(countedMs([[first], [last], rest])).toBe(playMs);
  expect(countedMs([rest, [last], [first]])).toBe(playMs);
});

const anyState = fc.constantFrom<PlayerEvent['state']>(
  ...(['starting', 'playing', 'seeking', 'stalled', 'waiting'] as const),
  ...(['resting', 'failed', 'quit', 'untimed', 'playing'] as const),
);
const anySpells = fc.array(fc.tuple(anyState, fc.integer({ min: 0, max: 60_000 })), {
  minLength: 1,
  maxLength: 12,
});

/** Each request arrives after the one before. */
const inTurn = (batches: readonly Batch[]) =>
  batches.map((batch, arrivalMs) => batch.map((event) => ({ ...event, arrivalMs })));

test('waits of one load: the same in every order, whatever is lost and repeated', () => {
  const deliveries = anySpells
    .map((given) => loadOf(given, 1_000_000).events)
    .chain((events) => fc.subarray([...events], { minLength: 1 }))
    .chain((left) => fc.tuple(fc.constant(left), deliveriesOf(left), lateness));
  fc.assert(
    fc.property(deliveries, ([left, batches, late]) => {
      const all = inTurn([...batches, ...missingFrom(batches, left)]);
      expect(waitsIn(all, late)).toEqual(waitsIn([left]));
    }),
    { numRuns: 2_500 },
  );
});

test('waits of several loads of one session: the same in every order', () => {
  const starts = fc.integer({ min: 1_000_000, max: 1_600_000 });
  const deliveries = fc
    .array(fc.tuple(anySpells, starts), { minLength: 2, maxLength: 3 })
    .map((given) => eventsOf(given.map(([each, startMs]) => loadOf(each, startMs))))
    .chain((events) => fc.tuple(fc.constant(events), deliveriesOf(events), lateness));
  fc.assert(
    fc.property(deliveries, ([events, batches, late]) => {
      const all = inTurn([...batches, ...missingFrom(batches, events)]);
      expect(waitsIn(all, late)).toEqual(waitsIn([events]));
    }),
    { numRuns: 2_500 },
  );
});
