/** Files of the tables that are not as they were written. */
import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { useNewStore } from '../../../test/support/use-new-store.ts';
import { checkNewParts, checkParts } from './part-check.ts';

const made = useNewStore();
beforeAll(async () => {
  for (const slot of [0, 900]) {
    await made().run(
      `INSERT INTO stretch (accountId, slot, view) VALUES (1, ${slot}, generateUUIDv4())`,
    );
  }
  await made().run('INSERT INTO rolled (through) VALUES (1)');
});

test('each part that is damaged, once all are read', async () => {
  const shares: number[] = [];
  const noted: unknown[] = [];
  const check = () => checkParts(made().store, (share) => shares.push(share));
  const checkNew = (seconds: number) =>
    checkNewParts(made().store, seconds, (...failure) => noted.push(failure));
  expect(await check()).toEqual([]);
  // One partition of each of the two tables.
  expect(shares).toHaveLength(2);
  expect(shares[0]).toBeGreaterThan(0);
  expect(shares[0]).toBeLessThan(1);
  expect(shares[1]).toBe(1);
  await checkNew(1_000);
  expect(noted).toEqual([]);

  const [part] = await made().rows<{ path: string; name: string }>(
    `SELECT path, name FROM system.parts
      WHERE database = currentDatabase() AND table = 'stretch' AND active ORDER BY name`,
  );
  await truncate(join(part?.path ?? '', 'data.bin'), 1);
  await made().run('SYSTEM DROP MARK CACHE');
  const damaged = {
    table: 'stretch',
    part: part?.name,
    reason: expect.stringContaining('data.bin'),
  };
  expect(await check()).toEqual([damaged]);
  await checkNew(1_000);
  expect(noted).toEqual([
    ['check parts', 'damage', expect.objectContaining({ message: expect.any(String) })],
  ]);
  expect(String(noted.flat().at(-1))).toContain(`stretch ${part?.name}: `);
});
