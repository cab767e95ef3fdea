/** When work by a schedule runs, in which order, and what is said and noted of it. */
import { pino } from 'pino';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { openCatalogAlone } from '../../../test/support/catalog-alone.ts';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { waitUntil } from '../../../test/support/wait-until.ts';
import { type Catalog, runLeaseMs } from '../../catalog/catalog.ts';
import { readSchedule, type Schedule } from '../../lib/time/schedule.ts';
import { keepToSchedule, pollMs, type RunOutcome, type ScheduledWork } from './scheduled-job.ts';

const dayMs = 86_400_000;
const nightly = readSchedule('0 3 * * *') as Schedule;

let clock: ReturnType<typeof manualClock>;
let catalog: Catalog;
let ran: string[];
let said: { readonly level: number; readonly msg: string; readonly [more: string]: unknown }[];
const logger = pino({ base: null }, { write: (line) => void said.push(JSON.parse(line)) });

beforeEach(async () => {
  clock = manualClock();
  catalog = await openCatalogAlone(clock);
  [ran, said] = [[], []];
  onTestFinished(() => catalog.close());
});

const worksWith = (run: ScheduledWork['run'], by = catalog): ScheduledWork[] => [
  { ...common('backup', run), runs: by.backups },
  { ...common('verify', run), runs: by.verifications },
];
const common = (name: string, run: ScheduledWork['run']) => ({
  ...{ name, schedule: nightly, whyNotReady: () => undefined },
  run: (held: Parameters<typeof run>[0]) => {
    ran.push(name);
    return run(held);
  },
});

const well = async (): Promise<RunOutcome> => ({ about: {} });

function start(works: readonly ScheduledWork[]): () => Promise<void> {
  const stop = keepToSchedule(works, { clock, logger });
  let isStopped = false;
  const stopOnce = async () => {
    if (isStopped) return;
    isStopped = true;
    await stop();
  };
  onTestFinished(stopOnce);
  return stopOnce;
}

/** Until the next look at the schedules has been waited for, and begins. */
async function pass(ms: number): Promise<void> {
  await waitUntil('a pause between looks', () => clock.waiting() > 0);
  clock.advance(ms);
  await waitUntil('the end of a look', () => clock.waiting() > 0);
}

const begun = () =>
  waitUntil('both to have begun', async () => {
    return (await catalog.verifications.state()) !== undefined;
  });

const backupsBegun = () =>
  waitUntil('the schedule to begin', async () => (await catalog.backups.state()) !== undefined);

const takenOver = 'The scheduled backup has lost its lease: another process has taken it over';

const untilInterrupted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });

/** A backup that works until it is interrupted: its signal. */
async function beginInterruptible(): Promise<AbortSignal> {
  const held = Promise.withResolvers<AbortSignal>();
  const works = worksWith(({ signal }) => {
    held.resolve(signal);
    return untilInterrupted(signal);
  });
  start(works.slice(0, 1));
  await backupsBegun();
  await pass(dayMs);
  return held.promise;
}

/** Another node takes the lease, which has expired, does its work and is done. */
async function holdAndRelease(): Promise<void> {
  // The wall clock alone: the holder hangs, and does not renew its lease meanwhile.
  clock.set(clock.now() + runLeaseMs);
  expect(await catalog.backups.hold('another')).toBeDefined();
  await catalog.backups.release('another');
}

test('each runs when it is due, one after another, and not again before it is', async () => {
  let running = 0;
  const stop = start(
    worksWith(async () => {
      running += 1;
      expect(running).toBe(1);
      await Promise.resolve();
      running -= 1;
      return { about: { made: 1 } };
    }),
  );
  await begun();
  await pass(pollMs);
  expect(ran).toEqual([]);
  await pass(dayMs);
  await waitUntil('two runs', () => ran.length === 2);
  await waitUntil('what is said', () => said.length === 2);
  expect(ran).toEqual(['backup', 'verify']);
  expect(said.map(({ msg }) => msg)).toEqual(['scheduled backup done', 'scheduled verify done']);
  await pass(pollMs);
  expect(ran).toHaveLength(2);
  await stop();
});

