/** Single rules of the measures of quality, on the engine. */
import { beforeAll, expect, test } from 'vitest';
import { useNewStore } from '../../test/support/use-new-store.ts';
import type { Fact } from '../store/facts.ts';
import { supersededCeiling } from '../store/tables/sums.ts';
import { leftAfterMs } from '../vocabulary/waits.ts';
import { compileFacts } from './compile/facts-sql.ts';
import { type CountName, valueOfFacts } from './plan/counts.ts';
import type { FactsPlan } from './plan/query-plan.ts';

const [accountId, dayMs] = [7, 86_400_000];
const day = Date.UTC(2026, 4, 4);

interface Given extends Partial<Omit<Fact, 'view' | 'details'>> {
  readonly view: number;
  readonly isReported?: boolean;
}

function factOf({ view, isReported = true, ...other }: Given): Fact {
  const attributes = isReported ? { quality: 'reported' } : {};
  return {
    ...{ accountId, slotStart: day, packageId: 1, videoId: 11, os: 'iOS', osVersion: '18' },
    ...{ stretch: 0, suspect: '', plays: 0, playMs: 0 },
    view: `00000000-0000-0000-0000-00000000000${view}`,
    details: { startMs: day, laterMs: 0, mediaMs: 0, attributes },
    ...other,
  };
}

const waitMs = 2_000;
const supersededWait = 102;

const made = useNewStore();
beforeAll(async () => {
  await made().write(
    [
      // Started, with a stall that began twice, of which one beginning counts.
      { view: 1, plays: 1, playMs: 60_000, quality: { mediaBits: 120_000_000 } },
      { view: 1, stretch: 100, quality: { wait: { cause: 'start', outcome: 'played', waitMs } } },
      { view: 1, stretch: 101, quality: { wait: { cause: 'stall', outcome: 'played', waitMs } } },
      {
        ...{ view: 1, stretch: supersededWait },
        quality: { wait: { cause: 'stall', outcome: 'failed', waitMs } },
      },
      // Waits alone: one that may go on.
      { view: 2, stretch: 100, quality: { wait: { cause: 'start', outcome: 'waiting', waitMs } } },
      // Its sender reports no start.
      { view: 3, plays: 1, playMs: 10_000, isReported: false, quality: { frames: 100 } },
      {
        ...{ view: 3, stretch: 101, isReported: false },
        quality: { wait: { cause: 'stall', outcome: 'failed', waitMs } },
      },
    ].map((given) => factOf(given as Given)),
  );
  await made().run(
    `INSERT INTO stretch (accountId, slot, packageId, videoId, view, stretch, startMs, ceiling)
      SELECT accountId, slot, packageId, videoId, view, stretch, startMs, ${supersededCeiling}
      FROM stretch WHERE stretch = ${supersededWait}`,
  );
});

function planOf(counts: readonly CountName[], askedAtMs = day): FactsPlan {
  const nothing = { sql: [], parameters: {} };
  return {
    ...{ source: 'facts', accountId, spans: [{ fromMs: day, untilMs: day + dayMs }], clock: [] },
    ...{ keys: { ...nothing, conditions: [] }, conditions: nothing, counts, cut: [], askedAtMs },
    ...{ accepted: [], overclaimed: [], mergesAll: true, lengths: [], distinguished: 0, passes: 1 },
    ...{ regular: undefined, audienceDays: undefined },
  };
}

async function counted(counts: readonly CountName[], askedAtMs?: number) {
  const { store } = made();
  const [row = {}] = await store.selectMany<Record<string, number>>(
    compileFacts(planOf(counts, askedAtMs), 9),
  );
  const names = [...counts, 'viewsInRange'];
  return Object.fromEntries(names.map((name) => [name, Number(row[`count_${name}`])]));
}

test('a view with waits alone is an attempt and no view; one that reports none is in neither', async () => {
  expect(await counted(['attempts', 'views', 'viewers', 'qualityPlayMs', 'frames'])).toEqual({
    ...{ attempts: 2, views: 2, viewers: 2, viewsInRange: 3 },
    ...{ qualityPlayMs: 60_000, frames: 0 },
  });
});

test('a wait whose beginning was superseded counts nothing', async () => {
  expect(await counted(['stalls', 'stallMs', 'stalledViews', 'failures'])).toEqual({
    ...{ stalls: 1, stallMs: waitMs, stalledViews: 1, failures: 0, viewsInRange: 3 },
  });
});

test('of a wait that goes on only the attempt counts, until 24 hours after it it was left', async () => {
  const counts = ['attempts', 'exitsBeforeStart', 'qualityViews', 'watchedMs'] as const;
  const leftAtMs = day + waitMs + leftAfterMs;
  const played = 60_000 + 2 * waitMs;
  expect(await counted(counts, leftAtMs - 1)).toMatchObject({
    ...{ attempts: 2, exitsBeforeStart: 0, qualityViews: 1, watchedMs: played },
  });
  expect(await counted(counts, leftAtMs)).toMatchObject({
    ...{ attempts: 2, exitsBeforeStart: 1, qualityViews: 2, watchedMs: played + waitMs },
  });
});

test.each([
  [day, 0],
  [day + 1, 2],
])('of a slot that is cut only waits that began before count', async (untilMs, attempts) => {
  const plan = { ...planOf(['attempts']), cut: [{ fromMs: day, untilMs }] };
  const [row] = await made().store.selectMany<object>(compileFacts(plan, 9));
  expect(row).toMatchObject({ count_attempts: attempts });
});

test.each([1, 2, 3, 4, 19, 20, 21, 100, 101, 1_000, 1_000_000, 9_999_999, 10_000_000])(
  'the percentiles of %i values are at the places of nearest rank',
  async (count) => {
    const value = valueOfFacts({ hasPass: false, byPlays: false, hasWaits: true });
    const alike = count > 1_000_000 ? 1_000 : 1;
    const percents = [50, 75, 95, 99] as const;
    const shown = percents.map((percent) => `${value(`startupP${percent}`)} AS at${percent}`);
    const [row] = await made().rows<Record<string, number>>(
      `SELECT ${shown.join(', ')} FROM (
        SELECT toUInt32(intDiv(number, {of:UInt32}) + 1) AS waitMs, 'reported' AS quality, 1 AS cause, 4 AS outcome
        FROM numbers({count:UInt64}))`,
      { count, of: alike },
    );
    const places = percents.map((percent) => {
      const place = (BigInt(percent) * BigInt(count) + 99n) / 100n;
      return [`at${percent}`, Math.ceil(Number(place) / alike)];
    });
    expect(row).toEqual(Object.fromEntries(places));
  },
);
