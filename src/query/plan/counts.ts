/**
 * The SQL of the measures, one record each: how every source of rows gives it. A measure is either
 * counted (`counts`) or a quotient of two counts (`quotients`); one that is in neither, or that
 * lacks a source, does not compile.
 */
import { assert } from '../../lib/assert.ts';
import {
  type AudienceCount,
  countedMedia,
  hasQuality,
  isStarted,
  ofOutcome,
  type QualitySum,
  type QualitySumName,
  type QualityViewsName,
  qualityCounts,
  type SumName,
  sums,
} from '../../store/facts.ts';
import {
  type AudienceMeasureName,
  type audienceMeasures,
  isOfQuality,
} from '../../vocabulary/measures.ts';
import { leftAfterMs } from '../../vocabulary/waits.ts';
import { fromFacts } from '../labels/dimension-sql.ts';
import { halfUp } from '../ranges/rounding.ts';

type MeasureWith<About> = {
  [name in AudienceMeasureName]: (typeof audienceMeasures)[name] extends About ? name : never;
}[AudienceMeasureName];
const percentiles = ['startupP50', 'startupP75', 'startupP95', 'startupP99'] as const;
type PercentileName = (typeof percentiles)[number];
type QuotientName = Exclude<MeasureWith<{ nullable: true }>, PercentileName>;
type SumMeasure = MeasureWith<{ additive: true }>;
type CountedMeasure = Exclude<AudienceMeasureName, QuotientName>;
type QualityMeasure = CountedMeasure & MeasureWith<{ needs: 'waits' }>;

/** Adds up over facts: the rows' sum is the total. */
interface Sum {
  readonly kind: 'sum';
  /** Over a fact with `countedMs` and `mediaOfPart`. */
  readonly value: string;
  /** Whether it rests on time that is cut where a view claims more than a slot has. */
  readonly isBounded: boolean;
  readonly ofDays: string | typeof fromFacts;
}

/** Tells views or viewers apart. */
interface Distinct {
  readonly kind: 'distinct';
  /** Over facts with `viewNumber`; `further` conditions. */
  readonly ofFacts: (hasPass: boolean, further: readonly string[]) => string;
  /** The same where regular views are counted by their plays, and only the others by a set. */
  readonly ofRegular: (hasPass: boolean) => string;
  /**
   * Over facts beside counts of days (audience-days-sql.ts). Anybody who is already in those, in
   * the same row, is subtracted again.
   */
  readonly besideDays: (hasPass: boolean, further: readonly string[]) => string;
  /** Over rows of counts of days. */
  readonly ofDays: string;
}

/** Counts views that reported a position in a video with a length, by what they saw. */
interface Seen {
  readonly kind: 'seen';
  /** Over views with `seen`, `furthest` and `length`. */
  readonly ofViews: string;
  /**
   * Over rows of counted days, which have the values of their views as arrays. Values that add up
   * do not need to know where one view ends and the next begins.
   */
  readonly ofDays: string;
}

/** Tells views apart by facts of any kind, waits too. */
interface Apart extends Pick<Distinct, 'ofDays'> {
  readonly kind: 'apart';
  readonly ofFacts: (hasPass: boolean) => string;
  readonly besideDays: (hasPass: boolean) => string;
}

/** A place among all starts, over facts. */
interface Ranked {
  readonly kind: 'ranked';
  readonly ofFacts: (hasPass: boolean) => string;
}

export const playback = '(plays > 0 OR playMs > 0)';
export const playbackOrWait = '(plays > 0 OR playMs > 0 OR cause > 0)';
/** The same over rows of counts of days. */
export const playbackOrWaits = '(plays > 0 OR playMs > 0 OR waits > 0)';

const dayCount = (name: AudienceCount) => `sum(${name})`;

/** Whether a number has its turn. */
export const inPass = (value: string) => `${value} % {passes:UInt64} = {pass:UInt64}`;
const ofPass = (hasPass: boolean, number: string) => (hasPass ? [inPass(number)] : []);

/** A view without a viewer is one of its own: its number is below those of viewers. */
const viewer = 'if(viewer = 0, viewNumber, viewer)';