test('what was missed while no service ran is made up for at the start, once', async () => {
  const stop = start(worksWith(well));
  await begun();
  await stop();
  clock.advance(5 * dayMs);
  start(worksWith(well));
  await waitUntil('two runs', () => said.length === 2);
  await pass(pollMs);
  expect(ran).toEqual(['backup', 'verify']);
});

test('a failure is said once with its reason, repeated later, and then forgotten', async () => {
  let isBroken = true;
  const works = worksWith(async () => {
    if (isBroken) throw new Error('no room');
    return { about: {} };
  }).slice(0, 1);
  start(works);
  await backupsBegun();
  await pass(dayMs);
  await waitUntil('the failure', () => said.length === 1);
  expect(said[0]).toMatchObject({ level: 40, msg: 'scheduled backup failed, trying again' });
  expect(said[0]?.err).toMatchObject({ message: 'no room' });
  await pass(pollMs);
  expect(said).toHaveLength(1);
  expect(await catalog.backups.state()).toMatchObject({ failures: 1, error: 'no room' });
  isBroken = false;
  await pass(60_000);
  await waitUntil('the repetition', () => said.length === 2);
  const { failures, error, succeededAtMs } = (await catalog.backups.state()) ?? {};
  expect([failures, error, succeededAtMs]).toEqual([0, undefined, clock.now()]);
});

test('a problem that was found is an error, no success, and waits for the next time', async () => {
  start(worksWith(async () => ({ about: {}, problem: 'a sum is wrong' })).slice(1));
  await begun();
  await pass(dayMs);
  await waitUntil('the error', () => said.length === 1);
  expect(said[0]).toMatchObject({ level: 50, msg: 'scheduled verify: a sum is wrong' });
  const state = await catalog.verifications.state();
  expect(state).toMatchObject({ failures: 0, error: 'a sum is wrong', succeededAtMs: undefined });
  await pass(3_600_000);
  expect(ran).toHaveLength(1);
});

test('while a node works, no other does; when it loses its lease it is interrupted', async () => {
  const signal = await beginInterruptible();
  expect(await catalog.backups.hold('another')).toBeUndefined();
  expect(await catalog.verifications.hold('another')).toBeDefined();
  expect(signal.aborted).toBe(false);
  clock.advance(runLeaseMs);
  // Asked before the holder, which was late, renews its lease.
  expect(await catalog.backups.hold('another')).toBeDefined();
  await waitUntil('the interruption', () => signal.aborted);
  expect(said.filter(({ msg }) => msg.includes('failed'))).toEqual([]);
});

test('it is interrupted also if the next has released the lease by the time it renews', async () => {
  const signal = await beginInterruptible();
  await holdAndRelease();
  clock.advance(runLeaseMs / 4);
  await waitUntil('the interruption', () => signal.aborted);
  expect(signal.reason).toMatchObject({ message: takenOver });
});

test('when the catalog is away for as long as a lease, it is interrupted, and says so', async () => {
  const renew = () => Promise.reject(new Error('the catalog is away'));
  const away = { ...catalog, backups: { ...catalog.backups, renew } };
  start(worksWith(({ signal }) => untilInterrupted(signal), away).slice(0, 1));
  await backupsBegun();
  await pass(dayMs);
  await waitUntil('the run', () => ran.length === 1);
  clock.advance(runLeaseMs);
  await waitUntil('what is said', () => said.length === 1);
  const message = 'The scheduled backup has lost its lease: it could not be renewed for 120 s';
  expect(said[0]).toMatchObject({ level: 40, msg: 'the scheduled backup waits', err: { message } });
});

test('whoever hung for longer than its lease is told so before it replaces anything', async () => {
  const hangs = Promise.withResolvers<void>();
  const replaced: string[] = [];
  const works = worksWith(async ({ renew }) => {
    await renew();
    replaced.push('while held');
    await hangs.promise;
    await renew();
    replaced.push('after it was lost');
    return { about: {} };
  });
  start(works.slice(0, 1));
  await backupsBegun();
  await pass(dayMs);
  await waitUntil('a renewal', () => replaced.length === 1);
  await holdAndRelease();
  hangs.resolve();
  await waitUntil('what is said', () => said.length === 1);
  expect(said[0]).toMatchObject({ msg: 'the scheduled backup waits', err: { message: takenOver } });
  expect(replaced).toEqual(['while held']);
  expect(await catalog.backups.hold('another')).toMatchObject({ failures: 0 });
});
