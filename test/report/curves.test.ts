/**
 * Random stretches, random questions: the curves are those of plain loops, on the real engine, with
 * seeks back, overlaps, several tabs, slots crossed, every speed, late and repeated reports,
 * playback of earlier releases, and suspects.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { identifyView } from '../../src/collect/steps/view-identity.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import type { Fact } from '../../src/store/facts.ts';
import { questionCount, questionSeed } from '../simulation/question-count.ts';
import { delicateInstants } from '../simulation/viewers.ts';
import { describeKinds } from '../support/each-kind.ts';
import {
  type CurveRange,
  type Interval,
  naiveConcurrency,
  naiveRetention,
  type PlayedStretch,
} from '../support/naive-curves.ts';
import type { TestAccount, TestService } from '../support/service.ts';
import { oneServer, type StartedService, serviceKinds } from '../support/service-kinds.ts';

const slotMs = 900_000;
const suspect = 'VIDEO:2026-01-01:11';
const questionsOfWorld = 8;
const seed = questionSeed();
// Each is asked twice, and a naive curve takes its time.
const worlds = Math.ceil(questionCount() / 3 / questionsOfWorld);

let service: TestService;

interface World {
  readonly account: TestAccount;
  readonly packageIds: readonly number[];
  readonly videos: readonly { readonly accessKey: string; readonly videoId: number }[];
}

async function createWorld(lengthMs: number): Promise<World> {
  const account = await service.addAccount();
  const { accountId } = account;
  const packageIds = [await account.addPackage(), await account.addPackage()];
  const accessKeys = [await account.addVideo(), await account.addVideo()];
  const videos = await Promise.all(
    accessKeys.map(async (accessKey) => {
      const changes = { durationMs: lengthMs };
      return accepted(await service.catalog.videos.change(accountId, accessKey, changes));
    }),
  );
  return { account, packageIds, videos };
}

const anyStretch = fc.record({
  publication: fc.nat(3),
  os: fc.constantFrom('iOS', 'Linux'),
  country: fc.constantFrom('', 'KR', 'JP'),
  view: fc.nat(3),
  stretch: fc.nat(3),
  instant: fc.nat(3),
  offsetMs: fc.oneof(
    fc.integer({ min: -7_200_000, max: 7_200_000 }),
    fc.integer({ min: -8, max: 8 }).map((slots) => slots * slotMs),
    fc.integer({ min: -1_000, max: 1_000 }),
  ),
  playMs: fc.oneof(
    fc.integer({ min: 0, max: 120_000 }),
    fc.integer({ min: 0, max: 2 * 3_600_000 }),
    fc.constantFrom(0, 1, slotMs - 1, slotMs, 2 * slotMs),
  ),
  position: fc.option(fc.nat(1_500), { nil: undefined }),
  /** Up to 16 times as fast. */
  mediaMs: fc.nat(1_500),
  isOld: fc.nat(9).map((number) => number === 0),
  isSuspect: fc.nat(5).map((number) => number === 0),
  /** An earlier report of it: its share of the time, in tenths. */
  earlier: fc.option(fc.nat(10), { nil: undefined }),
});
type AnyStretch = typeof anyStretch extends fc.Arbitrary<infer Value> ? Value : never;

const viewOf = ({ publication, view }: AnyStretch) => `${publication} ${view}`;

/** Of a view each stretch begins once, and all tell the same. */
const anyStretches = fc
  .uniqueArray(anyStretch, {
    ...{ minLength: 1, maxLength: 30, size: 'max' },
    selector: (one) => `${viewOf(one)} ${one.stretch}`,
  })
  .map((all) =>
    [...Map.groupBy(all, viewOf).values()].flatMap((ofView) => {
      const { os, country, isOld } = ofView[0] as AnyStretch;
      return ofView.map((one) => ({ ...one, os, country, isOld }));
    }),
  );