function countedIf(name: string, value: string, conditions: readonly string[]): string {
  if (conditions.length === 0) return `${name}(${value})`;
  const condition = conditions.join(' AND ');
  return `${name}If(${value === '' ? condition : `${value}, ${condition}`})`;
}

/** Distinct numbers, less those that the counts of days have as well. */
function lessCounted(number: string, isAlsoCounted: string, conditions: string[]): string {
  const counted = countedIf('uniqExact', number, ['isCounted', isAlsoCounted, ...conditions]);
  return `${countedIf('uniqExact', number, conditions)} - ${counted}`;
}

/** Of a view that only the counts of days have, nothing else is read. */
const notAgain = '(NOT isCounted OR isAgain)';

/** Views, also under a condition. */
function distinctViews(ofDays: Distinct['ofDays'], ...conditions: string[]): Distinct {
  const all = (hasPass: boolean) => [...conditions, ...ofPass(hasPass, 'viewNumber')];
  return {
    kind: 'distinct',
    ofFacts: (hasPass, further) =>
      countedIf('uniqExact', 'viewNumber', [...all(hasPass), ...further]),
    ofRegular(hasPass) {
      const regular = countedIf('sum', 'plays', ['isRegular', ...all(hasPass)]);
      const others = countedIf('uniqExact', 'viewNumber', ['NOT isRegular', ...all(hasPass)]);
      return `${regular} + ${others}`;
    },
    besideDays: (hasPass, further) =>
      lessCounted('viewNumber', 'isAgain', [notAgain, ...all(hasPass), ...further]),
    ofDays,
  };
}

const distinctViewers: Distinct = {
  kind: 'distinct',
  ofFacts: (hasPass, further) =>
    countedIf('uniqExact', viewer, [...ofPass(hasPass, viewer), ...further]),
  ofRegular(hasPass) {
    const unnamed = ['isRegular', 'viewer = 0', ...ofPass(hasPass, 'viewNumber')];
    // All facts of a regular view have its viewer: the one with the play will do.
    const isNamed = '(NOT isRegular OR (plays > 0 AND viewer > 0))';
    const named = countedIf('uniqExact', viewer, [isNamed, ...ofPass(hasPass, viewer)]);
    return `${countedIf('sum', 'plays', unnamed)} + ${named}`;
  },
  besideDays: (hasPass, further) =>
    lessCounted(viewer, 'bitShiftRight(viewer, 62) != 2', [...ofPass(hasPass, viewer), ...further]),
  ofDays: dayCount('viewers'),
};

/** Views of which a condition holds, on how much they saw or on their furthest position. */
function viewsWhere(value: 'seen' | 'furthest', condition: (value: string) => string): Seen {
  return {
    kind: 'seen',
    ofViews: `sumIf(sign, ${condition(value)})`,
    ofDays: `sum(arrayCount(own -> ${condition('own')}, ${value}))`,
  };
}

const reached = (percent: number) =>
  viewsWhere('furthest', (furthest) => `${furthest} * 100 >= length * ${percent}`);

/* Quality, of views that reported their first wait. */

const quality = qualityCounts(
  `${ofOutcome('waiting')} AND toInt64(startMs) + waitMs + ${leftAfterMs} <= {askedAtMs:Int64}`,
);
export const { isStall } = quality;

function sumOfQuality(name: QualitySumName): Sum {
  const { value, isBounded = false }: QualitySum = quality.sums[name];
  return { kind: 'sum', value, isBounded, ofDays: dayCount(name) };
}

/** Views that have facts under a condition. */
function viewsWith(name: QualityViewsName | 'viewsInRange', ...condition: string[]): Apart {
  const all = (hasPass: boolean) => [...condition, ...ofPass(hasPass, 'viewNumber')];
  return {
    kind: 'apart',
    ofFacts: (hasPass) => countedIf('uniqExact', 'viewNumber', all(hasPass)),
    besideDays: (hasPass) => lessCounted('viewNumber', 'isAgain', [notAgain, ...all(hasPass)]),
    ofDays: dayCount(name),
  };
}

