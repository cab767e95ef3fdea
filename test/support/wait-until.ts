import { setTimeout as sleep } from 'node:timers/promises';

const pollMs = 20;

/** Only against hanging: a busy machine took five minutes for what others have in ten seconds. */
const patienceMs = 600_000;

/** Asks until the answer is true; fails with what was waited for. */
export async function waitUntil(
  what: string,
  isTrue: () => boolean | Promise<boolean>,
  withinMs = patienceMs,
): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await isTrue())) {
    if (performance.now() > deadline) throw new Error(`Waited ${withinMs} ms for: ${what}`);
    await sleep(pollMs);
  }
}
