/** Whether, at the end, the service says of the audience what the oracles say: every v2 question. */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { Playmeter } from '../../client/src/index.ts';
import { askAllPages, askAudience } from '../simulation/ask-audience.ts';
import {
  type AudienceQuestion,
  askedOf,
  audienceQuestionOf,
  parametersOf,
  questionOf,
} from '../simulation/audience-questions.ts';
import { localTime, type Report } from '../simulation/oracle.ts';
import { delicateRanges, type Range } from '../simulation/questions.ts';
import { nothingReported } from '../simulation/reported.ts';
import type { ReportedAccount, ReportedWorld } from '../simulation/reported-world.ts';
import { zones } from '../simulation/viewers.ts';
import type { World } from '../simulation/world.ts';
import {
  type Interval,
  naiveConcurrency,
  naiveRetention,
  type PlayedStretch,
} from '../support/naive-curves.ts';
import type { PlayTally } from './play-tally.ts';

const dayMs = 86_400_000;
/** In Pacific/Apia. */
const skippedDay = '2011-12-30';
/** What is spread over buckets, in turn. */
const spreadMeasures = ['startupMs', 'stallMs', 'bitrate', 'playMs', 'seen'];
const minuteMs = 60_000;
const liveForMs = 15_000;
const shownCharacters = 600;
/** A cluster on a busy machine may not answer for some seconds. */
const retries = 20;

export interface AudienceQuestions {
  readonly queries: readonly AudienceQuestion[];
  readonly curves: readonly CurveQuestion[];
}

interface CurveQuestion {
  readonly range: Range;
  readonly zone: string;
  readonly filter: (typeof filters)[number];
  readonly video: number | undefined;
  readonly inPackage: number | undefined;
  readonly interval: Interval;
  readonly parts: number;
}

/** What all reports of a view told of it. */
interface ViewAttributes {
  readonly plan: string;
  readonly page: string;
  readonly isNamed: boolean;
}

interface Spread {
  readonly unit: string;
}

interface ReportedStretch extends PlayedStretch {
  readonly of: ViewAttributes;
}

const filters: readonly { text?: string; fits: (stretch: ReportedStretch) => boolean }[] = [
  { fits: () => true },
  { text: 'label.plan==paid', fits: ({ of }) => of.plan === 'paid' },
  {
    text: 'page=@FILMS/1;os!=iOS',
    fits: ({ of, os }) => of.page.toLowerCase().includes('films/1') && os !== 'iOS',
  },
  { text: 'viewerKind==named', fits: ({ of }) => of.isNamed },
];

/** So many queries, and a third as many of each curve, some of them of the last days. */
export function drawAudienceQuestions(seed: number, count: number, nowMs: number) {
  const day = (offset: number) => new Date(nowMs + offset * dayMs).toISOString().slice(0, 10);
  const recent: Range[] = [
    [day(-3), day(2)],
    [day(-1), day(-1)],
    [day(0), day(0)],
    [day(1), day(1)],
  ];
  const short = delicateRanges.filter(
    ([first, last]) => Date.parse(last) - Date.parse(first) <= 4 * dayMs,
  );
  const range = fc.constantFrom(...recent, ...recent, ...short);
  const curve = fc.record({
    // Without time there is no curve, not even an empty one.
    range: range.filter(([first, last]) => first !== skippedDay || last !== skippedDay),
    zone: fc.constantFrom(...zones),
    filter: fc.constantFrom(...filters),
    video: fc.option(fc.nat(1), { nil: undefined }),
    inPackage: fc.option(fc.nat(1), { nil: undefined }),
    interval: fc.constantFrom<Interval>('minute', 'hour', 'day'),
    parts: fc.constantFrom(1, 7, 100, 1_000),
  });
  return {
    queries: fc.sample(audienceQuestionOf(range), { seed, numRuns: count }),
    curves: fc.sample(curve, { seed, numRuns: Math.ceil(count / 3) }),
  };
}