const viewsOfQuality = (name: QualityViewsName) => viewsWith(name, quality.views[name]);

/**
 * Nearest rank: the smallest value that so many percent of all are not above. The engine takes the
 * value at place ceil(n * level), in floating point. A level that is smaller by 10^-12 makes up for
 * its errors, and stays above any smaller place, up to 10^9 values: the place is exact. `ranked`:
 * SQL of the same aggregate for each, so that the values are put in order once.
 */
export function percentilesSql(ranked: (aggregate: string) => string): string[] {
  const shares = [0.5, 0.75, 0.95, 0.99];
  const levels = shares.map((share) => (share - 1e-12).toFixed(12)).join(', ');
  return shares.map((_, place) => `${ranked(`quantilesExactWeighted(${levels})`)}[${place + 1}]`);
}

function startupPercentile(name: PercentileName): Ranked {
  // Percentiles of parts make none of the whole: one pass reads all.
  const ofFacts = (hasPass: boolean) => {
    const isRead = `${hasQuality} AND ${isStarted}${hasPass ? ' AND {pass:UInt64} = 0' : ''}`;
    const all = percentilesSql(
      (aggregate) => `${aggregate.replace('(', 'If(')}(waitMs, 1, ${isRead})`,
    );
    return all[percentiles.indexOf(name)] ?? '';
  };
  return { kind: 'ranked', ofFacts };
}

const qualityMeasures: {
  readonly [name in QualityMeasure]: name extends SumMeasure ? Sum : Apart | Ranked;
} = {
  attempts: sumOfQuality('attempts'),
  starts: sumOfQuality('starts'),
  exitsBeforeStart: sumOfQuality('exitsBeforeStart'),
  startFailures: sumOfQuality('startFailures'),
  failures: viewsOfQuality('failures'),
  startupP50: startupPercentile('startupP50'),
  startupP75: startupPercentile('startupP75'),
  startupP95: startupPercentile('startupP95'),
  startupP99: startupPercentile('startupP99'),
  stalls: sumOfQuality('stalls'),
  stalledViews: viewsOfQuality('stalledViews'),
  stallMs: sumOfQuality('stallMs'),
};

/** Parts of quotients. */
const partsOfQuality = {
  qualityViews: viewsOfQuality('qualityViews'),
  allStartupMs: sumOfQuality('allStartupMs'),
  qualityPlayMs: sumOfQuality('qualityPlayMs'),
  watchedMs: sumOfQuality('watchedMs'),
  seeks: sumOfQuality('seeks'),
  allSeekMs: sumOfQuality('allSeekMs'),
  mediaBits: sumOfQuality('mediaBits'),
  bitsMediaMs: sumOfQuality('bitsMediaMs'),
  frames: sumOfQuality('frames'),
  droppedFrames: sumOfQuality('droppedFrames'),
} as const;

export type CountName = CountedMeasure | 'lengthMs' | keyof typeof partsOfQuality;

const counts: {
  readonly [name in CountName]: name extends SumMeasure ? Sum : AnyCount;
} = {
  ...qualityMeasures,
  ...partsOfQuality,
  plays: { kind: 'sum', value: 'plays', isBounded: false, ofDays: dayCount('plays') },
  playMs: { kind: 'sum', value: 'countedMs', isBounded: true, ofDays: dayCount('playMs') },
  views: distinctViews(dayCount('views')),
  viewers: distinctViewers,
  mediaMs: { kind: 'sum', value: countedMedia, isBounded: true, ofDays: dayCount('mediaMs') },
  positionedViews: { kind: 'seen', ofViews: 'sum(sign)', ofDays: 'sum(arraySum(isFirst))' },
  seenMs: { kind: 'seen', ofViews: 'sum(seen * sign)', ofDays: 'sum(arraySum(lengths))' },
  lengthMs: {
    kind: 'seen',
    ofViews: 'sum(length * sign)',
    ofDays: 'sum(length * arraySum(isFirst))',
  },
  completions: viewsWhere('seen', (seen) => `${seen} * 100 >= length * 95`),
  reached25: reached(25),
  reached50: reached(50),
  reached75: reached(75),
  reached100: viewsWhere('furthest', (furthest) => `${furthest} + 1000 >= length`),
};

