/**
 * Days that are read as counts, beside those that are read as facts: whatever was counted, came
 * late or was counted again, and whatever is asked, the answer is that of the facts alone.
 */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { readDistribution } from '../../src/query/distribution/distribution.ts';
import { readDistribution as parseDistribution } from '../../src/query/parse/curve-question.ts';
import { readQuery } from '../../src/query/parse/query-parser.ts';
import { factsOfQuestion, findCounted } from '../../src/query/plan/question-facts.ts';
import { computeRetention, type PartChange } from '../../src/query/retention/retention.ts';
import { readPartChanges, selectRetention } from '../../src/query/retention/retention-sql.ts';
import { answerQuery } from '../../src/query/run/query-run.ts';
import { audienceMeasureNames, isOfQuality } from '../../src/vocabulary/measures.ts';
import { numberOfWait, waitCauseNames, waitOutcomeNames } from '../../src/vocabulary/waits.ts';
import { distributionMeasureNames } from '../../src/wire/questions/distribution.ts';
import { startTestService, type TestService } from '../support/service.ts';

const slotMs = 900_000;
const dayMs = 86_400_000;
/** The last one before clocks are set back in Berlin. */
const day = Date.UTC(2026, 9, 24);
const dates = [0, 1, 2, 3].map((later) => new Date(day + later * dayMs).toISOString().slice(0, 10));

const filmMs = 60_000;

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ pace: { everyMs: 2 ** 30, daysEveryMs: 0, lookBackMs: 0 } });
  await service.facts.rollUp();
});
afterAll(() => service.stop());

const views = Array.from({ length: 20 }, () => randomUUID());
const numberOf = (kind: bigint, number: number) => String((kind << 62n) + BigInt(number));
const daily = Array.from({ length: 12 }, (_, index) => index + 1).map((number) =>
  numberOf(1n, number),
);
const viewers = [undefined, ...daily, numberOf(2n, 13), numberOf(2n, 14)];

const mediaHost = fc.constantFrom(undefined, 'cdn1.example.com', 'cdn2.example.com');
const laterCauses = waitCauseNames.filter((name) => name !== 'start');

/**
 * Of few views and viewers, so that they meet in every way; of so many that some are on one day
 * alone until more comes.
 */
const anyFact = fc
  .record({
    dayIndex: fc.constantFrom(0, 1, 2, 3),
    slot: fc.constantFrom(0, 1, 4, 60, 91, 92, 95),
    view: fc.constantFrom(...views),
    viewer: fc.constantFrom(...viewers),
    stretch: fc.constantFrom(0, 0, 1),
    plays: fc.constantFrom(0, 1, 1, 1, 1, 1),
    playMs: fc.constantFrom(0, 1, 1_000, 600_000),
    // The last is none that the catalog knows.
    videoIndex: fc.constantFrom(0, 0, 1, 1, 2, 2, 3),
    packageIndex: fc.nat(1),
    system: fc.constantFrom(['iOS', '18'], ['iOS', '9'], ['Unknown', 'Unknown']),
    startedAfterMs: fc.constantFrom(undefined, -300_000, 0, 7),
    laterMs: fc.constantFrom(0, 0, 250_000),
    position: fc.constantFrom(undefined, 0, 0, 1_000, 1_500, 59_000, 61_000),
    mediaMs: fc.constantFrom(0, 1_500, 2_000, 90_000),
    attributes: fc.record({
      browser: fc.constantFrom('', 'Unknown', 'Firefox'),
      browserVersion: fc.constantFrom('', '140'),
      page: fc.constantFrom('', 'example.com/1'),
      label1: fc.constantFrom('', 'free'),
    }),
    mediaBits: fc.constantFrom(undefined, 1_000_000),
    mediaHost,
    isTaken: fc.boolean(),
  })
  .map(({ dayIndex, slot, viewer, system: [os = '', osVersion = ''], isTaken, ...known }) => {
    const { attributes, startedAfterMs, laterMs, position, mediaMs, mediaBits, ...others } = known;
    const { mediaHost: host, ...fact } = others;
    const slotStart = day + dayIndex * dayMs + slot * slotMs;
    const reported = { laterMs, position, mediaMs, viewer, attributes };
    return {
      ...{ ...fact, slotStart, os, osVersion, suspect: '' },
      quality: { mediaBits, frames: 100, droppedFrames: 3, mediaHost: host },
      ...(isTaken && { ceiling: { ms: 500, known: 1 } }),
      details: {
        startMs: startedAfterMs === undefined ? 0 : slotStart + startedAfterMs,
        ...reported,
      },
    };
  });

