/**
 * Random playback, random questions: every answer equals the naive oracle's, page by page, also
 * while beacons keep arriving between the pages.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/service.ts';
import { type ServiceCluster, startServiceCluster } from '../support/service-cluster.ts';
import { allPages } from './ask.ts';
import { giveQuestionsTime, questionCount } from './question-count.ts';
import { type AnyQuestion, anyQuestion, everything, expectedRows, type Row } from './questions.ts';
import { type PlannedStretch, plannedStretches } from './viewers.ts';
import { createWorld, publicationsPerAccount } from './world.ts';

const whenAsked = { everyMs: 2 ** 30, daysEveryMs: 0, lookBackMs: 0 };

let service: TestService;
/**
 * Sums on demand, whole days at every turn, and considers them settled at once: nothing is
 * under way then, so there is nothing to look back for.
 */
let settled: TestService;
beforeAll(async () => {
  service = await startTestService();
  settled = await startTestService({ pace: whenAsked });
  // The first turn, at the start, may still be under way.
  await settled.facts.rollUp();
});
afterAll(() => Promise.all([service.stop(), settled.stop()]));

const zones = ['Asia/Seoul', 'America/New_York'];
const publications = zones.length * publicationsPerAccount;
const questions = fc.array(anyQuestion(zones.length, publications), {
  minLength: 12,
  maxLength: 20,
});

giveQuestionsTime();
const worlds = Math.ceil(questionCount() / 25);

async function expectAsOracle(asked: TestService, numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(plannedStretches(publications, 80), questions, async (stretches, asking) => {
      const world = await createWorld(asked, zones);
      await world.play(stretches);
      await asked.facts.rollUp();
      for (const question of asking) {
        expect(await allPages(question, world)).toEqual(expectedRows(question, world));
      }
    }),
    { numRuns, endOnFailure: true },
  );
}

test('every answer equals the oracle, page by page, from fresh sums', { tags: 'long' }, () =>
  expectAsOracle(service, worlds),
);

test('and from settled days', () => expectAsOracle(settled, worlds));

describe('three shards, PostgreSQL, two nodes', { tags: 'long' }, () => {
  let cluster: ServiceCluster;
  beforeAll(async () => {
    cluster = await startServiceCluster({ nodes: 2, pace: whenAsked });
  });
  afterAll(() => cluster?.stop());

  // Each page and each repetition is of another node.
  test('every answer equals the oracle, page by page', () =>
    expectAsOracle(cluster.site, Math.ceil(worlds / 2)));
});

test('pages are of one moment while beacons keep arriving', async () => {
  await fc.assert(
    fc.asyncProperty(
      plannedStretches(publications, 40),
      plannedStretches(publications, 40),
      questions,
      async (before, meanwhile, asked) => {
        const world = await createWorld(service, zones);
        await world.play(before);
        await service.facts.rollUp();
        let sent = 0;
        const arrive = async (): Promise<void> => {
          await world.play(renamed(meanwhile.slice(sent, sent + 3)));
          sent += 3;
          await service.facts.rollUp();
        };
        for (const question of asked) {
          const expected = expectedRows(question, world);
          expect(await allPages(question, world, arrive)).toEqual(expected);
        }
      },
    ),
    { numRuns: Math.ceil(worlds / 2), endOnFailure: true },
  );
});

test('parts sum to their whole', { tags: 'long' }, async () => {
  const world = await createWorld(service, zones);
  const [stretches] = fc.sample(plannedStretches(publications, 120), { numRuns: 1, seed: 20 });
  await world.play(stretches ?? []);
  await service.facts.rollUp();
  const range = { account: 0, firstDay: '2025-12-30', lastDay: '2026-11-30' };
  const ask = async (kind: AnyQuestion['kind'], more: Partial<AnyQuestion> = {}) => {
    const rows = await allPages({ ...everything, ...range, kind, ...more }, world);
    return { rows, plays: sum(rows, 'videoCount'), seconds: sum(rows, 'duration') };
  };
  const days = await ask('date');
  const systems = await ask('os');
  expect(days.plays).toBeGreaterThan(0);
  expect(systems.plays).toBe(days.plays);
  for (const { date, videoCount, duration } of days.rows) {
    const hours = await ask('hour', { firstDay: date ?? '', lastDay: date ?? '' });
    expect(hours.plays).toBe(Number(videoCount));
    // Each row is rounded down once.
    expect(Number(duration) - hours.seconds).toBeGreaterThanOrEqual(0);
    expect(Number(duration) - hours.seconds).toBeLessThan(24);
  }
  const ios = await ask('detail', { system: 0 });
  expect(ios.plays).toBe(Number(systems.rows.find(({ os }) => os === 'iOS')?.videoCount));
});

/** Views of their own, apart from those that played before. */
function renamed(stretches: readonly PlannedStretch[]): PlannedStretch[] {
  return stretches.map((planned) => ({ ...planned, view: `later-${planned.view}` }));
}

function sum(rows: Row[], measure: string): number {
  return rows.reduce((total, row) => total + Number(row[measure]), 0);
}
