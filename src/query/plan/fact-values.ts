/** What is counted from facts, and from what views saw, in SQL. */
import { countedMedia } from '../../store/facts.ts';
import type { CountName } from './counts.ts';

/** What viewers rest on: each view once, under the kind of viewer about whom most is known. */
export const basisCounts = ['allViews', 'knownViews', 'namedViews'] as const;
export type ReadCount = CountName | 'facts' | 'days' | (typeof basisCounts)[number];
export type FactValues = { readonly [name in ReadCount]?: string };

/** Whether a number has its turn. */
export const inPass = (value: string) => `${value} % {passes:UInt64} = {pass:UInt64}`;

/** A view without a viewer is one of its own: its number is below those of viewers. */
const viewer = 'if(viewer = 0, viewNumber, viewer)';

interface Counting {
  readonly hasPass: boolean;
  /** Whether regular views are counted by their plays, and only the others by a set. */
  readonly byPlays: boolean;
}

/** Over facts with `viewNumber` and, with `byPlays`, `isRegular`. */
export function valuesOfFacts({ hasPass, byPlays }: Counting): FactValues {
  const ofPass = (number: string) => (hasPass ? [inPass(number)] : []);
  const ofViews = (name: string, value: string, ...conditions: string[]) =>
    countedIf(name, value, [...conditions, ...ofPass('viewNumber')]);
  const views = (...conditions: string[]) => {
    if (!byPlays) return ofViews('uniqExact', 'viewNumber', ...conditions);
    const regular = ofViews('sum', 'plays', 'isRegular', ...conditions);
    return `${regular} + ${ofViews('uniqExact', 'viewNumber', 'NOT isRegular', ...conditions)}`;
  };
  const viewers = () => {
    if (!byPlays) return countedIf('uniqExact', viewer, ofPass(viewer));
    // All facts of a regular view have its viewer: the one with the play will do.
    const isNamed = '(NOT isRegular OR (plays > 0 AND viewer > 0))';
    const named = countedIf('uniqExact', viewer, [isNamed, ...ofPass(viewer)]);
    return `${ofViews('sum', 'plays', 'isRegular', 'viewer = 0')} + ${named}`;
  };
  return {
    facts: ofViews('count', ''),
    plays: ofViews('sum', 'plays'),
    playMs: ofViews('sum', 'countedMs'),
    views: views(),
    viewers: viewers(),
    mediaMs: ofViews('sum', countedMedia),
    allViews: views(),
    knownViews: views('viewer > 0'),
    namedViews: views('bitShiftRight(viewer, 62) = 2'),
  };
}

/**
 * Over facts beside counts of days (audience-days-sql.ts). Anybody who is already in those, in
 * the same row, is subtracted again.
 */
export function valuesBesideDays({ hasPass }: Pick<Counting, 'hasPass'>): FactValues {
  const ofPass = (number: string) => (hasPass ? [inPass(number)] : []);
  const beside = (name: string, value: string) =>
    countedIf(name, value, ['NOT isOfDay', ...ofPass('viewNumber')]);
  const distinct = (number: string, isAlsoCounted: string, conditions: string[]) => {
    const all = [...conditions, ...ofPass(number)];
    const counted = countedIf('uniqExact', number, ['isCounted', isAlsoCounted, ...all]);
    return `${countedIf('uniqExact', number, all)} - ${counted}`;
  };
  const views = (...conditions: string[]) =>
    distinct('viewNumber', 'isAgain', ['(NOT isCounted OR isAgain)', ...conditions]);
  return {
    facts: beside('count', ''),
    plays: beside('sum', 'plays'),
    playMs: beside('sum', 'countedMs'),
    views: views(),
    viewers: distinct(viewer, 'bitShiftRight(viewer, 62) != 2', []),
    mediaMs: beside('sum', countedMedia),
    allViews: views(),
    knownViews: views('viewer > 0'),
    namedViews: views('bitShiftRight(viewer, 62) = 2'),
  };
}

function countedIf(name: string, value: string, conditions: readonly string[]): string {
  if (conditions.length === 0) return `${name}(${value})`;
  const given = [...(value === '' ? [] : [value]), conditions.join(' AND ')];
  return `${name}If(${given.join(', ')})`;
}

/** For the views of a row that reported a position in a video with a length. */
export const valuesOfViews: FactValues = {
  positionedViews: 'sum(sign)',
  seenMs: 'sum(seen * sign)',
  lengthMs: 'sum(length * sign)',
  completions: `sumIf(sign, ${isCompleted('seen')})`,
  reached25: `sumIf(sign, ${hasReached('furthest', 25)})`,
  reached50: `sumIf(sign, ${hasReached('furthest', 50)})`,
  reached75: `sumIf(sign, ${hasReached('furthest', 75)})`,
  reached100: `sumIf(sign, ${hasReachedEnd('furthest')})`,
};

/**
 * The same for rows that have the values of their views as arrays. Values that add up do not need
 * to know where one view ends and the next begins.
 */
export const valuesOfSeen: FactValues = {
  positionedViews: 'sum(arraySum(isFirst))',
  seenMs: 'sum(arraySum(lengths))',
  lengthMs: 'sum(length * arraySum(isFirst))',
  completions: `sum(arrayCount(own -> ${isCompleted('own')}, seen))`,
  reached25: `sum(arrayCount(own -> ${hasReached('own', 25)}, furthest))`,
  reached50: `sum(arrayCount(own -> ${hasReached('own', 50)}, furthest))`,
  reached75: `sum(arrayCount(own -> ${hasReached('own', 75)}, furthest))`,
  reached100: `sum(arrayCount(own -> ${hasReachedEnd('own')}, furthest))`,
};

function isCompleted(seen: string): string {
  return `${seen} * 100 >= length * 95`;
}

function hasReached(furthest: string, percent: number): string {
  return `${furthest} * 100 >= length * ${percent}`;
}

function hasReachedEnd(furthest: string): string {
  return `${furthest} + 1000 >= length`;
}

/** Whether it is counted by view. */
export const isOfViews = (name: CountName): boolean => valuesOfViews[name] !== undefined;