type AnyCount = Sum | Distinct | Seen | Apart | Ranked;

interface Quotient {
  readonly part: CountName;
  readonly whole: CountName;
  /** So many of its unit are one; default 1. */
  readonly times?: number;
  readonly decimals: number;
}

const share = (part: CountName, whole: CountName): Quotient => ({ part, whole, decimals: 4 });

/** Rounded half up; null where there is nothing to divide by. */
const quotients: Readonly<Record<QuotientName, Quotient>> = {
  averagePlayMs: { part: 'playMs', whole: 'plays', decimals: 0 },
  averageSeen: share('seenMs', 'lengthMs'),
  exitShare: share('exitsBeforeStart', 'attempts'),
  startFailureShare: share('startFailures', 'attempts'),
  failureShare: share('failures', 'qualityViews'),
  startupMs: { part: 'allStartupMs', whole: 'starts', decimals: 0 },
  stallsPerHour: { part: 'stalls', whole: 'qualityPlayMs', times: 3_600_000, decimals: 4 },
  stalledShare: share('stalledViews', 'qualityViews'),
  stalledTimeShare: share('stallMs', 'watchedMs'),
  seekMs: { part: 'allSeekMs', whole: 'seeks', decimals: 0 },
  // Bits in a millisecond are kilobits in a second.
  bitrate: { part: 'mediaBits', whole: 'bitsMediaMs', decimals: 0 },
  droppedShare: share('droppedFrames', 'frames'),
};

/** What viewers rest on: each view once, under the kind of viewer about whom most is known. */
const basis = {
  allViews: distinctViews(dayCount('views')),
  knownViews: distinctViews(dayCount('knownViews'), 'viewer > 0'),
  namedViews: distinctViews(dayCount('namedViews'), 'bitShiftRight(viewer, 62) = 2'),
};
export const basisCounts = ['allViews', 'knownViews', 'namedViews'] as const;

/** What quality rests on, beside `attempts`: views with or without it, by playback or waits. */
const basisOfQuality = { viewsInRange: viewsWith('viewsInRange') };

/** `facts`: of any playback, or waits; `days`: read as counts. */
export type ReadCount =
  | CountName
  | keyof typeof basis
  | keyof typeof basisOfQuality
  | 'facts'
  | 'days';
/** SQL of a count in a branch of a statement; 0 for what other branches give. */
export type ValueOf = (name: ReadCount) => string;

const read: Readonly<Record<Exclude<ReadCount, 'facts' | 'days'>, AnyCount>> = {
  ...counts,
  ...basis,
  ...basisOfQuality,
};

interface Counting {
  readonly hasPass: boolean;
  /** Whether regular views are counted by their plays: facts have `isRegular`. */
  readonly byPlays: boolean;
  /** Whether waits are among the facts: they make no view, and no viewer. */
  readonly hasWaits: boolean;
}

/** Over facts with `viewNumber`. */
export function valueOfFacts({ hasPass, byPlays, hasWaits }: Counting): ValueOf {
  return (name) => {
    if (name === 'days') return '0';
    if (name === 'facts') return countedIf('count', '', ofPass(hasPass, 'viewNumber'));
    const count = read[name];
    if (count.kind === 'seen') return '0';
    if (count.kind === 'sum') return countedIf('sum', count.value, ofPass(hasPass, 'viewNumber'));
    if (count.kind === 'apart' || count.kind === 'ranked') return count.ofFacts(hasPass);
    return byPlays ? count.ofRegular(hasPass) : count.ofFacts(hasPass, hasWaits ? [playback] : []);
  };
}

/** Over facts beside counts of days, with `isOfDay`, `isCounted` and `isAgain`. */
export function valueBesideDays({ hasPass, hasWaits }: Omit<Counting, 'byPlays'>): ValueOf {
  const beside = ['NOT isOfDay', ...ofPass(hasPass, 'viewNumber')];
  return (name) => {
    if (name === 'days') return '0';
    if (name === 'facts') return countedIf('count', '', beside);
    const count = read[name];
    if (count.kind === 'seen' || count.kind === 'ranked') return '0';
    if (count.kind === 'sum') return countedIf('sum', count.value, beside);
    return count.besideDays(hasPass, hasWaits ? [playback] : []);
  };
}

