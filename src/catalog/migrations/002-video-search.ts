import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Engine } from '../database.ts';

/** The one by title is gone through for common keywords, and holds all that lists are sorted by. */
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

/** The index that keywords are looked up in, and one for each order of a list. */
export function videoSearch(engine: Engine): Migration {
  return {
    async up(database: Kysely<unknown>) {
      if (engine === 'sqlite') await createSqliteSearch(database);
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

/** One folder lies in one of them; enough that large folders seldom share one. */
const searchPartitions = 16;

/**
 * The index is over an expression, so that a row holds no tokens: counting has to visit the rows
 * found, and with their tokens in them they would take three times the room. Visiting is most of
 * the work, so that the rows of a folder lie close together, in a partition. `cost` tells the
 * planner never to work tokens out for a row that it could find by the index. What lists are
 * sorted by is in the row, or a part of it, so that what was found is sorted without a look at its
 * video.
 */
async function createPostgresSearch(database: Kysely<unknown>) {
  await sql`
    create table video_search (
      video_id bigint not null,
      folder_id bigint not null,
      package_ids bigint[] not null,
      title text not null,
      series text not null,
      author text not null,
      copyright text not null,
      content text not null,
      tag text not null,
      etc text not null,
      duration_ms bigint not null,
      file_size_bytes bigint not null,
      primary key (video_id, folder_id)
    ) partition by hash (folder_id)
  `.execute(database);
  for (let remainder = 0; remainder < searchPartitions; remainder += 1) {
    const partition = sql.ref(`video_search_${remainder}`);
    const modulus = sql.lit(searchPartitions);
    await sql`
      create table ${partition} partition of video_search
      for values with (modulus ${modulus}, remainder ${sql.lit(remainder)})
    `.execute(database);
  }
  // From each character on: it alone, it and the next, and the next two; and the field's place.
  // Regular expressions take a third of the time of joining characters one by one. At the end of
  // a text some tokens come shorter, and so twice, which an index does not mind.
  const cut = (from: number, length: number) => sql`
    regexp_replace(substr(content, ${sql.lit(from)}), ${sql.lit(`.{1,${length}}`)},
      place || '\\&' || chr(1), 'g')`;
  const cuts = [cut(1, 1), cut(1, 2), cut(2, 2), cut(1, 3), cut(2, 3), cut(3, 3)];
  await sql`
    create function video_search_tokens(folder_id bigint, package_ids bigint[], texts text[])
    returns text[] language sql immutable parallel safe cost 100000
    as $$
      select array['folder' || folder_id]
        || array(select 'package' || package_id from unnest(package_ids) as package_id)
        || string_to_array(
          rtrim(string_agg(${sql.join(cuts, sql` || `)}, ''), chr(1)), chr(1))
      from unnest(texts) with ordinality as field(content, place)
      where content <> ''
    $$
  `.execute(database);
  await sql`
    create index video_search_by_token on video_search using gin ((
      video_search_tokens(folder_id, package_ids,
        array[title, series, author, copyright, content, tag, etc])
    ) collate "C")
  `.execute(database);
}
