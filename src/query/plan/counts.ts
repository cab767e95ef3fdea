/**
 * The SQL of the measures, one record each: how every source of rows gives it. A measure is either
 * counted (`counts`) or a quotient of two counts (`quotients`); one that is in neither, or that
 * lacks a source, does not compile.
 */
import { assert } from '../../lib/assert.ts';
import {
  type audienceCounts,
  countedMedia,
  type SumName,
  sums,
  type tables,
} from '../../store/facts.ts';
import type { AudienceMeasureName, audienceMeasures } from '../../vocabulary/measures.ts';
import { fromFacts } from '../labels/dimension-sql.ts';
import { halfUp } from '../ranges/rounding.ts';

type MeasureWith<About> = {
  [name in AudienceMeasureName]: (typeof audienceMeasures)[name] extends About ? name : never;
}[AudienceMeasureName];
type QuotientName = MeasureWith<{ nullable: true }>;
type SumMeasure = MeasureWith<{ additive: true }>;
export type CountName = Exclude<AudienceMeasureName, QuotientName> | 'lengthMs';

/** Adds up over facts: the rows' sum is the total. */
interface Sum {
  readonly kind: 'sum';
  /** Over a fact with `countedMs` and `mediaOfPart`. */
  readonly value: string;
  /** What it needs of facts besides `commonColumns`. */
  readonly columns?: readonly (keyof typeof tables.stretch.columns)[];
  /** Whether it rests on time that is cut where a view claims more than a slot has. */
  readonly isBounded: boolean;
  readonly ofDays: string | typeof fromFacts;
}

/** Tells views or viewers apart. */
interface Distinct {
  readonly kind: 'distinct';
  /** Over facts with `viewNumber`. */
  readonly ofFacts: (hasPass: boolean) => string;
  /** The same where regular views are counted by their plays, and only the others by a set. */
  readonly ofRegular: (hasPass: boolean) => string;
  /**
   * Over facts beside counts of days (audience-days-sql.ts). Anybody who is already in those, in
   * the same row, is subtracted again.
   */
  readonly besideDays: (hasPass: boolean) => string;
  readonly ofDays: string | typeof fromFacts;
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
  readonly ofDays: string | typeof fromFacts;
}

/** What every row of facts has, whatever is counted. */
const commonColumns = ['plays', 'playMs', 'countedMs', 'viewer'] as const;

const dayCount = (name: (typeof audienceCounts)[number]) => `sum(${name})`;

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

/** Views, also under a condition. */
function distinctViews(ofDays: Distinct['ofDays'], ...conditions: string[]): Distinct {
  const all = (hasPass: boolean) => [...conditions, ...ofPass(hasPass, 'viewNumber')];
  return {
    kind: 'distinct',
    ofFacts: (hasPass) => countedIf('uniqExact', 'viewNumber', all(hasPass)),
    ofRegular(hasPass) {
      const regular = countedIf('sum', 'plays', ['isRegular', ...all(hasPass)]);
      const others = countedIf('uniqExact', 'viewNumber', ['NOT isRegular', ...all(hasPass)]);
      return `${regular} + ${others}`;
    },
    besideDays: (hasPass) =>
      lessCounted('viewNumber', 'isAgain', ['(NOT isCounted OR isAgain)', ...all(hasPass)]),
    ofDays,
  };
}

