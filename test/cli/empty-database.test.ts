/** Verbs that need data, on a PostgreSQL database that has none. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/catalog/database/database.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { type CommandLine, openCommandLine } from '../support/command-line.ts';
import { type Postgres, startPostgres } from '../support/postgres.ts';

let postgres: Postgres;
let databaseUrl: string;
let commands: CommandLine;
beforeAll(async () => {
  postgres = await startPostgres();
  databaseUrl = await postgres.createDatabase();
  commands = await openCommandLine({ DATABASE_URL: databaseUrl });
});
afterAll(async () => {
  await commands?.remove();
  await postgres?.stop();
});

test.each([
  ['account', 'list'],
  ['video', 'list', '--account', '1', '--folder', '1'],
  ['beacons', 'import', '--account', '1', '-'],
])('say that there is no data, and make no tables: %s %s', async (...words) => {
  const { code, stdout, stderr } = await commands.run(...words);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toBe(
    `playmeter ${words[0]} ${words[1]}: There is no data in the database (DATABASE_URL): ` +
      'start the service, or create an account\n',
  );
  expect(await tables()).toEqual([]);
});

test('find the data once an account was created', async () => {
  expect(await commands.run('account', 'create', '--name', 'A')).toMatchObject({ code: 0 });
  const { code, stdout } = await commands.run('account', 'list', '--json');
  expect({ code, list: JSON.parse(stdout).accountList }).toMatchObject({
    code: 0,
    list: [{ accountId: 1, name: 'A' }],
  });
});

async function tables() {
  const { kysely } = openDatabase({ databaseUrl }, systemClock);
  try {
    return await kysely.introspection.getTables({ withInternalKyselyTables: true });
  } finally {
    await kysely.destroy();
  }
}