const anyWait = fc.record({
  number: fc.nat(2),
  later: fc.constantFrom(0, 0, 1, 96),
  cause: fc.constantFrom(...laterCauses),
  outcome: fc.constantFrom(...waitOutcomeNames, 'played' as const),
  waitMs: fc.constantFrom(0, 700, 1_300, 90_000),
  error: fc.constantFrom(undefined, '3016'),
  host: mediaHost,
});

/** What one view did on a day: it goes on without another play, also in the same slot. */
const anyFacts = fc
  .record({
    first: anyFact,
    further: fc.array(
      fc.record({
        later: fc.constantFrom(0, 0, 1),
        playMs: fc.constantFrom(1, 1_000, 600_000),
        position: fc.constantFrom(undefined, 0, 1_000, 1_500, 2_500, 40_000),
        mediaMs: fc.constantFrom(0, 500, 2_000, 90_000),
      }),
      { maxLength: 3 },
    ),
    waits: fc.array(anyWait, { maxLength: 3 }),
    isWatched: fc.constantFrom(true, true, true, false),
  })
  .map(({ first, further, waits, isWatched }) => [
    ...(isWatched || waits.length === 0 ? [first] : []),
    ...waits.map(({ number, later, cause, host, ...wait }) => ({
      ...{ ...first, stretch: numberOfWait(number), plays: 0, playMs: 0 },
      slotStart: first.slotStart + (first.slotStart % dayMs === 0 ? later * slotMs : 0),
      quality: {
        wait: { ...wait, cause: number === 0 ? ('start' as const) : cause },
        mediaHost: host,
      },
      details: {
        ...first.details,
        ...{ position: undefined, mediaMs: 0 },
        attributes: { ...first.details.attributes, ...(number === 0 && { quality: 'reported' }) },
      },
    })),
    ...further.map(({ later, playMs, position, mediaMs }, index) => ({
      ...{ ...first, stretch: 2 + index, plays: 0, playMs },
      slotStart: first.slotStart + (first.slotStart % dayMs === 0 ? later * slotMs : 0),
      details: { ...first.details, position, mediaMs },
    })),
  ]);

