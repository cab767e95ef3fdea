import { sql } from 'kysely';
import type { Connection } from '../database/connection.ts';
import type { Database } from '../database/database.ts';

/** Below the number of parameters that SQLite takes. */
const namesPerRead = 500;

export function createCatalogVerification({
  kysely,
  dialect,
  clock,
}: Database): CatalogVerification {
  return {
    async unknownOf(accountId, names) {
      const unknown: (typeof names)[number][] = [];
      for (let start = 0; start < names.length; start += namesPerRead) {
        const some = names.slice(start, start + namesPerRead);
        const videoIds = [...new Set(some.map(({ videoId }) => videoId))];
        const rows = await kysely
          .selectFrom('publications')
          .select(['packageId', 'videoId'])
          .where('accountId', '=', accountId)
          .where('videoId', 'in', videoIds)
          .execute();
        const known = new Set(rows.map(createKey));
        unknown.push(...some.filter((name) => !known.has(createKey(name))));
      }
      return unknown;
    },

    async damage() {
      if (dialect === 'postgres') return uncheckedReferences(kysely);
      const { rows: pages } = await sql<{
        integrityCheck: string;
      }>`pragma integrity_check`.execute(kysely);
      const { rows: references } = await sql<{
        table: string;
        rowid: number;
        parent: string;
      }>`pragma foreign_key_check`.execute(kysely);
      return [
        ...pages.map(({ integrityCheck }) => integrityCheck).filter((line) => line !== 'ok'),
        ...references.map(
          ({ table, rowid, parent }) => `row ${rowid} of ${table} names no row of ${parent}`,
        ),
      ];
    },

    async version() {
      const of =
        dialect === 'postgres'
          ? sql`'PostgreSQL ' || current_setting('server_version')`
          : sql`'SQLite ' || sqlite_version()`;
      const { rows } = await sql<{ version: string }>`SELECT ${of} AS version`.execute(kysely);
      return rows[0]?.version ?? '';
    },

    async serverMs() {
      if (dialect !== 'postgres') return undefined;
      const { rows } = await sql<{ ms: number }>`SELECT
        (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms`.execute(kysely);
      return rows[0]?.ms;
    },

    async keepIdentity(name, value, replaces) {
      const kept = kysely.insertInto('identities').values({ name, value });
      await kept
        .onConflict((conflict) => {
          const named = conflict.column('name');
          return replaces ? named.doUpdateSet({ value }) : named.doNothing();
        })
        .execute();
      const found = kysely.selectFrom('identities').select('value').where('name', '=', name);
      return (await found.executeTakeFirstOrThrow()).value;
    },

    async size() {
      const bytes =
        dialect === 'postgres'
          ? sql<number>`pg_database_size(current_database())`
          : sql<number>`(SELECT page_count * page_size
              FROM pragma_page_count(), pragma_page_size())`;
      const { rows } = await sql<CatalogSize>`SELECT ${bytes} AS bytes,
        (SELECT count(*) FROM sessions
          WHERE kind = 'session' AND expires_at_ms > ${clock.now()}) AS sessions,
        (SELECT count(*) FROM erasures
          WHERE state IN ('waiting', 'summing', 'deleting')) AS open_erasures`.execute(kysely);
      return rows[0] as CatalogSize;
    },
  };
}

/**
 * PostgreSQL's foreign keys keep rows from naming what is not there. They don't where a dump was
 * restored with its triggers off, or where a key was added without looking at the rows.
 */
async function uncheckedReferences(kysely: Connection): Promise<string[]> {
  const { rows } = await sql<{ name: string; table: string }>`
    SELECT conname AS name, conrelid::regclass::text AS table FROM pg_constraint
    WHERE contype = 'f' AND connamespace = current_schema()::regnamespace
      AND (NOT convalidated OR EXISTS (SELECT FROM pg_trigger
        WHERE tgconstraint = pg_constraint.oid AND tgenabled <> 'O'))
    ORDER BY name`.execute(kysely);
  return rows.map(({ name, table }) => `${name} of ${table} is not checked by PostgreSQL`);
}

function createKey({ packageId, videoId }: NameOfFacts): string {
  return `${packageId} ${videoId}`;
}

/** Of facts: what they are about. */
export interface NameOfFacts {
  readonly packageId: number;
  readonly videoId: number;
}

/** What belongs to a catalog: its statistics, and the secret by which viewers are told apart. */
export type Identity = 'statistics' | 'secret';

/** How much the catalog holds. */
export interface CatalogSize {
  /** Of its database. */
  readonly bytes: number;
  /** People signed in to the dashboard. */
  readonly sessions: number;
  /** Erasures that are not carried out yet. */
  readonly openErasures: number;
}

/**
 * How far a catalog is: tells an earlier state of it, and another catalog. Ids are never given
 * twice, and rows that statistics refer to are never removed, so each of these only grows.
 */
export interface CatalogMark {
  /** When its first account was made; 0: there is none. It stays the same. */
  readonly beganAtMs: number;
  /** The highest ids. */
  readonly accounts: number;
  readonly packages: number;
  readonly videos: number;
  readonly publications: number;
  /** How often something was taken back; see ChangeWatch. */
  readonly changes: number;
}

/** What the operator's verbs do with the catalog. */
export interface CatalogVerification {
  /** Those of the names that are no publication of the account, not even one that was retired. */
  unknownOf<Name extends NameOfFacts>(accountId: number, names: readonly Name[]): Promise<Name[]>;
  /**
   * What the database finds wrong with itself. PostgreSQL checks references at all times: of these,
   * those that it was set not to check.
   */
  damage(): Promise<string[]>;
  /** Name and version of the database. */
  version(): Promise<string>;
  /** The time of its server's clock, ms; undefined if it has no server. */
  serverMs(): Promise<number | undefined>;
  /** Keeps what it belongs to, unless something else is kept already; resolves to what is. */
  keepIdentity(name: Identity, value: string, replaces: boolean): Promise<string>;
  /** Reads little: for monitoring. */
  size(): Promise<CatalogSize>;
}

/** Works on the tables of any release. */
export async function readMark(kysely: Connection): Promise<CatalogMark> {
  const { rows } = await sql<CatalogMark>`SELECT
    coalesce((SELECT created_at_ms FROM accounts ORDER BY id LIMIT 1), 0) AS began_at_ms,
    coalesce((SELECT max(id) FROM accounts), 0) AS accounts,
    coalesce((SELECT max(id) FROM packages), 0) AS packages,
    coalesce((SELECT max(id) FROM videos), 0) AS videos,
    coalesce((SELECT max(id) FROM publications), 0) AS publications,
    (SELECT count FROM change_count) AS changes`.execute(kysely);
  return rows[0] as CatalogMark;
}
