import { setTimeout as sleep } from 'node:timers/promises';

const shortestPauseMs = 20;
const longestPauseMs = 250;
/**
 * Of the time that has passed. To ask takes processor time from what is waited for, and often more
 * than a pause: what lasts is asked about less often, and found a tenth later at most.
 */
const share = 0.1;

/** Only against hanging, and below the limit of a test, so that the failure says what was waited for. */
const patienceMs = 200_000;

/** Asks until the answer is true; fails with what was waited for. */
export async function waitUntil(
  what: string,
  isTrue: () => boolean | Promise<boolean>,
  withinMs = patienceMs,
): Promise<void> {
  const begunAt = performance.now();
  while (!(await isTrue())) {
    const passedMs = performance.now() - begunAt;
    if (passedMs > withinMs) throw new Error(`Waited ${withinMs} ms for: ${what}`);
    await sleep(Math.min(Math.max(passedMs * share, shortestPauseMs), longestPauseMs));
  }
}
