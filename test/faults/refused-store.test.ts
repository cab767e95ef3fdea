/** A store that the service cannot use stops the start, with the reason and exit code 1. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../src/lib/time/clock.ts';
import { openFactStore } from '../../src/store/client/store-client.ts';
import { migrate } from '../../src/store/migrations/migrate.ts';
import { migrations } from '../../src/store/migrations/migrations.ts';
import { program } from '../support/program.ts';
import { engineAccess } from '../support/shared-parts.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'playmeter-refused-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each([
  [
    'a later release',
    [...migrations, { name: '9999-later', statements: ['SELECT 1'] }],
    'a later release used it and applied migration 9999-later: use that one',
  ],
  [
    'a development version',
    [{ name: '0001-stretch-and-playback', statements: ['SELECT 1'] }],
    'its tables were made by a development version that was never released, and cannot be ' +
      'converted: go on with that version, or start with another DATA_DIR or CLICKHOUSE_DATABASE',
  ],
])('a store of %s', async (_, applied, reason) => {
  const database = `test_${randomUUID().replaceAll('-', '')}`;
  const { url, username, password } = engineAccess();
  const store = openFactStore({ url, username, password, database });
  await migrate(store, applied, systemClock).finally(store.close);
  const env = {
    ...process.env,
    DATA_DIR: folder,
    PORT: '0',
    LOG_LEVEL: 'silent',
    CLICKHOUSE_URL: url,
    CLICKHOUSE_USER: username,
    CLICKHOUSE_PASSWORD: password,
    CLICKHOUSE_DATABASE: database,
  };
  const { code, complaint } = await new Promise<{ code: number | null; complaint: string }>(
    (resolve) => {
      const child = execFile(process.execPath, [program, 'serve'], { env }, (_error, _out, text) =>
        resolve({ code: child.exitCode, complaint: text }),
      );
    },
  );
  expect(complaint).toBe(`playmeter serve: The statistics store cannot be used: ${reason}\n`);
  expect(code).toBe(1);
});
