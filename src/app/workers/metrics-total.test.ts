import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { beforeEach, expect, test } from 'vitest';
import type { Metrics } from './messages.ts';
import { createSummedMetrics, type SummedMetrics } from './metrics-total.ts';

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
