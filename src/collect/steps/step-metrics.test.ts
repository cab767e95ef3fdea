import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { manualClock } from '../../../test/support/manual-clock.ts';
import type { Draft, Step } from '../draft.ts';
import { createStepMeter, timedEveryRuns } from './step-metrics.ts';

const draft = { view: 'v' } as Draft;
const context = { sender: {}, nowMs: 0 };

async function valuesOf(metrics: Registry, name: string): Promise<Record<string, number>> {
  const metric = await metrics.getSingleMetric(name)?.get();
  const named = metric?.values.map(({ labels, value }) => [Object.values(labels).join(), value]);
  return Object.fromEntries(named ?? []);
}

test('runs, time and refusals are counted by step, and the answers pass through', async () => {
  const metrics = new Registry();
  const clock = manualClock();
  const meter = createStepMeter(metrics, clock);
  const refusal = { code: 'BOT' as const, detail: 'x' };
  const slow: Step = {
    name: 'slow step',
    run() {
      clock.advance(3);
      return undefined;
    },
  };
  const strict: Step = {
    name: 'strict step',
    run(_, { nowMs }) {
      clock.advance(1);
      return nowMs === 0 ? refusal : undefined;
    },
  };
  const [first, second] = [meter.measured(slow), meter.measured(strict)];
  expect([first.name, second.name]).toEqual(['slow step', 'strict step']);
  for (let run = 1; run < timedEveryRuns; run += 1) first.run(draft, context);
  expect(await valuesOf(metrics, 'playmeter_step_seconds_total')).toEqual({
    'slow step': 0,
    'strict step': 0,
  });
  for (let run = 0; run <= timedEveryRuns; run += 1) {
    expect(first.run(draft, context)).toBeUndefined();
  }
  expect(second.run(draft, context)).toBe(refusal);
  expect(second.run(draft, { ...context, nowMs: 1 })).toBeUndefined();
  expect(second.run(draft, context)).toBe(refusal);

  expect(await valuesOf(metrics, 'playmeter_step_runs_total')).toEqual({
    'slow step': 2 * timedEveryRuns,
    'strict step': 3,
  });
  const seconds = await valuesOf(metrics, 'playmeter_step_seconds_total');
  expect(seconds['slow step']).toBeCloseTo(2 * timedEveryRuns * 0.003);
  expect(await valuesOf(metrics, 'playmeter_step_refusals_total')).toEqual({
    'strict step,BOT': 2,
  });
  // Asking again adds nothing.
  expect(await valuesOf(metrics, 'playmeter_step_seconds_total')).toEqual(seconds);
});

test('of many runs some are timed, and time is that of all', async () => {
  const metrics = new Registry();
  let readings = 0;
  const clock = { monotonic: () => 5 * readings++ };
  const double = createStepMeter(metrics, clock).measure(
    'double',
    (one: number, other: number) => one * other,
    (product) => (product === 9 ? { code: 'BOT', detail: '' } : undefined),
  );
  for (let run = 0; run < 10 * timedEveryRuns; run += 1) expect(double(2, 3)).toBe(6);
  expect(double(3, 3)).toBe(9);
  expect(readings).toBe(20);
  const { double: seconds } = await valuesOf(metrics, 'playmeter_step_seconds_total');
  expect(seconds).toBeCloseTo((10 * timedEveryRuns + 1) * 0.005);
  expect(await valuesOf(metrics, 'playmeter_step_refusals_total')).toEqual({ 'double,BOT': 1 });
});
