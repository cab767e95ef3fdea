import { assert } from '../../lib/assert.ts';
import type { MeasuredSum } from '../../vocabulary/statistics.ts';

/** A slot is a quarter of an hour in UTC: every time zone's hours and days are made of slots. */
export const slotMs = 15 * 60 * 1_000;

/* What the roll-up sums, and by which columns it groups. The tables, the roll-up's statements, the
 * sums by day and the questions derive from these records. A new one also needs a migration; a test
 * demands it.
 */

/** SQL of a stretch's value in a column. */
type ValueOf = (column: 'plays' | 'playMs' | 'ceiling') => string;

interface StoredSum {
  /** What a stretch contributes: SQL over its values in columns of table `stretch`. */
  readonly ofStretch: (value: ValueOf) => string;
  /** Combines the values of parts: of stretches, slots, videos, systems. */
  readonly combine: 'sum' | 'max';
  /** The most that one view can contribute to a slot; what is beyond does not count. */
  readonly mostOfView?: number;
}

/** SQL of the time that counts of a stretch in a slot; see `Fact.ceiling`. */
export function playMsBelowCeiling(playMs: string, ceiling: string): string {
  const ms = `toUInt32(bitAnd(${ceiling}, ${lower32}))`;
  return `if(${ceiling} = 0, ${playMs}, least(${playMs}, ${ms}))`;
}

const lower32 = 2 ** 32 - 1;

/** The ceiling of a fact that does not count, since its stretch began earlier: of no events. */
export const supersededCeiling = 2n ** 64n - 2n ** 32n;

/** SQL of the play that counts of a stretch in a slot. */
export function playBelowCeiling(plays: string, ceiling: string): string {
  return `if(${ceiling} >= ${supersededCeiling}, 0, ${plays})`;
}

/** SQL of a wait's cause: nothing replaces what was told of a wait, it counts or it does not. */
export function causeBelowCeiling(cause: string, ceiling: string): string {
  return `if(${ceiling} = 0, ${cause}, 0)`;
}

/** SQL of what a stretch tells of its media: of a time that is worked out anew, it is not known. */
export function mediaBelowCeiling(media: string, ceiling: string): string {
  return `if(${ceiling} = 0 OR ${ceiling} >= ${supersededCeiling}, ${media}, 0)`;
}

/** Invariant: within a version each only grows; what shrinks gets the next version. */
export const sums = {
  plays: {
    ofStretch: (value) => playBelowCeiling(value('plays'), value('ceiling')),
    combine: 'sum',
  },
  playMs: {
    ofStretch: (value) => playMsBelowCeiling(value('playMs'), value('ceiling')),
    combine: 'sum',
    mostOfView: slotMs,
  },
} as const satisfies Record<MeasuredSum, StoredSum>;
export type SumName = keyof typeof sums;
export const sumNames = Object.keys(sums) as SumName[];

export function storedSum(name: SumName): StoredSum {
  return sums[name];
}

/**
 * A sum is stored with its version in the upper half: the larger of two rows with one identity
 * counts, and a row of a higher version is larger whatever its sum is. A version is the account's
 * epoch and, below it, how often this sum has shrunk. The version of a whole is the sum of its
 * parts' versions, so it rises whenever a part is replaced by a smaller one.
 */
export const storedType = 'UInt128';

/** SQL of the stored form. */
export function withVersion(version: string, sum: string): string {
  return `bitOr(bitShiftLeft(toUInt128(${version}), 64), ${sum})`;
}

const shrinkBits = 32;
export const versionsOfEpoch = 2 ** shrinkBits;

/** SQL of a version of sums that have not shrunk since the epoch began. */
export function firstVersion(epoch: string): string {
  return `bitShiftLeft(toUInt64(${epoch}), ${shrinkBits})`;
}

/** SQL of the epoch within the stored form of a slot's sum. */
export function epochOfSum(stored: string): string {
  return `bitShiftRight(${versionOfSum(stored)}, ${shrinkBits})`;
}

/** SQL of the sum within a stored form. */
export function unpackSum(stored: string): string {
  return `toUInt64(${stored})`;
}

/** SQL of the version within a stored form. */
export function versionOfSum(stored: string): string {
  return `toUInt64(bitShiftRight(${stored}, 64))`;
}

