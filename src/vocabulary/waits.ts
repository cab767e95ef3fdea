/**
 * Waits: runs of waiting for playback inside a view. Source: the quality interface, section 1. The
 * numbers are those of the store: told differently, the largest holds.
 */

/** Why somebody waited. */
export const waitCauses = { start: 1, seek: 2, stall: 3, error: 4 } as const;
export type WaitCause = keyof typeof waitCauses;
export const waitCauseNames = Object.keys(waitCauses) as WaitCause[];

/** How a wait ended, or that it goes on. */
export const waitOutcomes = { waiting: 1, left: 2, failed: 3, played: 4 } as const;
export type WaitOutcome = keyof typeof waitOutcomes;
export const waitOutcomeNames = Object.keys(waitOutcomes) as WaitOutcome[];

/** Waits of a view; further ones are refused. */
export const mostWaits = 500;
/** Above the numbers of stretches, so that one number names either. */
const firstWait = 2 ** 31;
/** The number of wait 0, under which the store has it. */
export const startNumber = numberOfWait(0);
export function numberOfWait(wait: number): number {
  return firstWait + wait;
}
/**
 * Of a wait that is told by its moment alone, never that of wait 0. Two of a view have the same
 * only if they begin weeks apart.
 */
export function numberOfWaitAt(momentMs: number): number {
  return firstWait + 1 + (momentMs % (firstWait - 1));
}
export const maxWaitMs = 60 * 60 * 1_000;
/** A wait of which nothing more was heard for so long was left by its viewer. */
export const leftAfterMs = 24 * 60 * 60 * 1_000;

export const streamTypes = ['vod', 'live'] as const;
/** As the browser's Network Information names them, from the slowest. */
export const connections = ['slow-2g', '2g', '3g', '4g'] as const;
