import { randomUUID } from 'node:crypto';
import type { Postgres } from './postgres.ts';

/** What nodes of one service have in common: a catalog, a fact store, a secret. */
export async function nodeEnvironment(postgres: Postgres): Promise<Record<string, string>> {
  return {
    DATABASE_URL: await postgres.createDatabase(),
    CLICKHOUSE_DATABASE: `nodes_${randomUUID().replaceAll('-', '')}`,
    APP_SECRET: 'the same secret on both of the nodes',
  };
}
