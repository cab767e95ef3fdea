/** Plans a question of the audience: from which rows it is answered, between which instants. */
import type { Catalog, KnownVideo } from '../catalog/catalog.ts';
import { assert } from '../lib/assert.ts';
import { once } from '../lib/values/memo.ts';
import {
  type Counted,
  type FactReader,
  leastPlaysToCheck,
  slotMs,
  smallestGrouping,
  surelyOverMs,
} from '../store/facts.ts';
import { type AudienceDimensionName, isTime } from '../vocabulary/dimensions.ts';
import { measuresOfRows } from '../vocabulary/measures.ts';
import { compileSums } from './compile/sums-sql.ts';
import { valueOfVideo } from './compile/views-sql.ts';
import { columnsOfSums, fromFacts, keysSql, type LabelContext } from './labels/dimension-sql.ts';
import { filterConditions } from './labels/filter-conditions.ts';
import type { Query } from './parse/query.ts';
import { askedOfDays, planAudienceDays } from './plan/audience-days-plan.ts';
import {
  type CountName,
  countsFor,
  isAdditive,
  isBounded,
  isOfSums,
  isOfViews,
  isOfWaits,
} from './plan/counts.ts';
import { named, playedPackages, playedVideos } from './plan/played-videos.ts';
import type {
  AudienceDays,
  Beginnings,
  FactsPlan,
  GroupKeys,
  QueryPlan,
  SumsPlan,
} from './plan/query-plan.ts';
import { requireKept } from './plan/question-facts.ts';
import { planRegular } from './plan/regular-plan.ts';
import { daysOfFacts } from './ranges/counted-days.ts';
import { findClock, joined, type LocalSpan } from './ranges/local-days.ts';
import { readOverclaimedSlots } from './ranges/overclaimed-slots.ts';
import { coverAll, type Span } from './ranges/range-cover.ts';

export interface PlanSources {
  readonly facts: Pick<
    FactReader,
    'readMany' | 'unsettledDays' | 'checkedDays' | 'audienceDays' | 'countedWithin' | 'keptSince'
  >;
  readonly catalog: {
    readonly publications: Pick<Catalog['publications'], 'findVideoIds'>;
    readonly videos: Pick<Catalog['videos'], 'known'>;
    readonly names: Catalog['names'];
  };
  /** Of which so many are told apart at once; others in a further pass. */
  readonly viewsPerPass?: number;
  /** Of fewer plays all views are told apart. */
  readonly leastPlaysOfRegular?: number;
}

/**
 * The number of plays whose views, viewers and other values take half of the bundled engine's
 * memory (docs/decisions/any-question.md).
 */
const usualViewsPerPass = 2_500_000;
/** What a view saw takes as much memory and time as distinguishing this many views. */
const distinguishedPerSeen = 3;
/** If most views are counted by their plays, this many times as many take no more. */
const regularPerDistinguished = 4;

/** The slots of the range, by the zone's clock. */
export async function planQuery(
  query: Query,
  localSpans: readonly LocalSpan[],
  sources: PlanSources,
): Promise<QueryPlan> {
  const { accountId, dimensions, filters, labels, cut = [], askedAtMs } = query;
  const spans = joined(localSpans);
  const clock = findClock(localSpans);
  const context = { clock, labels };
  const measures = measuresOfRows(query.measures);
  const counts = [...new Set<CountName>(measures.flatMap((name) => countsFor(name)))];
  const hasWaits = counts.some(isOfWaits);
  assert(!hasWaits || askedAtMs !== undefined, 'waits are counted as of a moment');
  const range = { accountId, spans, hasWaits };
  const videos = once(() =>
    playedVideos({ facts: sources.facts, videos: sources.catalog.videos }, range),
  );
  const { publications, names } = sources.catalog;
  const conditions = await filterConditions(filters, {
    ...context,
    accountId,
    publications,
    playedVideos: videos,
    playedPackages: () => playedPackages({ facts: sources.facts, names }, range),
    folderNames: (ids) => named((some) => names.folders(accountId, some), ids),
  });
  const shiftSeconds = (query.shiftDays ?? 0) * 86_400;
  const inFolders = dimensions.includes('folder') ? await videos() : [];
  const keys = groupKeys(dimensions, { ...context, shiftSeconds }, inFolders);
  const planned = { accountId, spans, clock, keys, conditions, counts };
  const asked = [...dimensions, ...filters.map(({ dimension }) => dimension)];
  if (counts.every(isOfSums) && asked.every((name) => columnsOfSums(name) !== fromFacts)) {
    const beginnings = cut.length > 0 ? await planBeginnings(query, cut, sources) : undefined;
    const whole = { accountId, spans: without(spans, cut) };
    const sums = await coveringSums(asked, whole, sources);
    return {
      ...planned,
      source: 'sums',
      ...sums,
      mostListed: query.mostListed,
      ...(beginnings && { beginnings }),
    };
  }
  const counted = await countedIn(query, spans, sources);
  const prepared = { ...planned, ...counted, cut, askedAtMs, shiftMs: shiftSeconds * 1_000 };
  const distinction = await planDistinction(prepared, { ...query, asked }, sources);
  const read = { ...planned, ...counted, spans: distinction.audienceDays?.rest ?? spans };
  const [overclaimed, lengths] = await Promise.all([
    counts.some(isBounded) && read.spans.length > 0
      ? readOverclaimedSlots(sources.facts, read)
      : [],
    counts.some(isOfViews) ? findLengths(videos) : [],
  ]);
  return {
    ...planned,
    source: 'facts',
    ...counted,
    cut,
    askedAtMs,
    overclaimed,
    lengths,
    ...distinction,
  };
}

