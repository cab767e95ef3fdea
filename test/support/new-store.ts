/** A store of the facts with a database of its own on the engine that all test files share. */
import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { encodeFacts } from '../../src/facts/fact-batch.ts';
import { type FactStore, openFactStore } from '../../src/facts/fact-store.ts';
import { createFactWriting } from '../../src/facts/fact-writing.ts';
import type { Fact, FactQuery } from '../../src/facts/facts.ts';
import { migrate } from '../../src/facts/migrate.ts';
import { migrations } from '../../src/facts/migrations.ts';
import { systemClock } from '../../src/lib/clock.ts';

export interface NewStore {
  readonly store: FactStore;
  /** With notes of their slots, as a service writes them. */
  write(facts: readonly Fact[]): Promise<void>;
  /** A statement by hand; one that changes stored rows has done so when it resolves. */
  run(sql: string, parameters?: FactQuery['parameters']): Promise<void>;
  rows<Row>(sql: string, parameters?: FactQuery['parameters']): Promise<Row[]>;
}

export async function newStore(): Promise<NewStore> {
  const database = `test_${randomUUID().replaceAll('-', '')}`;
  const store = openFactStore({ ...inject('engineAccess'), database });
  await migrate(store, migrations, systemClock);
  const write = createFactWriting(store, async (batch) => batch);
  return {
    store,
    write: (facts) => write(encodeFacts(facts)),
    run: (sql, parameters = {}) =>
      store.command({
        name: 'test',
        sql: sql.startsWith('ALTER') ? `${sql} SETTINGS mutations_sync = 1` : sql,
        parameters,
      }),
    rows: (sql, parameters = {}) => store.select({ name: 'test', sql, parameters }),
  };
}
