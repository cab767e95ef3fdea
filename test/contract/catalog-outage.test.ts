import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCatalog } from '../../src/catalog/open-catalog.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { type ManualClock, manualClock } from '../support/manual-clock.ts';
import { type Postgres, startPostgres } from '../support/postgres.ts';
import { openSilentWay } from '../support/silent-way.ts';
import { waitUntil } from '../support/wait-until.ts';

const clock = manualClock();
const key = `pm_${'a'.repeat(51)}`;
let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres?.stop());

const unavailable = { code: 'UNAVAILABLE', retryAfterSeconds: 1 };

test('a file that is no database is a fault of the world', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'playmeter-outage-'));
  const sqliteFile = join(folder, 'catalog.db');
  await writeFile(sqliteFile, 'this is a text '.repeat(1_000));
  const opening = openCatalog({ location: { sqliteFile }, clock });
  await expect(opening).rejects.toMatchObject(unavailable);
  await rm(folder, { recursive: true });
});

test('a server that falls silent: refused in time, and asked anew over other connections', async () => {
  const url = new URL(await postgres.createDatabase());
  await using silence = await openSilentWay(Number(url.port));
  url.port = String(silence.port);
  const time = manualClock();
  const catalog = await openCatalog({ location: { databaseUrl: url.href }, clock: time });
  const connections = 10;
  const list = (count: number) => Array.from({ length: count }, () => catalog.accounts.list());
  await Promise.all(list(connections));
  expect(silence.fall()).toBe(connections);

  const pinged = expect(catalog.ping()).rejects.toMatchObject(unavailable);
  time.advance(1_000);
  const checked = expect(catalog.keys.authenticate(key)).rejects.toMatchObject(unavailable);
  const listed = list(connections - 2).map((one) => expect(one).rejects.toMatchObject(unavailable));
  // One for each statement, and one for each of those who wait for less.
  await untilWaiting(time, connections + 2);
  time.advance(5_000);
  await Promise.all([pinged, checked]);
  // At once, because the first one still waits.
  await expect(catalog.keys.authenticate(key)).rejects.toMatchObject(unavailable);
  time.advance(30_000);
  await Promise.all(listed);
  await waitUntil('a connection that works', () =>
    catalog.keys.authenticate(key).then(
      () => true,
      () => false,
    ),
  );
  expect(await catalog.accounts.list()).toEqual([]);
  await catalog.close();
});

test('a server that hangs: what waits for it is refused, and then all goes on', async () => {
  const databaseUrl = await postgres.createDatabase();
  const catalog = await openCatalog({ location: { databaseUrl }, clock: systemClock });
  const { accountId } = accepted(await catalog.accounts.create({ name: 'One', timeZone: 'UTC' }));
  const locker = new pg.Client(databaseUrl);
  await locker.connect();
  await locker.query('begin; select from accounts for update');
  const waiting = catalog.accounts.change(accountId, { name: 'Other' });
  const refusedLater = expect(waiting).rejects.toMatchObject(unavailable);
  await waitUntil('it to wait for the lock', async () => {
    const found = await locker.query('select from pg_locks where not granted');
    return found.rowCount === 1;
  });
  const thaw = await postgres.freeze();
  const asked = [catalog.ping(), catalog.accounts.list(), catalog.keys.authenticate(key)];
  await refusedLater;
  for (const one of asked) await expect(one).rejects.toMatchObject(unavailable);
  await expect(catalog.accounts.list()).rejects.toMatchObject(unavailable);
  thaw();
  await locker.end();
  const again = () => catalog.accounts.change(accountId, { name: 'Third' });
  await waitUntil('an answer', () =>
    again().then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  await catalog.close();
});

/** Locks the first account, says so, and goes on when it is asked to. */
const locking = `
  import { once } from 'node:events';
  const { openDatabase } = await import(process.env.DATABASE_MODULE);
  const { systemClock } = await import(process.env.CLOCK_MODULE);
  const { kysely } = openDatabase({ databaseUrl: process.env.DATABASE_URL }, systemClock);
  const ended = await kysely.transaction().execute(async (transaction) => {
    const accounts = transaction.selectFrom('accounts').select('id').forUpdate();
    await accounts.execute();
    console.log('locked');
    await once(process.stdin, 'data');
    await accounts.execute();
  }).then(() => 'done', ({ code }) => code);
  console.log(ended);
  process.exit();`;

test('a process that stands still within a transaction does not block others for ever', async () => {
  const databaseUrl = await postgres.createDatabase();
  // By the system's: the server is asked now and then, and a statement that waits is waited for.
  const catalog = await openCatalog({ location: { databaseUrl }, clock: systemClock });
  const { accountId } = accepted(await catalog.accounts.create({ name: 'One', timeZone: 'UTC' }));
  const still = spawn(process.execPath, ['--input-type=module', '-e', locking], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      DATABASE_MODULE: import.meta.resolve('../../src/catalog/database/database.ts'),
      CLOCK_MODULE: import.meta.resolve('../../src/lib/time/clock.ts'),
    },
  });
  const lines = createInterface({ input: still.stdout });
  expect(await once(lines, 'line')).toEqual(['locked']);
  still.kill('SIGSTOP');
  const changed = accepted(await catalog.accounts.change(accountId, { name: 'Other' }));
  expect(changed.name).toBe('Other');
  // To whoever waits for it, it is an outage and no mistake.
  const said = once(lines, 'line');
  still.kill('SIGCONT');
  still.stdin.write('go on');
  expect(await said).toEqual(['UNAVAILABLE']);
  await once(still, 'exit');
  await catalog.close();
});

// The last one: it stops the server.
test('a server that is away is a fault; once it is back, all goes on', async () => {
  const databaseUrl = await postgres.createDatabase();
  const catalog = await openCatalog({ location: { databaseUrl }, clock });
  await catalog.ping();
  const administrator = new pg.Client(databaseUrl);
  await administrator.connect();
  await administrator.query(`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`);
  await administrator.end();
  // The first ones may still meet broken connections, of which the pool held some.
  await waitUntil('a connection that works', () =>
    catalog.ping().then(
      () => true,
      () => false,
    ),
  );
  await postgres.stop();
  await expect(catalog.ping()).rejects.toMatchObject(unavailable);
  await expect(catalog.accounts.list()).rejects.toMatchObject(unavailable);
  await catalog.close();
  const opening = openCatalog({ location: { databaseUrl }, clock });
  await expect(opening).rejects.toMatchObject(unavailable);
});

function untilWaiting(time: ManualClock, count: number): Promise<void> {
  return waitUntil('all to wait', () => time.waiting() === count);
}
