/** The measures: how each is written, and which ones a page of the dashboard shows. */
import type { QueryMeasure } from '../../client/src/index.ts';

export type Measure = QueryMeasure;
export type Unit = 'count' | 'duration' | 'wait' | 'share' | 'rate' | 'bitrate';

/** Every measure of the interface. */
export const unitOf: Readonly<Record<Measure, Unit>> = {
  plays: 'count',
  playMs: 'duration',
  views: 'count',
  viewers: 'count',
  averagePlayMs: 'duration',
  mediaMs: 'duration',
  positionedViews: 'count',
  seenMs: 'duration',
  averageSeen: 'share',
  completions: 'count',
  reached25: 'count',
  reached50: 'count',
  reached75: 'count',
  reached100: 'count',
  attempts: 'count',
  starts: 'count',
  exitsBeforeStart: 'count',
  exitShare: 'share',
  startFailures: 'count',
  startFailureShare: 'share',
  failures: 'count',
  failureShare: 'share',
  startupMs: 'wait',
  startupP50: 'wait',
  startupP75: 'wait',
  startupP95: 'wait',
  startupP99: 'wait',
  stalls: 'count',
  stallsPerHour: 'rate',
  stalledViews: 'count',
  stalledShare: 'share',
  stallMs: 'wait',
  stalledTimeShare: 'share',
  seekMs: 'wait',
  bitrate: 'bitrate',
  droppedShare: 'share',
};
export const allMeasures = Object.keys(unitOf) as Measure[];

/** Of the overview and of a video. */
export const measures = ['plays', 'playMs', 'viewers', 'averagePlayMs', 'averageSeen'] as const;

/** Made of what each view saw, which takes the service longer than all the others together. */
export const seenMeasure = 'averageSeen' satisfies Measure;

/** The figures of the quality page. */
export const headlines = [
  ...(['startupP50', 'startupP95', 'exitShare', 'failureShare'] as const),
  ...(['stalledTimeShare', 'bitrate'] as const),
] as const;

/** What it charts, at first the one that shows trouble of a few. */
export const qualityMeasures = [
  ...(['startupP95', 'startupP50', 'exitShare', 'failureShare'] as const),
  ...(['stalledTimeShare', 'bitrate'] as const),
  ...(['startupMs', 'startupP75', 'startupP99', 'attempts', 'starts'] as const),
  ...(['exitsBeforeStart', 'startFailures', 'startFailureShare', 'failures'] as const),
  ...(['stalls', 'stallsPerHour', 'stalledViews', 'stalledShare', 'stallMs'] as const),
  ...(['seekMs', 'droppedShare'] as const),
] as const;
/** What a chart can show. */
export type ChartMeasure = (typeof measures)[number] | (typeof qualityMeasures)[number];

export const isOfQuality = (measure: Measure): boolean =>
  qualityMeasures.some((name) => name === measure);

const moreIsBetter: readonly Measure[] = ['attempts', 'starts', 'bitrate'];

/** Waits, failures and what is lost. */
export const isBetterLess = (measure: Measure): boolean =>
  isOfQuality(measure) && !moreIsBetter.includes(measure);

/** A share of fewer views says nothing of others; as in mails (src/vocabulary/measures.ts). */
export const leastViewsOfShare = 5;

type Values = { readonly [Name in Measure]?: number | null };

/** As it is drawn: null too where it rests on too few views. */
export function drawnValue(
  values: Values | null | undefined,
  measure: Measure,
): number | null | undefined {
  const isOfFew = (values?.positionedViews ?? 0) < leastViewsOfShare;
  return measure === seenMeasure && isOfFew ? null : values?.[measure];
}

/** Where nothing was played, that is 0 plays, but no average. */
export function valueOfNothing(measure: Measure): 0 | null {
  const isSum = unitOf[measure] === 'count' || measure === 'playMs' || measure === 'stallMs';
  return isSum ? 0 : null;
}
