/** A part that a merge left damaged on the disk, with the engine that found it. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { expect, onTestFinished, test } from 'vitest';
import { restartOnDamage, startEngine } from '../../src/engine/engine.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { openFactStore } from '../../src/store/client/store-client.ts';
import { openFacts } from '../../src/store/open-facts.ts';
import { waitUntil } from '../support/wait-until.ts';

test('a damaged part is met with 503, until a restart has taken the parts it was merged from', async () => {
  const { facts, whole } = await openDamaged();
  await expect(facts.events.read([whole])).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringContaining('damaged'),
  });
  await waitUntil('the events to be read again', async () => {
    const events = await facts.events.read([whole]).catch(() => []);
    return events?.length === 3;
  });
});

test('a damaged part that nobody reads is found among what is new', async () => {
  const { facts, whole, engine } = await openDamaged();
  expect(engine.restarts()).toBe(0);
  await facts.checkNewParts(60);
  await waitUntil('another engine', () => engine.restarts() === 1);
  await waitUntil('its answers', () => engine.whyNotReady() === undefined);
  expect(await facts.events.read([whole])).toHaveLength(3);
  await facts.checkNewParts(60);
  expect(engine.restarts()).toBe(1);
});

/** Three events of a view in one part that was merged, of which a file is empty. */
async function openDamaged() {
  const folder = await mkdtemp(join(tmpdir(), 'playmeter-damage-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const logger = pino({ level: 'silent' });
  const engine = await startEngine({ folder, memoryMb: 1_024, logger });
  onTestFinished(() => engine.stop());
  const access = { ...engine.access, database: 'playmeter' };
  const facts = openFacts({
    access,
    whyServerNotReady: engine.whyNotReady,
    onDamage: restartOnDamage(engine, systemClock),
    clock: systemClock,
    logger,
    metrics: new Registry(),
  });
  onTestFinished(() => facts.close());
  const store = openFactStore(access);
  onTestFinished(() => store.close());
  await facts.ready();
  const name = { accountId: 1, view: randomUUID() };
  const event = (sequence: number) => ({
    ...name,
    ...{ momentMs: sequence, sequence, state: 'playing' as const, arrivalMs: Date.now() },
  });
  for (let sequence = 0; sequence < 3; sequence += 1) await facts.events.write([event(sequence)]);
  await store.command({ name: 'merge', sql: 'OPTIMIZE TABLE event FINAL', parameters: {} });
  const [part] = await store.select<{ path: string; rows: number }>({
    name: 'find the part',
    sql: `SELECT path, toUInt32(rows) AS rows FROM system.parts
      WHERE database = currentDatabase() AND table = 'event' AND active`,
    parameters: {},
  });
  expect(part?.rows).toBe(3);
  await truncate(join(part?.path ?? '', 'data.cmrk4'));
  const dropCaches = { name: 'forget marks', sql: 'SYSTEM DROP MARK CACHE', parameters: {} };
  await store.command(dropCaches);
  return { facts, engine, whole: { ...name, fromMs: 0, untilMs: 10 } };
}