/** Each question whose answer is not the oracle's, with both. */
export async function wrongAnswersOfAudience(
  { queries, curves }: AudienceQuestions,
  world: World,
  { accounts }: ReportedWorld,
): Promise<string[]> {
  const wrong: string[] = [];
  const compare = (asked: object, answer: unknown, expected: unknown) => {
    // Absent and undefined are the same in JSON.
    const [one, other] = [answer, expected].map((value) => JSON.parse(JSON.stringify(value)));
    if (isDeepStrictEqual(one, other)) return;
    const [is, shouldBe] = [one, other].map((value) => JSON.stringify(value));
    const at = [...(is ?? '')].findIndex((character, index) => character !== shouldBe?.[index]);
    const shown = [is, shouldBe].map((text = '') => text.slice(Math.max(0, at - 80)));
    const [here = '', there = ''] = shown.map((text) => text.slice(0, shownCharacters));
    wrong.push(`${JSON.stringify(asked)}: ...${here}, but the oracle says ...${there}`);
  };
  for (const account of accounts) {
    const asker = { url: world.url, key: account.key };
    for (const question of queries) {
      const asked = askedOf(question, account);
      const parameters = { ...parametersOf(asked), pageSize: String(question.pageSize) };
      const { answer, asOfMs } = await askAllPages(asker, parameters);
      compare(parameters, answer, account.oracle.answer(questionOf(asked, account, asOfMs)));
    }
    for (const [index, question] of queries.entries()) {
      const asked = askedOf(question, account);
      const filters = asked.filters.filter(({ name }) => name !== 'error');
      const whole = { ...asked, filters, dimensions: [], sort: [], fill: false };
      const measure = spreadMeasures[index % spreadMeasures.length] ?? 'startupMs';
      const { measures: _, ...about } = parametersOf(whole);
      const parameters = { ...about, measure };
      const { data, asOfMs } = await askAudience<Spread>(asker, 'distribution', parameters);
      const { unit: _unit, ...answer } = data;
      const expected = account.oracle.distribution(questionOf(whole, account, asOfMs), measure);
      compare({ kind: 'distribution', ...parameters }, answer, { measure, ...expected });
    }
    const stretches = stretchesOf(account);
    for (const question of curves) {
      for (const { kind, parameters, expected } of curvesOf(question, account, stretches)) {
        const { data } = await askAudience<unknown>(asker, kind, parameters);
        compare({ kind, ...parameters }, data, expected);
      }
    }
  }
  return wrong;
}

/** What all reports of a stretch say together; only playback. */
function stretchesOf({ reports }: ReportedAccount): ReportedStretch[] {
  const attributes = new Map<string, ViewAttributes>();
  for (const report of reports) {
    const key = viewOf(report);
    attributes.set(key, withReport(attributes.get(key) ?? nothingKnown, report));
  }
  const stretches = new Map<string, ReportedStretch>();
  for (const report of reports) {
    const { packageId, accessKey, os, beacon } = report;
    const { view, stretch, at, playMs, position, mediaMs = 0 } = beacon;
    const key = `${viewOf(report)} ${stretch}`;
    const known = stretches.get(key);
    stretches.set(key, {
      ...{ packageId, accessKey, os, country: '', view, stretch, position, isDated: true },
      atMs: Date.parse(at),
      playMs: Math.max(playMs, known?.playMs ?? 0),
      mediaMs: Math.max(mediaMs, known?.mediaMs ?? 0),
      of: attributes.get(viewOf(report)) ?? nothingKnown,
    });
  }
  return [...stretches.values()].filter(({ stretch, playMs }) => stretch === 0 || playMs > 0);
}

const nothingKnown: ViewAttributes = { plan: '', page: '', isNamed: false };

function viewOf({ packageId, accessKey, beacon }: Report): string {
  return JSON.stringify([packageId, accessKey, beacon.view]);
}

/** Of different values the largest holds for the view. */
function withReport({ plan, page, isNamed }: ViewAttributes, { beacon, reported }: Report) {
  const larger = (one: string, other: string | undefined) =>
    other !== undefined && other > one ? other : one;
  return {
    plan: larger(plan, beacon.labels && reported?.labels?.plan),
    page: larger(page, beacon.page && reported?.page?.path),
    isNamed: isNamed || (beacon.viewer !== undefined && reported?.sender !== 'private page'),
  };
}