const dimensions = [
  ...[undefined, 'os', 'os,osVersion', 'browser', 'browser,browserVersion', 'viewerKind', 'page'],
  ...['video', 'package', 'folder', 'label.plan', 'date', 'weekday', 'hour', 'hourOfDay'],
  ...['folder', 'month,folder'],
  ...['date,browser', 'month,label.plan', 'week,video', 'year,viewerKind', 'weekday,os'],
  ...['date,page,browser', 'hour,browser'],
];
const measures = ['plays', 'playMs', 'views', 'viewers', 'mediaMs'];
const measuresOfPositions = [
  ...['views', 'viewers', 'positionedViews', 'seenMs', 'averageSeen', 'completions'],
  ...['reached25', 'reached50', 'reached75', 'reached100'],
];
const measuresOfQuality = audienceMeasureNames.filter(isOfQuality);
const measuresOfErrors = ['attempts', 'failures', 'startFailures', 'stalls'];
const filters = [
  ...['mediaHost==cdn1.example.com', 'mediaHost!=Unknown'],
  ...['os==iOS', 'os!=iOS', 'browser==Firefox,Unknown'],
  ...['viewerKind==named', 'viewerKind==daily;os==iOS', 'page=@example', 'label.plan!=free'],
  ...[`date!=${dates[1]}`, 'weekday==6,7', 'hourOfDay==00', 'browser==Opera'],
];
/** Of one value, of which days have counts; the names are those of an account's. */
const values = [
  ...['os==iOS', 'os==iOS;osVersion==18', 'osVersion==18', 'browser==Firefox', 'browser==Unknown'],
  ...['viewerKind==daily', 'viewerKind==none', 'page==example.com/1', 'label.plan==free'],
  ...['video==VIDEO', 'video==VIDEO', 'package==PACKAGE', 'video==VIDEO;package==PACKAGE'],
  ...['folder==FOLDER', 'video==elsewhere'],
];
const anyQuestion = fc
  .record({
    asked: fc.oneof(
      fc.record({
        dimensions: fc.constantFrom(...dimensions),
        measures: fc.subarray(measures, { minLength: 1 }),
      }),
      fc.record({
        dimensions: fc.constantFrom(...dimensions.slice(7), undefined, 'video', 'date'),
        measures: fc.subarray(measuresOfPositions, { minLength: 1 }),
      }),
      fc.record({
        dimensions: fc.constantFrom(...dimensions, 'mediaHost', 'date,mediaHost'),
        measures: fc.subarray(measuresOfQuality, { minLength: 1, maxLength: 9 }),
      }),
      fc.record({
        dimensions: fc.constantFrom('error', 'error,date'),
        measures: fc.subarray(measuresOfErrors, { minLength: 1 }),
      }),
    ),
    timeZone: fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Seoul', 'Asia/Kolkata'),
    days: fc.tuple(fc.nat(3), fc.nat(3)),
    filtered: fc.oneof(
      { arbitrary: fc.constant(undefined), weight: 3 },
      fc.constantFrom(...filters),
      fc.constantFrom(...values),
    ),
    compare: fc.option(fc.constantFrom('previous', 'weekdays'), { nil: undefined }),
    // Beside days that are not counted, few plays are told apart at once.
    viewsPerPass: fc.constantFrom(1, 3, 1_000, 1_000, 1_000, 1_000),
    // Of the last day, waits without an end may go on for longer than an hour after it.
    askedAfterMs: fc.constantFrom(4 * dayMs + 4 * slotMs, 30 * dayMs),
    spread: fc.constantFrom(...distributionMeasureNames),
  })
  .map(({ days, asked, compare, viewsPerPass, timeZone, filtered, askedAfterMs, spread }) => ({
    ...{ viewsPerPass, spread },
    nowMs: day + askedAfterMs,
    parameters: {
      ...{ measures: asked.measures.join(), timeZone },
      ...(asked.dimensions && { dimensions: asked.dimensions }),
      ...{ sdate: dates[Math.min(...days)], edate: dates[Math.max(...days)] },
      ...(compare && { compare }),
      ...(filtered && { filters: filtered }),
    },
  }));
type Question = typeof anyQuestion extends fc.Arbitrary<infer Value> ? Value : never;

const askerOf = ({ accountId }: Account) => ({
  ...{ accountId, timeZone: 'UTC', labels: new Map([['plan', 1]]) },
});

function withNames<Parameters extends Question['parameters']>(
  { accessKeys, packageIds, folderId }: Account,
  parameters: Parameters,
): Parameters {
  const named = parameters.filters
    ?.replace('VIDEO', accessKeys[0] ?? '')
    .replace('PACKAGE', `${packageIds[0]}`)
    .replace('FOLDER', `${folderId}`);
  return { ...parameters, ...(named && { filters: named }) };
}

async function answerOf(account: Account, { parameters, nowMs }: Question, telling: object) {
  const query = readQuery(withNames(account, parameters), askerOf(account));
  const { facts, catalog } = service;
  return answerQuery(query, nowMs, { facts, catalog, ...telling });
}

/** How a measure of the same range and filters is spread. */
function spreadOf(account: Account, { parameters, spread, nowMs }: Question, telling: object) {
  const { dimensions: _, measures: __, ...whole } = withNames(account, parameters);
  const question = parseDistribution({ ...whole, measure: spread }, askerOf(account));
  const { facts, catalog } = service;
  return readDistribution(question, { facts, catalog, ...telling }, nowMs);
}

const anyRetention = fc.record({
  videoIndex: fc.nat(2),
  isOfPackage: fc.boolean(),
  timeZone: fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Seoul', 'Asia/Kolkata'),
  days: fc.tuple(fc.nat(3), fc.nat(3)),
  parts: fc.constantFrom(1, 2, 7, 100),
  lengthMs: fc.constantFrom(1, 1_600, filmMs),
});
type RetentionAsked = typeof anyRetention extends fc.Arbitrary<infer Value> ? Value : never;

