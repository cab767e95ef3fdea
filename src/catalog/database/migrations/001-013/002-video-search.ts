import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Dialect } from '../../connection.ts';

/** The index by title is scanned for common keywords, and has all columns that lists sort by. */
const folderOrders = {
  videosByFolder: ['folderId', 'id'],
  videosByTitle: ['folderId', 'titleOrder', 'id', 'durationMs', 'fileSizeBytes'],
  videosByDuration: ['folderId', 'durationMs', 'id'],
  videosByFileSize: ['folderId', 'fileSizeBytes', 'id'],
  videosByCid: ['accountId', 'cid', 'id'],
};

const packageOrders = {
  publicationsByTitle: ['packageId', 'titleOrder', 'videoId', 'durationMs', 'fileSizeBytes'],
  publicationsByDuration: ['packageId', 'durationMs', 'videoId'],
  publicationsByFileSize: ['packageId', 'fileSizeBytes', 'videoId'],
};

/** The search index, and one index for each order of a list. */
export function videoSearch(dialect: Dialect): Migration {
  return {
    async up(database: Kysely<unknown>) {
      if (dialect === 'sqlite') await createSqliteSearch(database);
      else await createPostgresSearch(database);
      for (const [name, columns] of Object.entries(folderOrders)) {
        const index = database.schema.createIndex(name).on('videos').columns(columns);
        await index.where(sql.ref('deleted_at_ms'), 'is', null).execute();
      }
      for (const [name, columns] of Object.entries(packageOrders)) {
        const index = database.schema.createIndex(name).on('publications').columns(columns);
        await index.where(sql.ref('retired_at_ms'), 'is', null).execute();
      }
    },
  };
}

/**
 * TRICKY: the text put in is already cut into tokens (search-text.ts), one control character
 * between them, so that the tokenizer has nothing to do but to take every other character as part
 * of a token. `content=''` keeps the tokens only, not the text; `prefix` makes keywords of one
 * and two characters as fast as longer ones: the place of the field stands before them.
 */
async function createSqliteSearch(database: Kysely<unknown>) {
  await sql`
    create virtual table video_search using fts5(
      tokens, content = '', contentless_delete = 1, prefix = '2 3',
      tokenize = 'ascii tokenchars '' !"#$%&''''()*+,-./:;<=>?@[\\]^_${sql.raw('`')}{|}~''')
  `.execute(database);
}

/**
 * The index is over an expression, so that rows contain no tokens: counting must visit the rows
 * found, and with tokens in them they would be three times as large. `cost` makes the
 * planner never compute tokens for a row that it can find by the index. The columns that lists
 * sort by are in the row, so that matches are sorted without reading their videos.
 */
async function createPostgresSearch(database: Kysely<unknown>) {
  await database.schema
    .createTable('videoSearch')
    .addColumn('videoId', 'bigint', (column) => column.primaryKey().references('videos.id'))
    .addColumn('scope', sql`text[]`, (column) => column.notNull())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('series', 'text', (column) => column.notNull())
    .addColumn('author', 'text', (column) => column.notNull())
    .addColumn('copyright', 'text', (column) => column.notNull())
    .addColumn('content', 'text', (column) => column.notNull())
    .addColumn('tag', 'text', (column) => column.notNull())
    .addColumn('etc', 'text', (column) => column.notNull())
    .addColumn('titleOrder', sql`text collate "C"`, (column) => column.notNull())
    .addColumn('durationMs', 'bigint', (column) => column.notNull())
    .addColumn('fileSizeBytes', 'bigint', (column) => column.notNull())
    .execute();
  // From each character on: it alone, with the next, and with the next two; and the field's place.
  // Aggregates alone take half the time of window functions and a union; doubles may stay in.
  await sql`
    create function video_search_tokens(scope text[], texts text[]) returns tsvector
    language sql immutable parallel safe cost 100000
    as $$
      select array_to_tsvector(scope || coalesce((
        select array_agg(place || first)
          || array_agg(place || first || second) filter (where second is not null)
          || array_agg(place || first || second || third) filter (where third is not null)
        from unnest(texts) with ordinality as field(content, place),
          string_to_array(content, null) as letters,
          unnest(letters, letters[2:], letters[3:]) as letter(first, second, third)
      ), '{}'))
    $$
  `.execute(database);
  await sql`
    create index video_search_by_token on video_search using gin (
      video_search_tokens(scope, array[title, series, author, copyright, content, tag, etc]))
  `.execute(database);
}