interface KeyContext extends LabelContext {
  /** So much later are weeks, months and years. */
  readonly shiftSeconds: number;
}

function groupKeys(
  dimensions: readonly AudienceDimensionName[],
  context: KeyContext,
  videos: readonly KnownVideo[],
): GroupKeys {
  const folder = dimensions.includes('folder') ? folderKey(videos) : undefined;
  return {
    sql: dimensions.flatMap((name) =>
      name === 'folder' && folder ? [folder.sql] : keysSql(name, context),
    ),
    parameters: {
      ...folder?.parameters,
      ...(context.shiftSeconds === 0 ? {} : { shift: context.shiftSeconds }),
    },
    // A video that was first played a moment ago is in the facts before it is in the sums.
    conditions: folder ? [`${folder.sql} > 0`] : [],
  };
}

function folderKey(videos: readonly KnownVideo[]) {
  const named = { ids: 'folderVideos', values: 'folders', type: 'UInt32' } as const;
  return valueOfVideo(videos, named, ({ folderId }) => folderId);
}

async function coveringSums(
  names: readonly AudienceDimensionName[],
  { accountId, spans }: Pick<FactsPlan, 'accountId' | 'spans'>,
  { facts }: PlanSources,
): Promise<Pick<SumsPlan, 'grouping' | 'cover'>> {
  const grouping = smallestGrouping(
    names.flatMap((name) => {
      const columns = columnsOfSums(name);
      assert(columns !== fromFacts, `sums have ${name}`);
      return columns;
    }),
  );
  if (names.some(isTime) || spans.length === 0)
    return { grouping, cover: { slots: spans, days: [] } };
  const unsettled = await facts.unsettledDays(accountId);
  return { grouping, cover: coverAll(spans, unsettled) };
}

type Distinction = Pick<FactsPlan, 'distinguished' | 'passes' | 'regular' | 'audienceDays'>;

type Prepared = Omit<FactsPlan, 'source' | 'overclaimed' | 'lengths' | keyof Distinction> & {
  readonly shiftMs: number;
};

interface ViewQuestion extends Pick<Query, 'dimensions' | 'filters' | 'labels'> {
  /** The dimensions, also those of filters. */
  readonly asked: readonly AudienceDimensionName[];
}

/**
 * How views are distinguished. There are about as many as plays, whose number costs little to find.
 */