/** What changes from part to part, of counted days and of facts alone. */
async function changesOf(account: Account, asked: RetentionAsked) {
  const { accountId, accessKeys, packageIds } = account;
  const { videoIndex, isOfPackage, timeZone, days, ...video } = asked;
  const question = {
    ...{ accountId, timeZone, filters: [], labels: new Map<string, number>() },
    ...{ firstDay: dates[Math.min(...days)] ?? '', lastDay: dates[Math.max(...days)] ?? '' },
    ...{ accessKey: accessKeys[videoIndex], packageId: isOfPackage ? packageIds[0] : undefined },
  };
  const { facts, catalog } = service;
  const ofQuestion = await factsOfQuestion(question, { facts, catalog });
  if (ofQuestion === undefined) throw new Error('The video is not known.');
  const ofDays = await readPartChanges(ofQuestion, video, facts);
  const counted = await findCounted(ofQuestion, facts);
  const ofFacts = await facts.read<PartChange>(selectRetention(counted, video));
  return [ofDays, ofFacts].map((changes) => computeRetention(changes, video));
}

type Account = Awaited<ReturnType<typeof addAccount>>;

/** With three videos in two folders, each in two packages. */
async function addAccount() {
  const account = await service.addAccount('UTC');
  const { folders, videos } = service.catalog;
  const other = accepted(await folders.create(account.accountId, { folderName: 'Trailers' }));
  const trailer = { folderId: other.folderId, title: 'Trailer', durationMs: 1_600 };
  const keys = [
    await account.addVideo(filmMs),
    await account.addVideo(),
    accepted(await videos.create(account.accountId, trailer)).accessKey,
  ];
  const packageIds = [await account.addPackage(), await account.addPackage()];
  for (const packageId of packageIds) {
    for (const key of keys) await account.publish(packageId, key);
  }
  const { publications } = service.catalog;
  const found = keys.map((key) => publications.findVideoId(account.accountId, key));
  const videoIds = (await Promise.all(found)).map((id) => id ?? 0);
  const { accountId } = account;
  return { accountId, accessKeys: keys, packageIds, videoIds, folderId: other.folderId };
}

test('any question has the answer of the facts', () => askAll(1, 1));

/**
 * An account with two views of one video on the first day, of which `view` goes on: each day a second
 * further in the media.
 */
async function addViewed() {
  const account = await addAccount();
  const { accountId, videoIds, packageIds } = account;
  const write = async (view: string, dayIndex: number, stretch: number) => {
    const slotStart = day + dayIndex * dayMs;
    const known = { accountId, view, slotStart, os: 'iOS', osVersion: '18', suspect: '' };
    const about = { videoId: videoIds[0] ?? 0, packageId: packageIds[0] ?? 0 };
    const details = { startMs: slotStart, laterMs: 0, mediaMs: 2_000, position: 1_000 * dayIndex };
    const attributes = { quality: 'reported' };
    const wait = { cause: 'stall', outcome: 'played', waitMs: 300 } as const;
    const some = { ...known, ...about, details: { ...details, attributes } };
    const plays = stretch === 0 ? 1 : 0;
    await service.facts.stretches.write([
      { ...some, stretch, plays, playMs: 2_000, quality: { mediaBits: 1_000_000 * (1 + stretch) } },
      {
        ...{ ...some, stretch: numberOfWait(1 + stretch), plays: 0, playMs: 0, quality: { wait } },
        details: { ...details, attributes, mediaMs: 0, position: undefined },
      },
    ]);
    await service.facts.rollUp();
  };
  const view = randomUUID();
  await write(view, 0, 0);
  await write(randomUUID(), 0, 0);
  return { account, goOn: (dayIndex: number) => write(view, dayIndex, dayIndex) };
}

test('a view of a counted day that goes on, on one without counts, has one value', async () => {
  const { account, goOn } = await addViewed();
  await service.facts.checkViews();
  await goOn(1);
  const range = { sdate: dates[0], edate: dates[1], timeZone: 'UTC' };
  const { facts, catalog } = service;
  const telling = { facts, catalog, leastPlaysOfRegular: 0 };
  const spreads = ['playMs', 'stallMs', 'bitrate', 'seen'].map(async (measure) => {
    const question = parseDistribution({ ...range, measure }, askerOf(account));
    const { views, p50, p99 } = await readDistribution(question, telling, day + 30 * dayMs);
    return { views, p50, p99 };
  });
  expect(await Promise.all(spreads)).toEqual([
    { views: 2, p50: 2_000, p99: 4_000 },
    { views: 2, p50: 300, p99: 600 },
    { views: 2, p50: 500, p99: 750 },
    { views: 2, p50: 0.0333, p99: 0.05 },
  ]);
  expect(
    await facts.audienceDays({
      accountId: account.accountId,
      fromMs: day,
      untilMs: day + 2 * dayMs,
    }),
  ).toHaveLength(1);
});

