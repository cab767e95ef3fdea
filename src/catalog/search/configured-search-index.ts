import type { Dialect } from '../database/connection.ts';
import { postgresSearchIndex } from './postgres-search-index.ts';
import type { SearchIndex } from './search-index.ts';
import { sqliteSearchIndex } from './sqlite-search-index.ts';

export function chooseSearchIndex({ dialect }: { readonly dialect: Dialect }): SearchIndex {
  return dialect === 'sqlite' ? sqliteSearchIndex : postgresSearchIndex;
}
