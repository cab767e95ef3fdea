import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { expect, onTestFinished, test } from 'vitest';
import { manualClock } from '../../test/support/manual-clock.ts';
import { addMaintenanceAges, noteMaintenance } from './maintenance-ages.ts';

test('the ages of the last backup and the last verification, NaN before there is any', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'playmeter-ages-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const clock = manualClock();
  const metrics = new Registry();
  addMaintenanceAges(metrics, folder, clock);
  const ages = async () =>
    [...(await metrics.metrics()).matchAll(/^playmeter_(\w+)_age_seconds (\S+)$/gm)].map(
      ([, what, age]) => [what, Number(age)],
    );
  expect(await ages()).toEqual([
    ['backup', NaN],
    ['verify', NaN],
  ]);
  await noteMaintenance(folder, 'verify', { completeThrough: new Date(clock.now()).toISOString() });
  clock.advance(90_000);
  expect(await ages()).toEqual([
    ['backup', NaN],
    ['verify', 90],
  ]);
});

test('what another node has verified by a schedule counts as well, if it is later', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'playmeter-ages-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const clock = manualClock();
  const metrics = new Registry();
  let verifiedAtMs = Number.NaN;
  addMaintenanceAges(metrics, folder, clock, () => verifiedAtMs);
  const age = async () =>
    Number(/^playmeter_verify_age_seconds (\S+)$/m.exec(await metrics.metrics())?.[1]);
  expect(await age()).toBeNaN();
  verifiedAtMs = clock.now() - 60_000;
  expect(await age()).toBe(60);
  await noteMaintenance(folder, 'verify', { completeThrough: new Date(clock.now()).toISOString() });
  expect(await age()).toBe(0);
});