const ranges: readonly CurveRange[] = [
  { firstDay: '2026-03-07', lastDay: '2026-03-09', timeZone: 'America/New_York' },
  { firstDay: '2026-10-31', lastDay: '2026-11-01', timeZone: 'America/New_York' },
  { firstDay: '2026-10-03', lastDay: '2026-10-04', timeZone: 'Australia/Lord_Howe' },
  { firstDay: '2026-04-05', lastDay: '2026-04-05', timeZone: 'Australia/Lord_Howe' },
  { firstDay: '2026-02-28', lastDay: '2026-03-01', timeZone: 'Asia/Kathmandu' },
  { firstDay: '2026-02-28', lastDay: '2026-02-28', timeZone: 'UTC' },
];
/** Where the clocks of these ranges are set, or days begin. */
const instants = delicateInstants.filter(({ instantMs }) =>
  ranges.some(
    ({ firstDay, lastDay }) =>
      instantMs >= Date.parse(firstDay) && instantMs < Date.parse(lastDay) + 86_400_000,
  ),
);

interface AnyFilter {
  readonly filters?: string;
  readonly fits: (stretch: PlayedStretch) => boolean;
}
const filters: readonly AnyFilter[] = [
  { fits: () => true },
  { filters: 'country==KR', fits: ({ country }) => country === 'KR' },
  { filters: 'country!=KR,JP', fits: ({ country }) => country === '' },
  { filters: 'country==Unknown;os=@IO', fits: ({ country, os }) => country === '' && os === 'iOS' },
];
const [unfiltered] = filters as readonly [AnyFilter];
const anyAsked = fc.record({
  range: fc.constantFrom(...ranges),
  // Only then are kept peaks read.
  filter: fc.oneof(fc.constant(unfiltered), fc.constantFrom(...filters)),
  video: fc.option(fc.nat(1), { nil: undefined }),
  inPackage: fc.option(fc.nat(1), { nil: undefined }),
  interval: fc.constantFrom<Interval>('minute', 'hour', 'day'),
  parts: fc.constantFrom(1, 3, 7, 100, 1_000),
});

/** The publications: in each package, one video is that of the other, too. */
const places = [
  [0, 0],
  [0, 1],
  [1, 0],
  [1, 1],
] as const;

function playedOf(given: AnyStretch, { packageIds, videos }: World): PlayedStretch {
  const [inPackage, video] = places[given.publication] ?? [0, 0];
  const { os, country, stretch, playMs, position, isOld } = given;
  const instant = instants[given.instant % instants.length];
  return {
    ...{ os, country: isOld ? '' : country, stretch, playMs, position, isDated: !isOld },
    packageId: packageIds[inPackage] ?? 0,
    accessKey: videos[video]?.accessKey ?? '',
    view: `view-${given.view}`,
    atMs: (instant?.instantMs ?? 0) + given.offsetMs,
    mediaMs: Math.min(given.mediaMs, 16 * playMs),
  };
}

/** The facts of a stretch, cut at slots. */
function factsOf(played: PlayedStretch, { account, videos }: World, name: string): Fact[] {
  const { packageId, accessKey, os, country, stretch, atMs, playMs, position, mediaMs } = played;
  const videoId = videos.find((video) => video.accessKey === accessKey)?.videoId ?? 0;
  const { accountId } = account;
  const view = identifyView('beacon', played.view);
  const whole = { accountId, packageId, videoId, os, osVersion: '1', view, stretch, suspect: name };
  const facts: Fact[] = [];
  const endMs = atMs + playMs;
  let fromMs = atMs;
  do {
    const slotStart = Math.floor(fromMs / slotMs) * slotMs;
    const untilMs = Math.min(endMs, slotStart + slotMs);
    const plays = stretch === 0 && fromMs === atMs ? 1 : 0;
    const laterMs = endMs - untilMs;
    const details = { startMs: atMs, laterMs, position, mediaMs, attributes: { country } };
    facts.push({
      ...{ ...whole, slotStart, plays, playMs: untilMs - fromMs },
      ...(played.isDated && { details }),
    });
    fromMs = untilMs;
  } while (fromMs < endMs);
  return facts;
}

/** When the suspect is accepted, or refused again; peaks may be kept before. */
const verdicts = ['never', 'first', 'last', 'withdrawn'] as const;

