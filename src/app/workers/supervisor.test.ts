import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { pino } from 'pino';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { beforeEach, expect, test } from 'vitest';
import { type ManualClock, manualClock } from '../../../test/support/manual-clock.ts';
import { waitUntil } from '../../../test/support/wait-until.ts';
import type { Message, Metrics, NodeState, WorkerState } from './messages.ts';
import {
  createSummedMetrics,
  type SummedMetrics,
  superviseWorkers,
  type WorkerProcess,
} from './supervisor.ts';

const state: WorkerState = { storedThrough: 1, completeThrough: 1, isReady: true };
/** Says once how it is, and then only runs until it is asked to stop. */
const script = `process.send({ kind: 'worker', state: ${JSON.stringify(state)} });
  process.on('message', () => {});`;

/** What each says first is listened for from its start on: it may come before it is waited for. */
function spawnWorkers() {
  const children: ChildProcess[] = [];
  const firstWords: Promise<unknown[]>[] = [];
  return {
    children,
    firstWordOf: (index: number) => firstWords[index],
    spawnNext(): ChildProcess {
      const stdio = ['ignore', 'ignore', 'inherit', 'ipc'] as const;
      const child = spawn(process.execPath, ['-e', script], { stdio: [...stdio] });
      children.push(child);
      firstWords.push(once(child, 'message'));
      return child;
    },
  };
}

function asWorker(child: ChildProcess, signals: NodeJS.Signals[]): WorkerProcess {
  return {
    process: {
      pid: child.pid,
      kill(signal) {
        signals.push(signal);
        return child.kill(signal);
      },
    },
    isConnected: () => child.connected,
    send: (message: Message, done) => child.send(message, done),
    on: child.on.bind(child),
  };
}

function supervise(
  clock: ManualClock,
  parts: Pick<Parameters<typeof superviseWorkers>[0], 'count' | 'fork'>,
) {
  return superviseWorkers({
    ...parts,
    whyEngineNotReady: () => undefined,
    onDamage: () => {},
    addMetrics: () => {},
    clock,
    logger: pino({ level: 'silent' }),
  });
}

test('a worker that hangs is ended, and so is the next one, which hangs before its first word', async () => {
  const clock = manualClock();
  const { children, firstWordOf, spawnNext } = spawnWorkers();
  const signals: NodeJS.Signals[] = [];
  const supervisor = supervise(clock, {
    count: 1,
    fork() {
      const child = spawnNext();
      if (children.length === 2) child.kill('SIGSTOP');
      return asWorker(child, signals);
    },
  });
  const childAt = (index: number) => children[index] as ChildProcess;
  const toBeStarted = (count: number) =>
    waitUntil('another in its place', () => {
      if (children.length < count) clock.advance(100);
      return children.length === count;
    });
  await firstWordOf(0);
  childAt(0).kill('SIGSTOP');
  const first = once(childAt(0), 'exit');
  clock.advance(20_000);
  expect(await first).toEqual([null, 'SIGKILL']);

  await toBeStarted(2);
  const second = once(childAt(1), 'exit');
  // A start may take longer than a worker may be silent.
  clock.advance(59_000);
  expect(signals).toEqual(['SIGKILL']);
  clock.advance(2_000);
  expect(await second).toEqual([null, 'SIGKILL']);

  await toBeStarted(3);
  await firstWordOf(2);
  const third = once(childAt(2), 'exit');
  await supervisor.stop();
  expect(await third).toEqual([null, 'SIGTERM']);
});

