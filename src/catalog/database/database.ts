import { CamelCasePlugin, Kysely } from 'kysely';
import type { Clock } from '../../lib/clock.ts';
import type { Actor } from '../audit.ts';
import { type ChangeWatch, watchChanges } from './change-watch.ts';
import type { Connection, Dialect } from './connection.ts';
import { postgresDialect } from './postgres-dialect.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import type { Tables } from './tables.ts';

/** Where the catalog is stored. */
export type CatalogLocation = { readonly sqliteFile: string } | { readonly databaseUrl: string };

/** What every part of the catalog needs. */
export interface Database {
  readonly kysely: Connection;
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly watch: ChangeWatch;
  /** Whose changes are made through it. */
  readonly actor: Actor;
}

export function openDatabase(location: CatalogLocation, clock: Clock): Database {
  const isFile = 'sqliteFile' in location;
  const dialect = isFile
    ? sqliteDialect(location.sqliteFile)
    : postgresDialect(location.databaseUrl);
  const kysely = new Kysely<Tables>({ dialect, plugins: [new CamelCasePlugin()] });
  return {
    kysely,
    dialect: isFile ? 'sqlite' : 'postgres',
    clock,
    watch: watchChanges(kysely, clock),
    actor: { kind: 'SERVICE' },
  };
}