test('so has a view of two counted days, in rows and in all', async () => {
  const { account, goOn } = await addViewed();
  await goOn(1);
  await service.facts.checkViews();
  await goOn(2);
  const ask = async (dimensions?: 'video') => {
    const range = { sdate: dates[0], edate: dates[2], timeZone: 'UTC' };
    const parameters = { ...range, measures: 'views,seenMs,completions', dimensions };
    const { facts, catalog } = service;
    const telling = { facts, catalog, leastPlaysOfRegular: 0 };
    return answerQuery(readQuery(parameters, askerOf(account)), day + 3 * dayMs, telling);
  };
  const whole = { views: 2, seenMs: 4_000 + 2_000, completions: 0 };
  // Again, when what the counted days gave is kept.
  for (const answer of [await ask(), await ask('video'), await ask(), await ask('video')]) {
    expect(answer.rows).toEqual([expect.objectContaining(whole)]);
    expect(answer.totals).toMatchObject(whole);
  }
});

test('so it has far more often', { tags: 'long' }, () => askAll(12, 3));

async function askAll(numRuns: number, count: number): Promise<void> {
  let daysRead = 0;
  const expectAll = async (account: Account, questions: readonly Question[]) => {
    const { accountId } = account;
    for (const question of questions) {
      const { viewsPerPass, parameters } = question;
      const ofDays = { leastPlaysOfRegular: 0 };
      const ofFacts = { leastPlaysOfRegular: 2 ** 40 };
      const answer = await answerOf(account, question, { ...ofDays, viewsPerPass });
      const expected = await answerOf(account, question, ofFacts);
      expect({ parameters, ...answer }).toEqual({ parameters, ...expected });
      const spread = await spreadOf(account, question, ofDays);
      expect({ parameters, ...spread }).toEqual({
        ...{ parameters, ...(await spreadOf(account, question, ofFacts)) },
      });
    }
    for (const asked of fc.sample(anyRetention, 1)) {
      const [ofDays, ofFacts] = await changesOf(account, asked);
      expect({ asked, ...ofDays }).toEqual({ asked, ...ofFacts });
    }
    const range = { accountId, fromMs: day, untilMs: day + 4 * dayMs };
    daysRead += (await service.facts.audienceDays(range)).length;
  };
  const some = (minLength: number, maxLength: number) =>
    fc.array(anyFacts, { minLength, maxLength }).map((all) => all.flat());
  // One of them with a play, so that there is a day to count.
  const play = anyFact
    .filter((fact) => !('ceiling' in fact))
    .map((fact) => ({ ...fact, plays: 1, playMs: 1_000 }));
  const facts = fc.tuple(play, some(4, 12)).map(([first, all]) => [first, ...all]);
  // So few that most days keep their counts.
  const fewFacts = some(1, 3);
  const questions = fc.array(anyQuestion, { minLength: count, maxLength: count });
  await fc.assert(
    fc.asyncProperty(
      facts,
      fewFacts,
      questions,
      questions,
      questions,
      async (first, late, ...asked) => {
        const account = await addAccount();
        const { accountId, packageIds, videoIds } = account;
        const write = async (some: typeof first) => {
          const written = some.map(({ videoIndex, packageIndex, ...fact }) => ({
            ...{ ...fact, accountId, videoId: videoIds[videoIndex] ?? 4_000_000_000 },
            packageId: packageIds[packageIndex] ?? 0,
          }));
          await service.facts.stretches.write(written);
          await service.facts.rollUp();
        };
        await write(first);
        await service.facts.checkViews();
        await expectAll(account, asked[0]);
        await write(late);
        await expectAll(account, asked[1]);
        await service.facts.checkViews();
        await expectAll(account, asked[2]);
      },
    ),
    { numRuns, endOnFailure: true },
  );
  expect(daysRead).toBeGreaterThan(numRuns);
}