interface Course {
  readonly verdict: (typeof verdicts)[number];
  /** Whether peaks are kept, then and now; else the facts are read. */
  readonly keepsPeaks: boolean;
}

async function decide(verdict: 'accepted' | 'refused', { account: { accountId } }: World) {
  accepted(await service.catalog.verdicts.decide({ accountId, suspect }, verdict));
  await service.facts.suspects.sumAgain({ accountId, suspect });
}

/** Writes it all, and again in another order; resolves to what counts of it in the end. */
async function play(given: readonly AnyStretch[], world: World, { verdict, keepsPeaks }: Course) {
  const isAccepted = verdict === 'first' || verdict === 'last';
  const sum = keepsPeaks ? service.facts.upkeep.rollUp : service.facts.rollUp;
  const counted: PlayedStretch[] = [];
  const facts: Fact[] = [];
  for (const one of given) {
    const played = playedOf(one, world);
    const name = one.isSuspect ? suspect : '';
    facts.push(...factsOf(played, world, name));
    const share = one.earlier;
    const earlier = share !== undefined && {
      ...played,
      playMs: Math.floor((played.playMs * share) / 10),
      mediaMs: Math.min(played.mediaMs, 16 * Math.floor((played.playMs * share) / 10)),
    };
    if (earlier) facts.push(...factsOf(earlier, world, ''));
    if (!one.isSuspect || isAccepted) counted.push(played);
    else if (earlier) counted.push(earlier);
  }
  if (verdict === 'first' || verdict === 'withdrawn') await decide('accepted', world);
  await service.facts.stretches.write(facts.filter((_, index) => index % 2 === 0));
  await sum();
  await service.facts.stretches.write(facts);
  await service.facts.stretches.write(facts.toReversed().filter((_, index) => index % 3 > 0));
  await sum();
  if (verdict === 'last') await decide('accepted', world);
  if (verdict === 'withdrawn') await decide('refused', world);
  return counted;
}

