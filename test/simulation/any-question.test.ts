/**
 * Random playback, random questions: every answer equals the naive oracle's, page by page, also
 * while beacons keep arriving between the pages.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/service.ts';
import { allPages } from './ask.ts';
import { giveQuestionsTime, questionCount } from './question-count.ts';
import { anyQuestion, expectedRows } from './questions.ts';
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

async function expectAsOracle(numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(plannedStretches(publications, 80), questions, async (stretches, asking) => {
      const world = await createWorld(settled, zones);
      await world.play(stretches);
      await settled.facts.rollUp();
      for (const question of asking) {
        expect(await allPages(question, world)).toEqual(expectedRows(question, world));
      }
    }),
    { numRuns, endOnFailure: true },
  );
}

test('every answer equals the oracle, page by page, from settled days', () =>
  expectAsOracle(worlds));

test('pages are of one moment while beacons keep arriving, from fresh sums', async () => {
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

/** Views of their own, apart from those that played before. */
function renamed(stretches: readonly PlannedStretch[]): PlannedStretch[] {
  return stretches.map((planned) => ({ ...planned, view: `later-${planned.view}` }));
}
