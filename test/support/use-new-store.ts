/** A store of the facts with a database of its own on the engine that all test files share. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect } from 'vitest';
import { type FactStore, openFactStore } from '../../src/store/client/store-client.ts';
import { createFactWriter } from '../../src/store/facts/fact-writer.ts';
import type { Fact, FactQuery } from '../../src/store/facts.ts';
import { encodeFacts } from '../../src/store/journal/fact-batch.ts';
import { tables } from '../../src/store/tables/schema.ts';
import { createStatements, type Table } from '../../src/store/tables/table.ts';
import { dropDatabase } from './drop-database.ts';
import { engineAccess } from './shared-parts.ts';

export interface NewStore {
  readonly store: FactStore;
  /** With notes of their slots, as a service writes them. */
  write(facts: readonly Fact[]): Promise<void>;
  /** A statement by hand; one that changes stored rows has done so when it resolves. */
  run(sql: string, parameters?: FactQuery['parameters']): Promise<void>;
  rows<Row>(sql: string, parameters?: FactQuery['parameters']): Promise<Row[]>;
  /** As if no slot was touched, and no roll-up had run. */
  forgetRollUps(): Promise<void>;
}

interface OpenedStore extends NewStore {
  /** With all that is in it. */
  drop(): Promise<void>;
}

/** One for all tests of a file. */
export function useNewStore(): () => NewStore {
  let opened: OpenedStore | undefined;
  beforeAll(async () => {
    opened = await openNewStore();
  });
  afterAll(() => opened?.drop());
  return () => opened ?? expect.fail('the store is open while tests run');
}

async function openNewStore(): Promise<OpenedStore> {
  const database = `test_${randomUUID().replaceAll('-', '')}`;
  const access = engineAccess();
  const store = openFactStore({ ...access, database });
  await store.createDatabase();
  // The migrations lead to the same tables, and take ten times as long.
  const all: readonly Table[] = Object.values(tables);
  const statements = all.flatMap((table) => createStatements(table, { kind: 'server' }));
  await Promise.all(statements.map((sql) => store.command({ name: 'test', sql, parameters: {} })));
  const write = createFactWriter(store, async (batch) => batch);
  const run: NewStore['run'] = (sql, parameters = {}) =>
    store.command({
      name: 'test',
      sql: sql.startsWith('ALTER') ? `${sql} SETTINGS mutations_sync = 1` : sql,
      parameters,
    });
  return {
    store,
    write: (facts) => write(encodeFacts(facts)),
    run,
    rows: (sql, parameters = {}) => store.select({ name: 'test', sql, parameters }),
    async forgetRollUps() {
      for (const table of ['touched', 'rolled']) await run(`TRUNCATE TABLE ${table}`);
    },
    async drop() {
      await store.close();
      await dropDatabase({ ...access, urls: [access.url] }, database);
    },
  };
}