test('a worker that died a moment ago is sent something: another is started in its place', async () => {
  const clock = manualClock();
  const { children, firstWordOf, spawnNext } = spawnWorkers();
  const supervisor = supervise(clock, {
    count: 1,
    fork: () => asWorker(spawnNext(), []),
  });
  const first = children[0] as ChildProcess;
  await firstWordOf(0);
  const ended = once(first, 'exit');
  first.kill('SIGKILL');
  // Until all its threads have ended, this process does nothing else: it has not heard of it.
  const threads = `/proc/${first.pid}/task`;
  while (readdirSync(threads).length > 1) {}
  while (!/\) Z /.test(readFileSync(`${threads}/${first.pid}/stat`, 'utf8'))) {}
  expect(first.connected).toBe(true);
  clock.advance(100);
  expect(await ended).toEqual([null, 'SIGKILL']);
  await waitUntil('another in its place', () => {
    if (children.length === 1) clock.advance(100);
    return children.length === 2;
  });
  const second = children[1] as ChildProcess;
  await firstWordOf(1);
  const stopped = once(second, 'exit');
  await supervisor.stop();
  expect(await stopped).toEqual([null, 'SIGTERM']);
});

/** Says how far it has stored what it acknowledged, when the test tells it to. */
const obedient = `process.on('message', ({ through }) => {
  if (through === undefined) return;
  const state = { storedThrough: through, completeThrough: through, isReady: through > 0 };
  process.send({ kind: 'worker', state });
});`;

test('what all have stored is what the one that lags has; it stands still while that one hangs', async () => {
  const clock = manualClock();
  /** By number; of one that was started again the last. */
  const children = new Map<number, ChildProcess>();
  const signals: NodeJS.Signals[] = [];
  let last: NodeState | undefined;
  const supervisor = supervise(clock, {
    count: 3,
    fork(number) {
      const stdio = ['ignore', 'ignore', 'inherit', 'ipc'] as const;
      const child = spawn(process.execPath, ['-e', obedient], { stdio: [...stdio] });
      children.set(number, child);
      const worker = asWorker(child, signals);
      return {
        ...worker,
        send(message, done) {
          if (message.kind === 'node') last = message.state;
          return worker.send(message, done);
        },
      };
    },
  });
  const childOf = (number: number) => children.get(number) as ChildProcess;
  const say = async (number: number, through: number) => {
    const said = once(childOf(number), 'message');
    childOf(number).send({ through });
    await said;
  };
  const next = () => {
    clock.advance(100);
    return { stored: last?.storedThrough, complete: last?.completeThrough };
  };
  await say(1, 500);
  expect(next()).toEqual({ stored: 0, complete: 500 });
  await say(2, 300);
  expect(next()).toEqual({ stored: 0, complete: 500 });
  await say(3, 400);
  expect(next()).toEqual({ stored: 300, complete: 500 });
  await say(2, 450);
  expect(next()).toEqual({ stored: 400, complete: 500 });

  const hanging = childOf(3);
  const ended = once(hanging, 'exit');
  hanging.kill('SIGSTOP');
  for (const through of [1_000, 2_000, 3_000, 4_000]) {
    await say(1, through);
    await say(2, through);
    expect(next()).toEqual({ stored: 400, complete: through });
    clock.advance(5_000);
  }
  expect(await ended).toEqual([null, 'SIGKILL']);
  expect(signals).toEqual(['SIGKILL']);
  expect(next()).toEqual({ stored: 400, complete: 4_000 });
  await waitUntil('another in its place', () => {
    if (childOf(3) === hanging) clock.advance(100);
    return childOf(3) !== hanging;
  });
  // It starts, with what the journal holds still to be stored.
  await say(3, 0);
  expect(next()).toEqual({ stored: 400, complete: 4_000 });
  await say(3, 3_500);
  expect(next()).toEqual({ stored: 3_500, complete: 4_000 });

  const exits = [...children.values()].map((child) => once(child, 'exit'));
  await supervisor.stop();
  expect(await Promise.all(exits)).toEqual(exits.map(() => [null, 'SIGTERM']));
});

/** What a process counts, as it would be read from it. */
interface Counted {
  readonly taken?: Readonly<Record<string, number>>;
  readonly seconds?: readonly number[];
  readonly waiting?: number;
  readonly behind?: number;
  readonly ready?: number;
}

