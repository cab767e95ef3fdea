/**
 * Random playback, random questions of the audience: every answer equals the naive oracle's, page by
 * page, also while beacons keep arriving between the pages.
 */
import assert from 'node:assert';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { Playmeter } from '../../client/src/index.ts';
import { readDistribution as askDistribution } from '../../src/query/distribution/distribution.ts';
import { readDistribution } from '../../src/query/parse/curve-question.ts';
import { readQuery } from '../../src/query/parse/query-parser.ts';
import type { PlanSources } from '../../src/query/planner.ts';
import { answerQuery } from '../../src/query/run/query-run.ts';
import { distributionMeasureNames } from '../../src/wire/questions/distribution.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { type ServiceCluster, startServiceCluster } from '../support/service-cluster.ts';
import { askAllPages } from './ask-audience.ts';
import type { OracleRow } from './audience-oracle.ts';
import {
  type AudienceQuestion,
  anyAudienceQuestion,
  askedOf,
  parametersOf,
  questionOf,
} from './audience-questions.ts';
import {
  type AudienceWorld,
  createAudienceWorld,
  labels,
  playedStretches,
  suspects,
} from './audience-world.ts';
import { giveQuestionsTime, questionCount, questionSeed } from './question-count.ts';
import { seededRandom } from './random.ts';
import { telling } from './reported.ts';
import { createReportedWorld } from './reported-world.ts';
import { plannedStretches, zones } from './viewers.ts';
import { createWorld, publicationsPerAccount } from './world.ts';

const whenAsked = { everyMs: 2 ** 30, daysEveryMs: 0, lookBackMs: 0 };
const mostOfWorld = 50;
const seed = questionSeed();
giveQuestionsTime();
const worlds = Math.ceil(questionCount() / mostOfWorld);
const questionsOfWorld = Math.ceil(questionCount() / worlds);

/**
 * Sums on demand, whole days at every turn, and considers them settled at once. Reads facts as of
 * ranges that have many.
 */
let service: TestService;
beforeAll(async () => {
  service = await startTestService({ pace: whenAsked, fewFacts: 0 });
  // The first turn, at the start, may still be under way.
  await service.facts.rollUp();
});
afterAll(() => service.stop());

const numbers = new Map(labels.map((name, index) => [name as string, index + 1]));

/** Asked at some odd moment of the range's last day, or the day before or after. */
async function expectAsOracle(
  question: AudienceQuestion,
  world: AudienceWorld,
  node: TestService,
  telling: Pick<PlanSources, 'viewsPerPass' | 'leastPlaysOfRegular'>,
) {
  const given = askedOf(question, world);
  const parameters = parametersOf(given);
  const asker = { ...world, labels: numbers };
  const query = readQuery(parameters, asker);
  const nowMs = Date.parse(query.lastDay) + question.sinceLastDayMs;
  const { facts, catalog } = node;
  const answer = await answerQuery(query, nowMs, { facts, catalog, ...telling });
  const expected = world.oracle.answer(questionOf(given, world, nowMs));
  const { rows, totals, viewerBasis, qualityBasis } = answer;
  const asked = { parameters, nowMs };
  expect({ asked, rows, totals, viewerBasis, qualityBasis }).toEqual({ asked, ...expected });
}

/** The same range and filters, of what every measure that can be spread is like. */
async function expectDistributions(
  question: AudienceQuestion,
  world: AudienceWorld,
  { facts, catalog }: TestService,
  telling: Pick<PlanSources, 'leastPlaysOfRegular'>,
): Promise<void> {
  const given = askedOf(question, world);
  const filters = given.filters.filter(({ name }) => name !== 'error');
  const whole = { ...given, filters, dimensions: [], sort: [], fill: false };
  for (const measure of distributionMeasureNames) {
    const { measures: _, ...parameters } = parametersOf(whole);
    const asked = readDistribution({ ...parameters, measure }, { ...world, labels: numbers });
    const nowMs = Date.parse(asked.lastDay) + question.sinceLastDayMs;
    const { unit: _unit, ...answer } = await askDistribution(
      asked,
      { facts, catalog, ...telling },
      nowMs,
    );
    const expected = world.oracle.distribution(questionOf(whole, world, nowMs), measure);
    expect({ asked: { parameters, nowMs }, ...answer }).toEqual({
      ...{ asked: { parameters, nowMs }, measure },
      ...expected,
    });
  }
}

/** The questions of v1 about all that was played, by system and by date. */
async function expectSameInV1(
  { key, accountId, timeZone, oracle }: AudienceWorld,
  { url }: TestService,
): Promise<void> {
  const { statistics } = new Playmeter({ url, key });
  for (const [firstDay, lastDay] of [
    ['2011-01-01', '2020-12-31'],
    ['2021-01-01', '2026-12-31'],
  ] as const) {
    for (const name of ['os', 'date'] as const) {
      const range = { accountId, timeZone, firstDay, lastDay };
      const counts = { measures: ['plays', 'playMs'], dimensions: [name] };
      const { rows } = oracle.answer({ ...range, ...counts, filters: [], sort: [], fill: false });
      const expected = (rows as OracleRow[]).map(({ plays, playMs, ...label }) => {
        return `${label[name]} ${plays} ${Math.floor(Number(playMs) / 1_000)}`;
      });
      const asked = { sdate: firstDay, edate: lastDay, pageSize: 1_000 };
      const { rows: found } = await statistics[name](asked);
      const shown = (found as object[] as Record<string, string>[]).map(
        (row) => `${row[name]} ${row.videoCount} ${row.duration}`,
      );
      expect({ firstDay, shown: shown.sort() }).toEqual({ firstDay, shown: expected.sort() });
    }
  }
}