async function ask(path: string, parameters: object, { account }: World) {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(
    given.map(([name, value]): [string, string] => [name, String(value)]),
  );
  const route = `/report/statistics/video/v2/${path}?${query}`;
  const response = await service.get(route, account.key);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${route}: ${response.status} ${text}`);
  return JSON.parse(text).data;
}

describeKinds(serviceKinds, 'on $name', (kind) => {
  // On shards each question takes longer.
  const numRuns = kind === oneServer ? worlds : Math.ceil(worlds / 4);
  let started: StartedService;
  beforeAll(async () => {
    // As of ranges with many facts: shards read all ranges as if these had few.
    started = await kind.start({ fewFacts: 0 });
    ({ service } = started);
  });
  afterAll(() => started?.stop());

  test(
    'curves of anything are those of plain loops',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(997, 1_000, 1_200),
          anyStretches,
          fc.array(anyAsked, { minLength: questionsOfWorld, maxLength: questionsOfWorld }),
          fc.record({ verdict: fc.constantFrom(...verdicts), keepsPeaks: fc.boolean() }),
          async (lengthMs, given, questions, course) => {
            const world = await createWorld(lengthMs);
            const counted = await play(given, world, course);
            for (const question of questions) {
              const { filter, video, inPackage, interval, parts } = question;
              // Of minutes there are many.
              const { lastDay } = question.range;
              const range =
                interval === 'minute' ? { ...question.range, firstDay: lastDay } : question.range;
              const { firstDay: sdate, lastDay: edate, timeZone } = range;
              const packageId = inPackage === undefined ? undefined : world.packageIds[inPackage];
              const asked = { sdate, edate, timeZone, packageId, filters: filter.filters };
              const fits = (played: PlayedStretch, accessKey: string | undefined) =>
                filter.fits(played) &&
                (packageId === undefined || played.packageId === packageId) &&
                (accessKey === undefined || played.accessKey === accessKey);
              const accessKey = world.videos[video ?? 0]?.accessKey ?? '';
              const retention = await ask('retention', { ...asked, accessKey, parts }, world);
              expect(retention).toEqual(
                naiveRetention(counted, range, (one) => fits(one, accessKey), { lengthMs, parts }),
              );
              const ofVideo = video === undefined ? undefined : accessKey;
              const about = { ...asked, accessKey: ofVideo, interval };
              const { list } = await ask('concurrency', about, world);
              expect(list).toEqual(
                naiveConcurrency(counted, range, (one) => fits(one, ofVideo), interval),
              );
            }
          },
        ),
        { seed, numRuns, endOnFailure: true },
      );
    },
    60_000 + 30_000 * worlds,
  );

  test('a label is asked for by its name', async () => {
    const world = await createWorld(1_000);
    const { accountId } = world.account;
    accepted(await service.catalog.labels.create(accountId, 'term'));
    accepted(await service.catalog.labels.create(accountId, 'course'));
    const played = (view: string): PlayedStretch => ({
      ...{ packageId: world.packageIds[0] ?? 0, accessKey: world.videos[0]?.accessKey ?? '', view },
      ...{ os: 'iOS', country: '', stretch: 0, atMs: Date.UTC(2026, 1, 28), playMs: 3_600_000 },
      ...{ position: undefined, mediaMs: 0, isDated: true },
    });
    const labelled = (view: string, label2: string) =>
      factsOf(played(view), world, '').map((fact) => ({
        ...fact,
        ...(fact.details && { details: { ...fact.details, attributes: { label2 } } }),
      }));
    await service.facts.stretches.write([
      ...labelled('one', 'algebra'),
      ...labelled('other', 'algebra'),
      ...labelled('third', 'biology'),
    ]);
    await service.facts.rollUp();
    const range = { sdate: '2026-02-28', edate: '2026-02-28', interval: 'day' };
    const peakOf = async (filters?: string) =>
      (await ask('concurrency', { ...range, filters }, world)).list[0].peak;
    expect(await peakOf()).toBe(3);
    expect(await peakOf('label.course==algebra')).toBe(2);
    expect(await peakOf('label.course!=algebra')).toBe(1);
    await expect(peakOf('label.colour==red')).rejects.toThrow('400');
  });

  test('of more time than a slot has, the later stretches are cut, and still count in a peak', async () => {
    const world = await createWorld(1_000);
    const atMs = Date.UTC(2026, 1, 28, 12);
    const stretches = [0, 1, 2].map((stretch): PlayedStretch => {
      const [packageId = 0] = world.packageIds;
      const accessKey = world.videos[0]?.accessKey ?? '';
      const playMs = [500_000, 600_000, 100_000][stretch] ?? 0;
      const media = { position: 300 * stretch, mediaMs: 300, isDated: true };
      const about = { packageId, accessKey, view: 'v', os: 'iOS', country: '' };
      return { ...about, ...media, stretch, atMs, playMs };
    });
    await service.facts.stretches.write(stretches.flatMap((one) => factsOf(one, world, '')));
    await service.facts.rollUp();
    const [sdate, accessKey] = ['2026-02-28', world.videos[0]?.accessKey];
    const range = { sdate, edate: sdate };
    const { list } = await ask('concurrency', { ...range, interval: 'day' }, world);
    expect(list).toMatchObject([{ peak: 3, average: 0.01 }]);
    const minutes = await ask('concurrency', { ...range, interval: 'minute' }, world);
    const all = { firstDay: sdate, lastDay: sdate, timeZone: 'UTC' };
    expect(minutes.list).toEqual(naiveConcurrency(stretches, all, () => true, 'minute'));
    // Of the second 400 of 600 seconds, and of its media as much; of the third nothing. What the
    // view saw is not cut, as in a query.
    const retention = await ask('retention', { ...range, accessKey, parts: 10 }, world);
    const audience = retention.list.map((part: { audience: number }) => part.audience);
    expect(audience).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1, 0]);
    const watched = retention.list.map((part: { watched: number }) => part.watched);
    expect(watched).toEqual([1, 1, 1, 1, 1, 0, 0, 0, 0, 0]);
    const query = await ask('query', { ...range, measures: 'averageSeen' }, world);
    expect([retention.averageSeen, query.totals.averageSeen]).toEqual([0.9, 0.9]);
  });
});
