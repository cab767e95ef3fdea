import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { manualClock } from '../../test/support/manual-clock.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { openCatalog } from '../catalog/open-catalog.ts';
import { nextTurn } from '../lib/tasks/fair-turns.ts';
import { accepted } from '../operations/refusal-faults.ts';
import { purgeExpired } from './jobs.ts';

const minuteMs = 60_000;
const roomBytes = 4_194_304;
const logger = pino({ level: 'silent' });
const clock = manualClock();
let folder: string;
let catalog: Catalog;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'playmeter-purge-'));
  catalog = await openCatalog({ location: { sqliteFile: join(folder, 'catalog.sqlite') }, clock });
});
afterAll(async () => {
  await catalog.close();
  await rm(folder, { recursive: true });
});

test('what has expired goes once a minute by the clock, until that is stopped', async () => {
  const { accountId } = accepted(await catalog.accounts.create({ name: 'A', timeZone: 'UTC' }));
  const now = new Date(clock.now());
  const about = { accountId, path: '/report', rowCount: 1, asOf: now, completeThrough: now };
  const body = new TextEncoder().encode('rows');
  const keep = (requestId: string, expiresInMs: number) => {
    const expiresAt = new Date(clock.now() + expiresInMs);
    return catalog.snapshots.keep({ ...about, requestId, body, expiresAt }, roomBytes);
  };
  // More than a portion.
  for (let one = 0; one < 250; one += 1) await keep(`expired ${one}`, 0);
  await keep('valid', 2 * minuteMs);

  const stop = purgeExpired([catalog.snapshots], { clock, logger });
  clock.advance(minuteMs);
  // The next purge is due as soon as this one has ended.
  await expect.poll(clock.waiting).toBe(1);
  expect(await catalog.snapshots.purge()).toBe(0);
  expect(await catalog.snapshots.find('valid')).toMatchObject({ requestId: 'valid' });

  stop();
  await expect.poll(clock.waiting).toBe(0);
});

test('a purge that is stopped removes no further portion', async () => {
  let portions = 0;
  const endless = {
    async purge() {
      portions += 1;
      if (portions === 2) stop();
      return 100;
    },
  };
  const stop = purgeExpired([endless], { clock, logger });
  clock.advance(minuteMs);
  await expect.poll(() => portions).toBe(2);
  await nextTurn();
  await nextTurn();
  expect(portions).toBe(2);
});

test('a purge that fails is tried again', async () => {
  let tries = 0;
  const broken = {
    async purge() {
      tries += 1;
      throw new Error('the disk is full');
    },
  };
  const stop = purgeExpired([broken], { clock, logger });
  const triesSoFar = () => {
    clock.advance(minuteMs);
    return tries;
  };
  await expect.poll(triesSoFar).toBeGreaterThan(1);
  stop();
});