/** SQL of a whole, stored, from the stored forms of its parts. */
export function combineParts(name: SumName, part: string): string {
  const { combine } = sums[name];
  return withVersion(`sum(bitShiftRight(${part}, 64))`, `${combine}(${unpackSum(part)})`);
}

/** The columns of what a fact is about, besides account and slot. */
export const contentColumns = ['packageId', 'videoId'] as const;

/** The columns to group by besides account and slot. */
export const keyColumns = ['packageId', 'videoId', 'os', 'osVersion'] as const;
export type KeyColumn = (typeof keyColumns)[number];

interface Grouping {
  /** Its number in the tables; never reused. */
  readonly code: number;
  /** The columns it groups by; the others are 0 or empty in its rows. */
  readonly groupBy: readonly KeyColumn[];
  /** The number of the same sums by UTC day. */
  readonly dayCode: number;
}

/** The fewest rows first: a question uses the first grouping that has all the columns it needs. */
export const groupings = {
  account: { code: 1, groupBy: [], dayCode: 10 },
  package: { code: 2, groupBy: ['packageId'], dayCode: 11 },
  video: { code: 3, groupBy: ['packageId', 'videoId'], dayCode: 12 },
  'account-os': { code: 4, groupBy: ['os', 'osVersion'], dayCode: 7 },
  'package-os': { code: 5, groupBy: ['packageId', 'os', 'osVersion'], dayCode: 8 },
  'video-os': { code: 6, groupBy: ['packageId', 'videoId', 'os', 'osVersion'], dayCode: 9 },
} as const satisfies Record<string, Grouping>;
export type GroupingName = keyof typeof groupings;
export const groupingNames = Object.keys(groupings) as GroupingName[];

export function findGrouping(name: GroupingName): Grouping {
  return groupings[name];
}

/** The grouping with the fewest rows that groups by all these columns. */
export function smallestGrouping(columns: readonly KeyColumn[]): GroupingName {
  const found = groupingNames.find((name) => {
    const { groupBy } = findGrouping(name);
    return columns.every((column) => groupBy.includes(column));
  });
  assert(found !== undefined, `no grouping has the columns ${columns.join(', ')}`);
  return found;
}

/** A grouping's sums by UTC day have a name of their own. */
export const daySuffix = '-day';

/* Kept peaks: the most stretches that play at once in a slot, and since when, for an account, each
 * of its packages and each of its videos. A day's or an hour's peak is the largest of its slots.
 */

/** The slot's peak by what is asked for; the columns that a row does not distinguish are 0. */
export const peakGroupings = {
  account: 1,
  package: 2,
  /**
   * One video in one package. Where a slot has a video in several, a row with package 0 counts
   * them together: it is never smaller than the others, so the largest row of a video is its peak.
   */
  video: 3,
} as const;
export type PeakGrouping = keyof typeof peakGroupings;

/**
 * The larger of two rows with one identity counts. Peaks do not only grow: time is taken back from
 * a stretch that began earlier. So the peak is stored in the bits below the epoch and the *extent*
 * of its facts, which grows with every change of them.
 */
export const storedPeakType = 'UInt256';

const largestOffset = 2 ** 32 - 1;

/** SQL of the stored form. Of equal peaks the earlier is the larger value. */
export function storedPeak(epoch: string, extent: string, peak: string, offsetMs: string): string {
  const parts = [
    `bitShiftLeft(toUInt256(${epoch}), 128)`,
    `bitShiftLeft(toUInt256(${extent}), 64)`,
    `bitShiftLeft(toUInt256(${peak}), 32)`,
    `toUInt256(${largestOffset} - ${offsetMs})`,
  ];
  return parts.reduce((all, part) => `bitOr(${all}, ${part})`);
}

/** SQL of the parts of a stored form. */
export const partsOfPeak = {
  epoch: (stored: string) => `toUInt64(bitShiftRight(${stored}, 128))`,
  extent: (stored: string) => `toUInt64(bitShiftRight(${stored}, 64))`,
  peak: (stored: string) => `toUInt32(bitShiftRight(${stored}, 32))`,
  /** When it is first reached, counted from the beginning of the slot (ms). */
  offsetMs: (stored: string) => `(${largestOffset} - toUInt32(${stored}))`,
} as const;
