/**
 * Kept peaks: the most stretches that play at once in a slot, and since when, for an account, each
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
 * The larger of two rows with one identity counts. Peaks do not only grow: a stretch that is
 * reported again with a later start moves its time. So the peak is stored in the bits below the
 * epoch and the *extent* of its facts, which grows with every change of them.
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
