/** Random playback, random questions of the audience: every answer equals the naive oracle's. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerQuery } from '../../src/report/query/answer-query.ts';
import { readQuery } from '../../src/report/query/read-query.ts';
import { QueryRequest } from '../../src/wire/audience-messages.ts';
import { readParameters } from '../../src/wire/parameters.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { type AudienceQuestion, anyAudienceQuestion, parametersOf } from './audience-questions.ts';
import {
  type AudienceWorld,
  createAudienceWorld,
  labels,
  playedStretches,
  suspects,
} from './audience-world.ts';
import { zones } from './viewers.ts';

const whenTold = { everyMs: 2 ** 30, daysEveryMs: 0, lookBackMs: 0 };
const worlds = 6;
const questionsOfWorld = 40;

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ pace: whenTold });
  // The first turn, at the start, may still be under way.
  await service.facts.rollUp();
});
afterAll(() => service.stop());

const numbers = new Map(labels.map((name, index) => [name as string, index + 1]));

/** Asked at some odd moment of the range's last day, or the day before or after. */
async function expectAsOracle(question: AudienceQuestion, world: AudienceWorld) {
  const parameters = parametersOf(question, world);
  const asker = { ...world, labels: numbers };
  const query = readQuery(readParameters(QueryRequest, parameters), asker);
  const nowMs = Date.parse(query.lastDay) + question.sinceLastDayMs;
  const answer = await answerQuery(query, nowMs, service);
  const expected = world.oracle.answer({
    ...query,
    filters: query.filters.map(({ dimension: name, ...filter }) => ({ name, ...filter })),
    fill: query.fillZero,
    nowMs,
  });
  const { rows, totals, viewerBasis } = answer;
  const asked = { parameters, nowMs };
  expect({ asked, rows, totals, viewerBasis }).toEqual({ asked, ...expected });
}

test('every answer equals the oracle', async () => {
  const questions = fc.array(anyAudienceQuestion, {
    minLength: questionsOfWorld,
    maxLength: questionsOfWorld,
  });
  await fc.assert(
    fc.asyncProperty(
      playedStretches,
      playedStretches,
      fc.constantFrom(...zones),
      fc.option(fc.constantFrom(...suspects), { nil: undefined }),
      questions,
      async (stretches, late, zone, accepted, asked) => {
        const world = await createAudienceWorld(service, zone);
        await world.play(stretches);
        await service.facts.rollUp();
        const half = Math.floor(asked.length / 2);
        for (const question of asked.slice(0, half)) await expectAsOracle(question, world);
        if (accepted) {
          world.oracle.accept(accepted);
          await service.catalog.verdicts.decide(
            { accountId: world.accountId, suspect: accepted },
            'accepted',
          );
        }
        // Late, and on days that were settled.
        await world.play(late);
        await service.facts.rollUp();
        for (const question of asked.slice(half)) await expectAsOracle(question, world);
      },
    ),
    { numRuns: worlds, endOnFailure: true },
  );
}, 600_000);