function* curvesOf(
  question: CurveQuestion,
  { videos, packages }: ReportedAccount,
  stretches: readonly ReportedStretch[],
) {
  const { range, zone: timeZone, filter, video, inPackage, interval, parts } = question;
  const [firstDay, lastDay] = [interval === 'minute' ? range[1] : range[0], range[1]];
  const packageId = inPackage === undefined ? undefined : packages[inPackage];
  const about: Record<string, string> = {
    ...{ sdate: firstDay, edate: lastDay, timeZone },
    ...(filter.text && { filters: filter.text }),
    ...(packageId !== undefined && { packageId: String(packageId) }),
  };
  const fitsIn = (accessKey: string | undefined) => (stretch: PlayedStretch) =>
    filter.fits(stretch as ReportedStretch) &&
    (packageId === undefined || stretch.packageId === packageId) &&
    (accessKey === undefined || stretch.accessKey === accessKey);
  const asked = { firstDay, lastDay, timeZone };
  const { accessKey = '', lengthMs = 0 } = videos[video ?? 0] ?? {};
  yield {
    kind: 'retention' as const,
    parameters: { ...about, accessKey, parts: String(parts) },
    expected: naiveRetention(stretches, asked, fitsIn(accessKey), { lengthMs, parts }),
  };
  const ofVideo = video === undefined ? undefined : accessKey;
  yield {
    kind: 'concurrency' as const,
    parameters: { ...about, interval, ...(ofVideo !== undefined && { accessKey: ofVideo }) },
    expected: { list: naiveConcurrency(stretches, asked, fitsIn(ofVideo), interval) },
  };
}

/** Views that go on for some minutes yet, for each account; oracles and tally hear of them, too. */
export async function playNow(
  world: World,
  reported: ReportedWorld,
  plays: PlayTally,
): Promise<void> {
  for (const { accountId, key, packages, videos } of reported.accounts) {
    const nowMs = Date.now();
    const reports = videos.flatMap(({ accessKey }, index) =>
      Array.from({ length: 2 + index }, (_, number): Report => {
        const publication = world.publications.find((one) => one.accessKey === accessKey);
        const packageId = publication?.packageId ?? packages[0] ?? 0;
        const at = new Date(nowMs - (index + 1) * 70_000 - number).toISOString();
        const playMs = nowMs + 240_000 - Date.parse(at);
        const beacon = { view: randomUUID(), stretch: 0, at, playMs, packageId, accessKey };
        const about = { accountId, packageId, accessKey, os: 'Unknown', osVersion: 'Unknown' };
        return { ...about, beacon, reported: { ...nothingReported, sender: 'server' } };
      }),
    );
    plays.sent(reports);
    const client = new Playmeter({ url: world.url, key, retries });
    const { rejected } = await client.beacons.send(reports.map(({ beacon }) => beacon));
    if (rejected.length > 0) throw new Error(`Not all accepted: ${JSON.stringify(rejected)}`);
    plays.acknowledged(reports);
    world.oracle.record(...reports);
    reported.record(...reports);
  }
}

interface Live {
  readonly playing: number;
  readonly videos: readonly { readonly video: string; readonly playing: number }[];
  readonly lastMinutes: readonly { readonly time: string; readonly peak: number }[];
}

/** Where `live` differs from what plays at the moment that it shows. */
export async function wrongLive({ url }: World, reported: ReportedWorld): Promise<string[]> {
  const wrong: string[] = [];
  for (const account of reported.accounts) {
    const { data, asOfMs } = await askAudience<Live>({ url, key: account.key }, 'live', {});
    const playing = stretchesOf(account).filter(
      ({ atMs, playMs }) => atMs + playMs >= asOfMs - liveForMs,
    );
    const { timeZone } = account;
    const minute = Math.floor(asOfMs / minuteMs) * minuteMs;
    const sinceMs = minute - 29 * minuteMs;
    const [firstDay, lastDay] = [sinceMs, minute].map((ms) => localTime(ms, timeZone).date);
    const range = { firstDay: firstDay ?? '', lastDay: lastDay ?? '', timeZone };
    const near = stretchesOf(account).filter(({ atMs, playMs }) => atMs + playMs > sinceMs);
    const minutes = naiveConcurrency(near, range, () => true, 'minute')
      .filter(({ time }) => Date.parse(time) >= sinceMs && Date.parse(time) <= minute)
      .map(({ time, peak }) => ({ time, peak }));
    const expected = {
      playing: playing.length,
      videos: account.videos
        .map(({ accessKey: video }) => {
          const own = playing.filter(({ accessKey }) => accessKey === video);
          return { video, playing: own.length };
        })
        .sort((one, other) => other.playing - one.playing),
      lastMinutes: minutes,
    };
    const videos = data.videos.map(({ video, playing: count }) => ({ video, playing: count }));
    const is = { playing: data.playing, videos, lastMinutes: data.lastMinutes };
    if (isDeepStrictEqual(is, expected)) continue;
    wrong.push(`live: ${JSON.stringify(is)}, but the oracle says ${JSON.stringify(expected)}`);
  }
  return wrong;
}
