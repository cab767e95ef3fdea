/**
 * The history of the facts' tables. Each migration is applied once (migrate.ts) and never changed
 * after its release, only followed by another. Statements may be repeated: a crash may fall between
 * the last of them and the record that they were applied.
 */
import { tables } from '../tables/schema.ts';
import { createStatements, type Table } from '../tables/table.ts';

export interface Migration {
  /** Names sort in the order of the list. */
  readonly name: string;
  readonly statements: readonly string[];
}

/** Made before any migration is applied. */
export const recordTables: readonly Table[] = [tables.migration, tables.migrating];

/**
 * Until the first release its statements follow the tables' definitions. Then they are written out
 * here, and whoever changes a table adds a migration; a test holds the two together.
 */
const firstTables: Migration = {
  name: '0001-first-tables',
  statements: Object.values(tables)
    .filter((table) => !recordTables.includes(table))
    .flatMap((table) => createStatements(table, { kind: 'server' })),
};

export const migrations: readonly Migration[] = [firstTables];
