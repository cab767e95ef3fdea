/**
 * The history of the facts' tables. Each migration is applied once (migrate.ts) and never changed
 * after its release, only followed by another. Statements may be repeated: a crash may fall between
 * the last of them and the record that they were applied.
 */
import { tables } from '../tables/schema.ts';
import type { Table } from '../tables/table.ts';
import { firstTables } from './0001-first-tables.ts';
import { quality } from './0002-quality.ts';
import { playerStates } from './0003-player-states.ts';

export interface Migration {
  /** Names sort in the order of the list. */
  readonly name: string;
  readonly statements: readonly string[];
}

/** Made before any migration is applied. */
export const recordTables: readonly Table[] = [tables.migration, tables.migrating];

export const migrations: readonly Migration[] = [firstTables, quality, playerStates];