/** The last one, for good; other views of its viewers stay. */
async function eraseVideo({ key, videos, oracle }: AudienceWorld, site: TestService) {
  const video = videos.at(-1);
  assert(video, 'a world has videos');
  const { manage } = new Playmeter({ url: site.url, key });
  await manage.erasePlayback({ accessKey: video.accessKey });
  const states = async () => (await manage.erasures()).list.map(({ state }) => state);
  await expect.poll(states).toEqual(['done']);
  oracle.eraseVideo(video.videoId);
  await site.facts.rollUp();
}

interface Asking {
  readonly site: TestService;
  /** Asked in turn. */
  readonly nodes: readonly TestService[];
  readonly numRuns: number;
  readonly length: number;
}

async function expectAllAsOracle({ site, nodes, numRuns, length }: Asking): Promise<void> {
  const expectAll = async (asked: readonly AudienceQuestion[], world: AudienceWorld) => {
    for (const [index, question] of asked.entries()) {
      // Every fourth in passes, as of accounts with millions of views.
      const viewsPerPass = index % 4 === 1 ? 1 + 3 * index : 1_000_000;
      // Most as of such accounts: regular views are counted by their plays.
      const leastPlaysOfRegular = index % 4 === 0 ? 1_000_000 : 0;
      const telling = { viewsPerPass, leastPlaysOfRegular };
      const node = nodes[index % nodes.length] ?? site;
      await expectAsOracle(question, world, node, telling);
      // Of some from facts alone.
      const ofSpread = { leastPlaysOfRegular: index % 8 === 0 ? 1_000_000 : 0 };
      if (index % 4 === 0) await expectDistributions(question, world, node, ofSpread);
    }
  };
  const questions = fc.array(anyAudienceQuestion, { minLength: length, maxLength: length });
  await fc.assert(
    fc.asyncProperty(
      playedStretches,
      playedStretches,
      fc.constantFrom(...zones),
      fc.option(fc.constantFrom(...suspects), { nil: undefined }),
      questions,
      async (stretches, late, zone, accepted, asked) => {
        const world = await createAudienceWorld(site, zone);
        await world.play(stretches);
        await site.facts.rollUp();
        await site.facts.checkViews();
        const third = Math.floor(asked.length / 3);
        await expectAll(asked.slice(0, third), world);
        if (accepted) {
          world.oracle.accept(accepted);
          await site.catalog.verdicts.decide(
            { accountId: world.accountId, suspect: accepted },
            'accepted',
          );
        }
        // Late, and on days that were settled and whose views were checked.
        await world.play(late);
        await site.facts.rollUp();
        await expectAll(asked.slice(third, 2 * third), world);
        await expectSameInV1(world, site);
        await site.facts.checkViews();
        await expectAll(asked.slice(2 * third), world);
        await eraseVideo(world, site);
        await expectAll(asked.slice(0, third), world);
        await expectSameInV1(world, site);
      },
    ),
    { seed, numRuns, endOnFailure: true },
  );
}

async function expectOneMoment(site: TestService, rounds: number, asked: number): Promise<void> {
  const random = seededRandom(seed);
  for (let round = 0; round < rounds; round += 1) {
    const world = await createWorld(site, ['Asia/Kathmandu']);
    const reported = await createReportedWorld(world, [0]);
    const [account] = reported.accounts;
    if (!account) throw new Error('no account');
    const stretches = fc.sample(plannedStretches(publicationsPerAccount, 60), {
      seed: seed + round,
      numRuns: 1,
    });
    const planned = telling(stretches.flat(), 'server', random);
    let sent = 0;
    const arrive = async (count: number): Promise<void> => {
      const some = planned.slice(sent, sent + count);
      sent += count;
      await world.play(some);
      reported.record(...some.flatMap(world.reportsOf));
      await site.facts.rollUp();
    };
    await arrive(Math.ceil(planned.length / 2));
    const questions = fc.sample(anyAudienceQuestion, { seed: seed + round, numRuns: asked });
    for (const question of questions) {
      const given = askedOf(question, account);
      const parameters = { ...parametersOf(given), pageSize: String(question.pageSize) };
      // Before anything arrives between the pages. No range of these ends today.
      const expected = account.oracle.answer(questionOf(given, account, Date.now()));
      const { answer } = await askAllPages({ ...world, key: account.key }, parameters, () =>
        arrive(1),
      );
      expect({ parameters, ...answer }).toEqual({ parameters, ...expected });
    }
  }
}

test('every answer equals the oracle', () =>
  expectAllAsOracle({
    site: service,
    nodes: [service],
    numRuns: worlds,
    length: questionsOfWorld,
  }));

test('pages are of one moment while beacons keep arriving', { tags: 'long' }, async () => {
  // Sums by itself, while beacons arrive. Reads facts as of ranges that have few.
  const busy = await startTestService();
  onTestFinished(() => busy.stop());
  await expectOneMoment(busy, worlds, Math.ceil(questionsOfWorld / 2));
});

describe('three shards, PostgreSQL, two nodes', { tags: 'long' }, () => {
  let cluster: ServiceCluster;
  beforeAll(async () => {
    cluster = await startServiceCluster({ nodes: 2, pace: whenAsked });
  });
  afterAll(() => cluster?.stop());

  test('every answer equals the oracle, asked by way of either node', () => {
    const { site, nodes } = cluster;
    return expectAllAsOracle({ site, nodes, numRuns: 1, length: 16 });
  });

  // Fewer, where each question takes longer, and each page is asked of the other node.
  test('pages are of one moment while beacons keep arriving', () =>
    expectOneMoment(cluster.site, 1, 8));
});
