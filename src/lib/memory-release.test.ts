import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeEach, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { type ManualClock, manualClock } from '../../test/support/manual-clock.ts';
import { findCollector, giveBackMemory } from './memory-release.ts';

const lookMs = 10_000;
const minute = [0, 0, 0, 0, 0, 0];
let clock: ManualClock;
let collected: number;
beforeEach(() => {
  clock = manualClock();
  collected = 0;
});
const collect = () => {
  collected += 1;
};

/** How often garbage has been collected when these shares of looks were busy, one after another. */
function watched(heapMb = 450) {
  let busy = 0;
  const stop = giveBackMemory({
    ...{ clock, collect },
    takeBusyShare: () => busy,
    heapMb: () => heapMb,
  });
  const collectedAfter = (...shares: readonly number[]) => {
    for (const share of shares) {
      busy = share;
      clock.advance(lookMs);
    }
    return collected;
  };
  return { collectedAfter, stop };
}

test('garbage is collected once after each busy time, when the process has rested a minute', () => {
  const { collectedAfter } = watched();
  expect(collectedAfter(0.2, 0.04, 0, 0.04, 0, 0)).toBe(0);
  clock.advance(lookMs - 1);
  expect(collected).toBe(0);
  clock.advance(1);
  expect(collected).toBe(1);
  expect(collectedAfter(...minute, ...minute)).toBe(1);
  expect(collectedAfter(1, ...minute)).toBe(2);
});

test('what has not worked has nothing to give back', () => {
  expect(watched().collectedAfter(0.19, ...minute, 0.19, ...minute)).toBe(0);
});

test('a minute in which it has some work is no rest', () => {
  const { collectedAfter } = watched();
  expect(collectedAfter(1, 0, 0, 0, 0, 0, 0.05, 0, 0, 0, 0, 0)).toBe(0);
  expect(collectedAfter(0)).toBe(1);
});

test('much of it is given back as soon as the process rests', () => {
  const { collectedAfter } = watched(451);
  expect(collectedAfter(1, 0.05)).toBe(0);
  expect(collectedAfter(0.04)).toBe(1);
  expect(collectedAfter(...minute)).toBe(1);
});

test('it ends', () => {
  const { collectedAfter, stop } = watched();
  collectedAfter(1);
  stop();
  expect(collectedAfter(...minute)).toBe(0);
  expect(clock.waiting()).toBe(0);
});

/** In a process of its own, in which nothing else works. */
async function run(program: string): Promise<string> {
  const words = [...packageJson.nodeFlags, '--input-type=module-typescript', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, words, {
    cwd: import.meta.dirname,
  });
  return stdout;
}

test('without another measure it goes by the work of this process', async () => {
  const program = `
    import { setTimeout as sleep } from 'node:timers/promises';
    import { manualClock } from '../../test/support/manual-clock.ts';
    import { giveBackMemory } from './memory-release.ts';
    const clock = manualClock();
    let collected = 0;
    // Node measures work from the first turn of the event loop.
    await sleep(1);
    const stop = giveBackMemory({ clock, collect: () => { collected += 1; } });
    const untilMs = performance.now() + 50;
    while (performance.now() < untilMs);
    clock.advance(${lookMs});
    const whileBusy = collected;
    // On a busy machine a look may find some work.
    for (let look = 0; collected === 0 && look < 300; look += 1) {
      await sleep(100);
      clock.advance(${lookMs});
    }
    stop();
    console.log(whileBusy, collected);`;
  expect(await run(program)).toBe('0 1\n');
});

test('with the flags of the service the machine has the room of garbage back', async () => {
  const program = `
    import { findCollector } from './memory-release.ts';
    const rssMb = () => process.memoryUsage.rss() / 2 ** 20;
    let kept = [];
    for (let part = 0; part < 1_000_000; part += 1) kept.push({ part, of: [part, part] });
    kept = undefined;
    const before = rssMb();
    findCollector(globalThis)();
    console.log(before - rssMb());`;
  expect(Number(await run(program))).toBeGreaterThan(50);
});

test('without them nothing is collected by hand', () => {
  expect(findCollector({ gc: undefined })).toBeUndefined();
});
