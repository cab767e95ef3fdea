/** A part that a merge left damaged on the disk, with the engine that found it. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { startEngine } from '../../src/engine/engine.ts';
import { restartOnDamage } from '../../src/engine/restart-on-damage.ts';
import { openFactStore } from '../../src/facts/fact-store.ts';
import { openFacts } from '../../src/facts/open-facts.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { waitUntil } from '../support/wait-until.ts';

test('a damaged part is met with 503, until a restart has taken the parts it was merged from', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'playmeter-damage-'));
  const logger = pino({ level: 'silent' });
  const engine = await startEngine({ folder, memoryMb: 1_024, logger });
  const access = { ...engine.access, database: 'playmeter' };
  const facts = openFacts({
    access,
    whyServerNotReady: engine.whyNotReady,
    onDamage: restartOnDamage(engine, systemClock),
    clock: systemClock,
    logger,
    metrics: new Registry(),
  });
  const store = openFactStore(access);
  try {
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

    const whole = { ...name, fromMs: 0, untilMs: 10 };
    await expect(facts.events.read([whole])).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('damaged'),
    });
    await waitUntil('the events to be read again', async () => {
      const events = await facts.events.read([whole]).catch(() => []);
      return events?.length === 3;
    });
  } finally {
    await store.close();
    await facts.close();
    await engine.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