/** Over rows of counts of days. */
export function valueOfDays(hasWaits: boolean): ValueOf {
  return (name) => {
    if (name === 'days') return 'count()';
    if (name === 'facts') return `countIf(${hasWaits ? playbackOrWaits : playback})`;
    const count = read[name];
    if (count.kind === 'seen' || count.kind === 'ranked') return '0';
    assert(count.ofDays !== fromFacts, `${name} is read from facts`);
    return count.ofDays;
  };
}

/** Over the facts of starts. */
export const valueOfStarts: ValueOf = (name) => {
  if (name === 'days' || name === 'facts') return '0';
  const count = read[name];
  return count.kind === 'ranked' ? count.ofFacts(false) : '0';
};

/** Over views. */
export const valueOfViews: ValueOf = (name) => {
  if (name === 'days' || name === 'facts') return '0';
  const count = read[name];
  return count.kind === 'seen' ? count.ofViews : '0';
};

/** Over what the views of counted days saw. */
export const valueOfSeen: ValueOf = (name) => {
  if (name === 'days' || name === 'facts') return '0';
  const count = read[name];
  return count.kind === 'seen' ? count.ofDays : '0';
};

export const countNames = Object.keys(counts) as CountName[];
const kindOf = (name: CountName): AnyCount['kind'] => counts[name].kind;

/** Whether the rows' sum is the total. */
export const isAdditive = (name: CountName): boolean => kindOf(name) === 'sum';
/** Whether views or viewers are told apart for it, or for what it rests on. */
export const distinguishesViews = (name: CountName): boolean =>
  kindOf(name) === 'distinct' || isOfWaits(name);
/** Whether it is counted by view, from what each saw. */
export const isOfViews = (name: CountName): boolean => kindOf(name) === 'seen';
/** Whether it is of quality, and made of waits besides playback. */
export const isOfWaits = (name: CountName): boolean =>
  name in qualityMeasures || name in partsOfQuality;
/** Whether counts of days have it; other questions are answered from facts. */
export function isOfDays(name: CountName): boolean {
  const count: AnyCount = counts[name];
  return count.kind !== 'sum' || count.ofDays !== fromFacts;
}

/** Whether it is a place among all starts. */
export const isRanked = (name: CountName): boolean => kindOf(name) === 'ranked';
/** Whether sums have it. */
export const isOfSums = (name: CountName): name is CountName & SumName => name in sums;

/** Whether it must be known where views claim more time than there is. */
export function isBounded(name: CountName): boolean {
  const count: AnyCount = counts[name];
  return count.kind === 'sum' && count.isBounded;
}

/** Those that were not asked for are 0. */
export type Counts = { readonly [name in CountName]: number };
export const noCounts = Object.fromEntries(countNames.map((name) => [name, 0])) as Counts;

/** What a measure is made from; of quality, also what it rests on. */
export function countsFor(name: AudienceMeasureName): readonly CountName[] {
  const own = isQuotient(name) ? [quotients[name].part, quotients[name].whole] : [name];
  const starts = isPercentile(name) ? (['starts'] as const) : [];
  return [...own, ...starts, ...(isOfQuality(name) ? (['attempts'] as const) : [])];
}

/** As it is shown; null if there is nothing to divide by. */
export function measured(name: AudienceMeasureName, counted: Counts): number | null {
  if (isPercentile(name)) return counted.starts === 0 ? null : counted[name];
  if (!isQuotient(name)) return counted[name];
  const { part, whole, times = 1, decimals } = quotients[name];
  if (counted[whole] === 0) return null;
  return halfUp(BigInt(counted[part]) * BigInt(times), BigInt(counted[whole]), decimals);
}

function isQuotient(name: AudienceMeasureName): name is QuotientName {
  return name in quotients;
}

function isPercentile(name: AudienceMeasureName): name is PercentileName {
  return (percentiles as readonly string[]).includes(name);
}
