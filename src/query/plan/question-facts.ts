/** Which facts a curve is made from: the question's range, video and filters, in SQL. */
import type { Catalog } from '../../catalog/catalog.ts';
import { type ClockOffset, localDate, localDay } from '../../lib/time/time-zone.ts';
import { toUtcDay } from '../../lib/time/utc-day.ts';
import type { Counted, FactQuery, FactReader } from '../../store/facts.ts';
import { parameterFault } from '../../wire/parameters.ts';
import { filterConditions } from '../labels/filter-conditions.ts';
import type { CurveQuestion } from '../parse/curve-question.ts';
import { type CountedSource, countedFacts, parametersOfCounted } from '../ranges/counted-facts.ts';
import { clockParameters } from '../ranges/local-clock.ts';
import {
  calendarSpans,
  clipToStored,
  findClock,
  joined,
  type LocalSpan,
} from '../ranges/local-days.ts';
import { readOverclaimedSlots } from '../ranges/overclaimed-slots.ts';
import type { Span } from '../ranges/range-cover.ts';
import { named, playedPackages, playedVideos } from './played-videos.ts';

export interface CurveSources {
  readonly facts: FactReader;
  readonly catalog: Pick<Catalog, 'publications' | 'videos' | 'names'>;
}

/** Which facts a question is about. */
export interface FactScope {
  readonly accountId: number;
  readonly timeZone: string;
  /** None where the range has no time of which there are facts. */
  readonly spans: readonly Span[];
  /** Only facts of these; undefined: of all. */
  readonly videoId?: number | undefined;
  readonly packageId?: number | undefined;
  /** SQL of the filters; all must hold. */
  readonly conditions?: readonly string[];
  /** Of the whole range, also where there are no facts. */
  readonly localSpans: readonly LocalSpan[];
  readonly clock: readonly ClockOffset[];
  /** What the conditions need. */
  readonly parameters: FactQuery['parameters'];
}

/** The same, with what must be known about the facts before they are read. */
export interface QuestionFacts extends FactScope, CountedSource {}

const largestId = 2 ** 32 - 1;

/** Undefined if there is nothing to read: no such video, or no such package. */
export async function factsOfQuestion(
  question: CurveQuestion,
  { facts, catalog }: CurveSources,
): Promise<FactScope | undefined> {
  const { accountId, timeZone, accessKey, packageId, filters, labels, packageIds } = question;
  const { publications, videos, names } = catalog;
  const calendar = calendarSpans(question.firstDay, question.lastDay, timeZone);
  if (packageId !== undefined && packageId > largestId) return undefined;
  const videoId =
    accessKey === undefined ? undefined : await publications.findVideoId(accountId, accessKey);
  if (accessKey !== undefined && videoId === undefined) return undefined;
  // Not even the length of a video outside may be known.
  const isOutside = videoId !== undefined && packageIds !== undefined;
  if (isOutside && !(await publications.wasIn(videoId, packageIds))) return undefined;
  const spans = clipToStored(calendar);
  const about = { accountId, timeZone, spans: joined(spans), localSpans: calendar };
  if (spans.length === 0) return { ...about, clock: [], parameters: {} };
  const clock = findClock(spans);
  const conditions = await filterConditions(filters, {
    ...{ accountId, clock, labels, publications },
    playedVideos: () => playedVideos({ facts, videos }, { accountId, spans: joined(spans) }),
    playedPackages: () => playedPackages({ facts, names }, { accountId, spans: joined(spans) }),
    folderNames: (ids) => named((some) => names.folders(accountId, some), ids),
  });
  return {
    ...{ ...about, videoId, packageId, clock },
    conditions: conditions.sql,
    parameters: { ...conditions.parameters, ...clockParameters(clock) },
  };
}

/** Finds which of these facts count, and where a view claims more time than there is. */
export async function findCounted(
  asked: FactScope,
  facts: Pick<FactReader, 'countedWithin' | 'keptSince' | 'readMany'>,
): Promise<QuestionFacts> {
  return withOverclaimed({ ...asked, ...(await findKept(asked, facts)) }, facts);
}

/** Finds which of these facts count. */
export async function findKept(
  { accountId, timeZone, spans }: FactScope,
  facts: Pick<FactReader, 'countedWithin' | 'keptSince'>,
): Promise<Counted> {
  const fromMs = spans[0]?.fromMs ?? 0;
  const untilMs = spans.at(-1)?.untilMs ?? fromMs;
  await requireKept(facts, { accountId, timeZone, fromMs });
  return facts.countedWithin({ accountId, fromMs, untilMs });
}

export async function withOverclaimed(
  kept: FactScope & Counted,
  facts: Pick<FactReader, 'readMany'>,
): Promise<QuestionFacts> {
  return {
    ...kept,
    overclaimed: kept.spans.length > 0 ? await readOverclaimedSlots(facts, kept) : [],
  };
}

/**
 * SQL of a table: the columns of facts, and `countedMs`, the part of their `playMs` that counts.
 */
export function selectFacts(facts: QuestionFacts): string {
  const counted = countedFacts(facts, isOfIds(facts));
  const { conditions = [] } = facts;
  if (conditions.length === 0) return counted;
  return `SELECT * FROM (\n${counted}\n)\nWHERE ${conditions.join(' AND ')}`;
}

/** Empty, or after ` AND `. */
export function isOfIds({ videoId, packageId }: FactScope): string {
  const ofPackage = packageId === undefined ? '' : ' AND packageId = {packageId:UInt32}';
  const ofVideo = videoId === undefined ? '' : ' AND videoId = {videoId:UInt32}';
  return ofPackage + ofVideo;
}

export function bindFacts(facts: QuestionFacts): FactQuery['parameters'] {
  const { videoId, packageId, parameters } = facts;
  return {
    ...parametersOfCounted(facts),
    ...(videoId === undefined ? {} : { videoId }),
    ...(packageId === undefined ? {} : { packageId }),
    ...parameters,
  };
}

interface QuestionRange {
  readonly accountId: number;
  readonly timeZone: string;
  /** Where it begins (ms). */
  readonly fromMs: number;
  /** Of a range that another one is compared with: its first day. */
  readonly comparedFrom?: string | undefined;
}

const orAskSums = 'or for plays and playMs by video, folder, package, os, osVersion and time alone';

/** For questions that sums do not answer: faults if facts of the range were erased by age. */
export async function requireKept(
  facts: Pick<FactReader, 'keptSince'>,
  { accountId, timeZone, fromMs, comparedFrom }: QuestionRange,
): Promise<void> {
  const sinceMs = await facts.keptSince(accountId);
  if (fromMs >= sinceMs) return;
  const erased = `single views before ${toUtcDay(sinceMs)} (UTC) were erased`;
  const first = `${firstWholeDay(timeZone, sinceMs)} (${timeZone})`;
  if (comparedFrom === undefined) {
    const detail = `${erased}: ask from ${first} on, ${orAskSums}`;
    throw parameterFault([{ parameter: 'sdate', detail }]);
  }
  const detail =
    `is with a range from ${comparedFrom}, which begins before what is kept: ${erased}. Ask ` +
    `without it, or so that this range begins on ${first} or later, ${orAskSums}`;
  throw parameterFault([{ parameter: 'compare', detail }]);
}

/** The first day (yyyy-mm-dd) of a zone that begins at an instant or later. */
function firstWholeDay(timeZone: string, instantMs: number): string {
  const { fromMs, untilMs } = localDay(timeZone, instantMs);
  return localDate(timeZone, fromMs === instantMs ? fromMs : untilMs);
}
