import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Dialect } from '../../connection.ts';

/** Each folder is in one partition; there are enough that large folders seldom share one. */
const partitions = 16;

/**
 * PostgreSQL has to visit the rows found to count them, which is most of the work of a search: the
 * rows of a folder lie side by side, in a partition, and hold only what they have to. What lists
 * are sorted by is in a row, or a part of it, so that what was found is sorted without a look at
 * its video.
 */
export function searchByFolder(dialect: Dialect): Migration {
  return {
    async up(database: Kysely<unknown>) {
      if (dialect === 'sqlite') return;
      await sql`set local statement_timeout = 0`.execute(database);
      await sql`alter table video_search rename to former_video_search`.execute(database);
      await createTable(database);
      await sql`
        insert into video_search
        select video_id, folder_id,
          array(select substr(token, length('package') + 1)::bigint
            from unnest(scope) as token where token like 'package%'),
          former.title, former.series, former.author, former.copyright, former.content,
          former.tag, former.etc, former.duration_ms, former.file_size_bytes
        from former_video_search as former join videos on videos.id = video_id
        order by video_id
      `.execute(database);
      await sql`drop table former_video_search`.execute(database);
      await sql`drop function video_search_tokens(text[], text[])`.execute(database);
      await createIndex(database);
    },
  };
}

async function createTable(database: Kysely<unknown>) {
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
      primary key (folder_id, video_id)
    ) partition by hash (folder_id)
  `.execute(database);
  await sql`create index video_search_by_video on video_search (video_id)`.execute(database);
  for (let remainder = 0; remainder < partitions; remainder += 1) {
    const partition = sql.ref(`video_search_${remainder}`);
    await sql`
      create table ${partition} partition of video_search
      for values with (modulus ${sql.lit(partitions)}, remainder ${sql.lit(remainder)})
    `.execute(database);
  }
}

/**
 * Over an expression, so that a row holds no tokens: they would take three times its room. `cost`
 * makes the planner never compute tokens for a row that it can find by the index.
 */
async function createIndex(database: Kysely<unknown>) {
  // From each character on: it alone, it and the next, and the next two; and the field's place.
  // Regular expressions take a third of the time of joining characters one by one. At the end of
  // a text some tokens come shorter, and so twice, which an index does not mind.
  const cut = (from: number, length: number) => sql`
    regexp_replace(substr(content, ${sql.lit(from)}), ${sql.lit(`.{1,${length}}`)},
      place || '\\&' || chr(1), 'g')`;
  const cuts = [cut(1, 1), cut(1, 2), cut(2, 2), cut(1, 3), cut(2, 3), cut(3, 3)];
  await sql`
    create function video_search_tokens(package_ids bigint[], texts text[])
    returns text[] language sql immutable parallel safe cost 100000
    as $$
      select array(select 'package' || package_id from unnest(package_ids) as package_id)
        || string_to_array(
          rtrim(string_agg(${sql.join(cuts, sql` || `)}, ''), chr(1)), chr(1))
      from unnest(texts) with ordinality as field(content, place)
      where content <> ''
    $$
  `.execute(database);
  await sql`
    create index video_search_by_token on video_search using gin ((
      video_search_tokens(package_ids,
        array[title, series, author, copyright, content, tag, etc])
    ) collate "C")
  `.execute(database);
}