function registryOf({ taken = {}, seconds = [], ...gauges }: Counted): Registry {
  const registers = [new Registry()];
  const counter = new Counter({ name: 'taken', help: 'A', labelNames: ['way'], registers });
  for (const [way, count] of Object.entries(taken)) counter.inc({ way }, count);
  const histogram = new Histogram({ name: 'seconds', help: 'B', buckets: [1, 10], registers });
  for (const one of seconds) histogram.observe(one);
  const togethers = { waiting: 'sum', behind: 'max', ready: 'min' } as const;
  for (const name of ['waiting', 'behind', 'ready'] as const) {
    const gauge = new Gauge({ name, help: 'C', aggregator: togethers[name], registers });
    gauge.set(gauges[name] ?? 0);
  }
  return registers[0] as Registry;
}

let summed: SummedMetrics;
beforeEach(() => {
  summed = createSummedMetrics();
});

async function note(worker: number, counted: Counted): Promise<void> {
  summed.note(worker, (await registryOf(counted).getMetricsAsJSON()) as Metrics);
}

/** The lines that have a number, by what stands before it. */
async function shown(own = new Registry()): Promise<Record<string, number>> {
  const lines = (await summed.text(own)).split('\n').filter((line) => /^[a-z]/.test(line));
  return Object.fromEntries(
    lines.map((line) => [line.replace(/ \S+$/, ''), Number(/ (\S+)$/.exec(line)?.[1])]),
  );
}

test('counts of all workers and of the parent are added up, each gauge in its way', async () => {
  await note(1, {
    taken: { direct: 2, app: 1 },
    seconds: [0.5, 5],
    waiting: 3,
    behind: 7,
    ready: 1,
  });
  await note(2, { taken: { direct: 40 }, seconds: [50], waiting: 4, behind: 2, ready: 0 });
  const own = new Registry();
  new Counter({ name: 'taken', help: 'A', labelNames: ['way'], registers: [own] }).inc(
    { way: 'app' },
    100,
  );
  new Gauge({ name: 'workers', help: 'D', registers: [own] }).set(2);
  expect(await shown(own)).toEqual({
    'taken{way="direct"}': 42,
    'taken{way="app"}': 101,
    'seconds_bucket{le="1"}': 1,
    'seconds_bucket{le="10"}': 2,
    'seconds_bucket{le="+Inf"}': 3,
    seconds_sum: 55.5,
    seconds_count: 3,
    ...{ waiting: 7, behind: 7, ready: 0, workers: 2 },
  });
});

test('of a worker the last note counts, and not one more', async () => {
  await note(1, { taken: { direct: 2 }, waiting: 9 });
  await note(1, { taken: { direct: 5 }, waiting: 1 });
  expect(await shown()).toMatchObject({ 'taken{way="direct"}': 5, waiting: 1 });
});

test('what ended workers counted stays, and their gauges go', async () => {
  await note(1, { taken: { direct: 2 }, seconds: [5], waiting: 3, ready: 1 });
  await note(2, { taken: { direct: 1 }, waiting: 4, ready: 0 });
  await summed.end(2);
  expect(await shown()).toMatchObject({ 'taken{way="direct"}': 3, waiting: 3, ready: 1 });
  await summed.end(1);
  // One in its place, which begins anew, and ends too.
  await note(1, { taken: { direct: 10 }, seconds: [0.5], waiting: 1, ready: 1 });
  await summed.end(1);
  await note(1, { taken: { app: 1 } });
  expect(await shown()).toMatchObject({
    'taken{way="direct"}': 13,
    'taken{way="app"}': 1,
    'seconds_bucket{le="1"}': 1,
    seconds_count: 2,
    ...{ waiting: 0, ready: 0 },
  });
});

test('a worker that ended before it was ever asked changes nothing', async () => {
  await note(1, { taken: { direct: 2 } });
  await summed.end(2);
  expect(await shown()).toMatchObject({ 'taken{way="direct"}': 2 });
});
