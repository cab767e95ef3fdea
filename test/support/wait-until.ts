import { setTimeout as sleep } from 'node:timers/promises';

const pollMs = 20;

/** Asks until the answer is true; fails with what was waited for. */
export async function waitUntil(
  what: string,
  isTrue: () => boolean | Promise<boolean>,
  withinMs = 200_000,
): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await isTrue())) {
    if (performance.now() > deadline) throw new Error(`Waited ${withinMs} ms for: ${what}`);
    await sleep(pollMs);
  }
}
