import { CamelCasePlugin, Kysely } from 'kysely';
import type { Clock } from '../../lib/time/clock.ts';
import type { Actor } from '../audit.ts';
import { type ChangeWatch, watchChanges } from './change-watch.ts';
import type { Connection, Dialect } from './connection.ts';
import { postgresDialect } from './postgres-dialect.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import type { Tables } from './tables.ts';

/** Where the catalog is stored. A file that is only read must be there. */
export type CatalogLocation =
  | { readonly sqliteFile: string; readonly isOnlyRead?: boolean }
  | { readonly databaseUrl: string };

/** What every part of the catalog needs. */
export interface Database {
  readonly kysely: Connection;
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly watch: ChangeWatch;
  /** Whose changes are made through it. */
  readonly actor: Actor;
  /** To be called after migrations, which alone may take as long as they take. */
  boundStatements(): void;
}

export function openDatabase(location: CatalogLocation, clock: Clock): Database {
  const isFile = 'sqliteFile' in location;
  let isBounded = false;
  const bound = { clock, isSet: () => isBounded };
  const dialect = isFile
    ? sqliteDialect(location.sqliteFile, clock, location.isOnlyRead)
    : postgresDialect(location.databaseUrl, bound);
  const kysely = new Kysely<Tables>({ dialect, plugins: [new CamelCasePlugin()] });
  return {
    kysely,
    dialect: isFile ? 'sqlite' : 'postgres',
    clock,
    watch: watchChanges(kysely, clock),
    actor: { kind: 'SERVICE' },
    boundStatements() {
      isBounded = true;
    },
  };
}
