import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { Fault } from '../../vocabulary/faults.ts';
import { retryStartup } from './startup-retry.ts';

const longestPauseMs = 375;
const lookMs = 25;
const away = new Fault('UNAVAILABLE', 'away', { cause: new Error('nobody listens') });
const fullDisk = Object.assign(new Error('no space left'), { syscall: 'write' });

/** Each attempt ends as the list says; those after it succeed. */
function begin(failures: unknown[], isWatched = true) {
  const clock = manualClock();
  const warned: string[] = [];
  const logger = pino({}, { write: (line) => warned.push(JSON.parse(line).reason) });
  let attempts = 0;
  let serverReason: string | undefined;
  const attempt = async () => {
    attempts += 1;
    if (failures.length > 0) throw failures.shift();
  };
  const whyServerNotReady = isWatched ? () => serverReason : undefined;
  const bringingUp = retryStartup({ attempt, whyServerNotReady, clock, logger });
  return {
    ...{ bringingUp, clock, warned },
    attempts: () => attempts,
    serverSays(reason: string | undefined) {
      serverReason = reason;
    },
    /** Lets what is under way come to its pause, or to its end. */
    settled: () => new Promise(setImmediate),
  };
}

test('ready as soon as an attempt succeeds, and not tried again', async () => {
  const { bringingUp, clock, attempts, warned } = begin([]);
  expect(bringingUp.whyNotReady()).toBe('The statistics store has not answered yet');
  await bringingUp.done;
  expect(bringingUp.whyNotReady()).toBeUndefined();
  clock.advance(10 * longestPauseMs);
  expect(attempts()).toBe(1);
  expect(warned).toEqual([]);
});

test('what may pass is tried again after a pause; each new reason is logged once', async () => {
  const { bringingUp, clock, attempts, warned, settled } = begin([away, away, fullDisk]);
  await settled();
  expect(bringingUp.whyNotReady()).toBe('away: nobody listens');
  clock.advance(100);
  await settled();
  expect(attempts()).toBe(1);
  for (const tried of [2, 3, 4]) {
    clock.advance(longestPauseMs);
    await settled();
    expect(attempts()).toBe(tried);
  }
  await bringingUp.done;
  expect(bringingUp.whyNotReady()).toBeUndefined();
  expect(warned).toEqual(['away: nobody listens', 'no space left']);
});

test.each([new Fault('INTERNAL', 'of a later release'), new Error('of a later release')])(
  'what waiting cannot mend ends it, with the reason: %o',
  async (failure) => {
    const { bringingUp, clock, attempts } = begin([failure]);
    await expect(bringingUp.done).rejects.toBe(failure);
    expect(bringingUp.whyNotReady()).toBe('of a later release');
    clock.advance(longestPauseMs);
    expect(attempts()).toBe(1);
    await bringingUp.stop();
  },
);

test('while the server is known to be away, nothing is tried', async () => {
  const { bringingUp, clock, attempts, serverSays, settled } = begin([away]);
  serverSays('starting');
  await settled();
  clock.advance(longestPauseMs);
  await settled();
  expect(attempts()).toBe(1);
  serverSays(undefined);
  clock.advance(lookMs);
  await settled();
  expect(attempts()).toBe(2);
  await bringingUp.done;
});

test.each([
  [0, 125],
  [0.5, 250],
])(
  'where nobody knows of the server, it is asked after a pause by chance (%d)',
  async (drawn, pauseMs) => {
    vi.spyOn(Math, 'random').mockReturnValue(drawn);
    onTestFinished(() => void vi.restoreAllMocks());
    const { bringingUp, clock, attempts, settled } = begin([away], false);
    await settled();
    clock.advance(pauseMs - 1);
    await settled();
    expect(attempts()).toBe(1);
    clock.advance(1);
    await bringingUp.done;
    expect(attempts()).toBe(2);
  },
);

test('stopping ends the pause, and no attempt follows', async () => {
  const { bringingUp, clock, attempts, settled } = begin([away]);
  await settled();
  await bringingUp.stop();
  clock.advance(longestPauseMs);
  await settled();
  expect(attempts()).toBe(1);
});
