/** What is counted for a row, and the measures made from it. */
import type { AudienceMeasureName } from '../../vocabulary/measures.ts';
import { halfUp } from '../ranges/rounding.ts';

export const countNames = [
  'plays',
  'playMs',
  'views',
  'viewers',
  'mediaMs',
  'positionedViews',
  'seenMs',
  'lengthMs',
  'completions',
  'reached25',
  'reached50',
  'reached75',
  'reached100',
] as const;
export type CountName = (typeof countNames)[number];

/** Those that were not asked for are 0. */
export type Counts = { readonly [name in CountName]: number };

/** What a measure is made from. */
export const countsOf = {
  plays: ['plays'],
  playMs: ['playMs'],
  views: ['views'],
  viewers: ['viewers'],
  averagePlayMs: ['plays', 'playMs'],
  mediaMs: ['mediaMs'],
  positionedViews: ['positionedViews'],
  seenMs: ['seenMs'],
  averageSeen: ['seenMs', 'lengthMs'],
  completions: ['completions'],
  reached25: ['reached25'],
  reached50: ['reached50'],
  reached75: ['reached75'],
  reached100: ['reached100'],
} as const satisfies Record<AudienceMeasureName, readonly CountName[]>;

/** Counts of which the rows' sum is the total. */
export const additiveCounts: readonly CountName[] = ['plays', 'playMs', 'mediaMs'];

export const noCounts = Object.fromEntries(countNames.map((name) => [name, 0])) as Counts;

/** As it is shown; null if there is nothing to divide by. */
export function measured(name: AudienceMeasureName, counts: Counts): number | null {
  switch (name) {
    case 'averagePlayMs':
      return quotient(counts.playMs, counts.plays, 0);
    case 'averageSeen':
      return quotient(counts.seenMs, counts.lengthMs, 4);
    default:
      return counts[name];
  }
}

function quotient(sum: number, count: number, decimals: number): number | null {
  return count === 0 ? null : halfUp(BigInt(sum), BigInt(count), decimals);
}