async function planDistinction(
  planned: Prepared,
  query: ViewQuestion,
  sources: PlanSources,
): Promise<Distinction> {
  const { facts, viewsPerPass = usualViewsPerPass } = sources;
  const { leastPlaysOfRegular = leastPlaysToCheck } = sources;
  const isOfFactsAlone = planned.counts.every(isAdditive) && !planned.counts.some(isOfWaits);
  const asked = askedOfDays(planned, query);
  if (isOfFactsAlone && asked === undefined) return { distinguished: 0, passes: 1, ...asFacts };
  const playsWithin = (spans: readonly Span[]) => estimatePlays({ ...planned, spans }, sources);
  const plays = await playsWithin(planned.spans);
  const isLarge = plays >= leastPlaysOfRegular;
  const isOfSeen = planned.counts.some(isOfViews);
  const seenPerPass = viewsPerPass / distinguishedPerSeen;
  const daysWithFacts = (spans: readonly Span[]) => daysOfFacts({ ...planned, spans }, facts);
  const { counts, askedAtMs } = planned;
  const settledUntilMs =
    askedAtMs === undefined || !counts.some(isOfWaits)
      ? Number.POSITIVE_INFINITY
      : askedAtMs - surelyOverMs;
  const ofDays = {
    ...{ settledUntilMs, facts, playsWithin, daysWithFacts },
    mostBeside: viewsPerPass,
  };
  const audienceDays =
    isLarge && asked !== undefined
      ? await planAudienceDays(planned, { ...query, ...asked }, ofDays)
      : undefined;
  if (audienceDays) {
    const { rowsAre, playsBeside } = audienceDays;
    const isOfFolders = rowsAre === 'folders' && planned.counts.includes('viewers');
    const distinguished = isOfFolders ? plays : playsBeside + countNamedViews(audienceDays);
    const distinguishedSeen = isOfSeen ? playsBeside + countMarks(audienceDays) : 0;
    const passes = Math.max(
      1,
      Math.ceil(distinguished / (viewsPerPass * regularPerDistinguished)),
      Math.ceil(distinguishedSeen / seenPerPass),
    );
    return { distinguished, passes, regular: undefined, audienceDays };
  }
  if (isOfFactsAlone) return { distinguished: 0, passes: 1, ...asFacts };
  const regular = isLarge
    ? await planRegular(planned, query.asked, { facts, playsWithin, mostUnchecked: viewsPerPass })
    : undefined;
  const mostPerPass = isOfSeen ? seenPerPass : viewsPerPass;
  const perPass = regular ? viewsPerPass * regularPerDistinguished : mostPerPass;
  return {
    ...asFacts,
    distinguished: plays,
    passes: Math.max(1, Math.ceil(plays / perPass)),
    regular,
  };
}

const asFacts = { regular: undefined, audienceDays: undefined };

function countNamedViews({ days }: AudienceDays): number {
  return days.reduce((sum, { namedViews }) => sum + namedViews, 0);
}

/** Of each day. */
function countMarks({ days }: AudienceDays): number {
  return days.reduce((sum, { marks }) => sum + marks, 0);
}

/** How many plays there were some seconds ago at most: enough to plan by. */
async function estimatePlays(
  { accountId, spans }: Pick<FactsPlan, 'accountId' | 'spans'>,
  sources: PlanSources,
): Promise<number> {
  if (spans.length === 0) return 0;
  const all = { sql: [], parameters: {} };
  const sums = compileSums(
    {
      ...{ source: 'sums', accountId, spans, clock: [], counts: ['plays'] },
      keys: { ...all, conditions: [] },
      conditions: all,
      ...(await coveringSums([], { accountId, spans }, sources)),
    },
    1,
  );
  const estimate = { ...sums, isEstimate: true };
  const [row] = await sources.facts.readMany<{ count_plays: string | number }>(estimate);
  return Number(row?.count_plays ?? 0);
}

async function planBeginnings(
  query: Query,
  cut: readonly Span[],
  sources: PlanSources,
): Promise<Beginnings> {
  const spans = cut.map(({ fromMs }) => ({ fromMs, untilMs: fromMs + slotMs }));
  const counted = await countedIn(query, spans, sources);
  const source = { accountId: query.accountId, spans, ...counted };
  return { ...source, cut, overclaimed: await readOverclaimedSlots(sources.facts, source) };
}

/** The spans without these slots. */
function without(spans: readonly Span[], slots: readonly Span[]): Span[] {
  return slots.reduce<Span[]>(
    (left, { fromMs }) => {
      return left.flatMap((span) => {
        const before = { fromMs: span.fromMs, untilMs: Math.min(span.untilMs, fromMs) };
        const after = { fromMs: Math.max(span.fromMs, fromMs + slotMs), untilMs: span.untilMs };
        return [before, after].filter((part) => part.fromMs < part.untilMs);
      });
    },
    [...spans],
  );
}

async function countedIn(
  { accountId, firstDay, timeZone, isCompared }: Query,
  spans: readonly Span[],
  { facts }: PlanSources,
): Promise<Counted> {
  const [first] = spans;
  const last = spans.at(-1);
  if (!first || !last) return { accepted: [], mergesAll: true };
  const { fromMs } = first;
  const comparedFrom = isCompared ? firstDay : undefined;
  await requireKept(facts, { accountId, timeZone, fromMs, comparedFrom });
  return facts.countedWithin({ accountId, fromMs, untilMs: last.untilMs });
}

async function findLengths(videos: () => Promise<KnownVideo[]>): Promise<KnownVideo[]> {
  return (await videos()).filter(({ durationMs }) => durationMs > 0);
}
