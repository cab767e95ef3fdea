/** When a message is attempted again, as Standard Webhooks advises: soon, then ever later. */

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/**
 * After each attempt. The first is longer than an attempt may take: until then a message that a
 * process claimed is nobody else's.
 */
const pausesMs = [
  ...[minuteMs, 5 * minuteMs, 30 * minuteMs],
  ...[2 * hourMs, 5 * hourMs, 10 * hourMs, 14 * hourMs],
];

/** The first one included. */
export const mostAttempts = pausesMs.length + 1;

/** Between an attempt and the next; `attempts`: how many there were. */
export function backOffMs(attempts: number): number {
  return pausesMs[Math.min(Math.max(attempts, 1), pausesMs.length) - 1] ?? hourMs;
}