const distinctViewers: Distinct = {
  kind: 'distinct',
  ofFacts: (hasPass) => countedIf('uniqExact', viewer, ofPass(hasPass, viewer)),
  ofRegular(hasPass) {
    const unnamed = ['isRegular', 'viewer = 0', ...ofPass(hasPass, 'viewNumber')];
    // All facts of a regular view have its viewer: the one with the play will do.
    const isNamed = '(NOT isRegular OR (plays > 0 AND viewer > 0))';
    const named = countedIf('uniqExact', viewer, [isNamed, ...ofPass(hasPass, viewer)]);
    return `${countedIf('sum', 'plays', unnamed)} + ${named}`;
  },
  besideDays: (hasPass) =>
    lessCounted(viewer, 'bitShiftRight(viewer, 62) != 2', ofPass(hasPass, viewer)),
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

const counts: {
  readonly [name in CountName]: name extends SumMeasure ? Sum : Distinct | Seen;
} = {
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

interface Quotient {
  readonly part: CountName;
  readonly whole: CountName;
  readonly decimals: number;
}

/** Rounded half up; null where there is nothing to divide by. */
const quotients: Readonly<Record<QuotientName, Quotient>> = {
  averagePlayMs: { part: 'playMs', whole: 'plays', decimals: 0 },
  averageSeen: { part: 'seenMs', whole: 'lengthMs', decimals: 4 },
};

/** What viewers rest on: each view once, under the kind of viewer about whom most is known. */
const basis = {
  allViews: distinctViews(dayCount('views')),
  knownViews: distinctViews(dayCount('knownViews'), 'viewer > 0'),
  namedViews: distinctViews(dayCount('namedViews'), 'bitShiftRight(viewer, 62) = 2'),
};
export const basisCounts = ['allViews', 'knownViews', 'namedViews'] as const;

/** `facts`: of any playback; `days`: read as counts. */
export type ReadCount = CountName | keyof typeof basis | 'facts' | 'days';
/** SQL of a count in a branch of a statement; 0 for what other branches give. */
export type ValueOf = (name: ReadCount) => string;

const read: Readonly<Record<Exclude<ReadCount, 'facts' | 'days'>, Sum | Distinct | Seen>> = {
  ...counts,
  ...basis,
};

interface Counting {
  readonly hasPass: boolean;
  /** Whether regular views are counted by their plays: facts have `isRegular`. */
  readonly byPlays: boolean;
}

/** Over facts with `viewNumber`. */
export function valueOfFacts({ hasPass, byPlays }: Counting): ValueOf {
  return (name) => {
    if (name === 'days') return '0';
    if (name === 'facts') return countedIf('count', '', ofPass(hasPass, 'viewNumber'));
    const count = read[name];
    if (count.kind === 'seen') return '0';
    if (count.kind === 'sum') return countedIf('sum', count.value, ofPass(hasPass, 'viewNumber'));
    return byPlays ? count.ofRegular(hasPass) : count.ofFacts(hasPass);
  };
}

/** Over facts beside counts of days, with `isOfDay`, `isCounted` and `isAgain`. */
export function valueBesideDays({ hasPass }: Pick<Counting, 'hasPass'>): ValueOf {
  const beside = ['NOT isOfDay', ...ofPass(hasPass, 'viewNumber')];
  return (name) => {
    if (name === 'days') return '0';
    if (name === 'facts') return countedIf('count', '', beside);
    const count = read[name];
    if (count.kind === 'seen') return '0';
    return count.kind === 'sum' ? countedIf('sum', count.value, beside) : count.besideDays(hasPass);
  };
}

/** Over rows of counts of days. */
export const valueOfDays: ValueOf = (name) => {
  if (name === 'days') return 'count()';
  if (name === 'facts') return 'countIf(plays > 0 OR playMs > 0)';
  const { kind, ofDays } = read[name];
  return kind === 'seen' ? '0' : ofDaysAlone(name, ofDays);
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
  const { kind, ofDays } = read[name];
  return kind === 'seen' ? ofDaysAlone(name, ofDays) : '0';
};

function ofDaysAlone(name: ReadCount, sql: string | typeof fromFacts): string {
  assert(sql !== fromFacts, `${name} is read from facts`);
  return sql;
}

export const countNames = Object.keys(counts) as CountName[];
const kindOf = (name: CountName): (Sum | Distinct | Seen)['kind'] => counts[name].kind;

/** Whether the rows' sum is the total. */
export const isAdditive = (name: CountName): boolean => kindOf(name) === 'sum';
/** Whether views or viewers are told apart for it. */
export const isDistinct = (name: CountName): boolean => kindOf(name) === 'distinct';
/** Whether it is counted by view, from what each saw. */
export const isOfViews = (name: CountName): boolean => kindOf(name) === 'seen';
/** Whether sums have it. */
export const isOfSums = (name: CountName): name is CountName & SumName => name in sums;
/** Whether counts of days have it; other questions are answered from facts. */
export const isOfDays = (name: CountName): boolean => counts[name].ofDays !== fromFacts;

/** Whether it must be known where views claim more time than there is. */
export function isBounded(name: CountName): boolean {
  const count: Sum | Distinct | Seen = counts[name];
  return count.kind === 'sum' && count.isBounded;
}

/** The columns of facts that some counts need. */
export function factColumnsFor(names: readonly CountName[]): string[] {
  const further = names.flatMap((name) => {
    const count: Sum | Distinct | Seen = counts[name];
    return count.kind === 'sum' ? (count.columns ?? []) : [];
  });
  return [...new Set<string>([...commonColumns, ...further])];
}

/** Those that were not asked for are 0. */
export type Counts = { readonly [name in CountName]: number };
export const noCounts = Object.fromEntries(countNames.map((name) => [name, 0])) as Counts;

/** What a measure is made from. */
export function countsFor(name: AudienceMeasureName): readonly CountName[] {
  if (!isQuotient(name)) return [name];
  const { part, whole } = quotients[name];
  return [part, whole];
}

/** As it is shown; null if there is nothing to divide by. */
export function measured(name: AudienceMeasureName, counted: Counts): number | null {
  if (!isQuotient(name)) return counted[name];
  const { part, whole, decimals } = quotients[name];
  if (counted[whole] === 0) return null;
  return halfUp(BigInt(counted[part]), BigInt(counted[whole]), decimals);
}

function isQuotient(name: AudienceMeasureName): name is QuotientName {
  return name in quotients;
}
