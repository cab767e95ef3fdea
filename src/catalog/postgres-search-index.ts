import { type RawBuilder, sql } from 'kysely';
import {
  type IndexedVideo,
  type SearchedField,
  type SearchIndex,
  scopeTokenOf,
  scopeTokensOf,
  searchedFields,
} from './search-index.ts';
import { planKeyword } from './search-text.ts';

/**
 * GIN over our own tokens, which the database cuts from the normalised texts as search-text.ts
 * does: `pg_trgm` would ignore letters that the database's locale does not know (in locale C all
 * of Hangul), and keywords of one or two characters, which here are tokens of their own.
 */
export const postgresSearchIndex: SearchIndex = {
  hasSortColumns: true,

  async put(connection, videos) {
    if (videos.length === 0) return;
    await sql`
      insert into video_search
        (video_id, scope, title, series, author, copyright, content, tag, etc,
          title_order, duration_ms, file_size_bytes)
      values ${sql.join(videos.map(valuesOf))}
      on conflict (video_id) do update set
        scope = excluded.scope, title = excluded.title, series = excluded.series,
        author = excluded.author, copyright = excluded.copyright, content = excluded.content,
        tag = excluded.tag, etc = excluded.etc, title_order = excluded.title_order,
        duration_ms = excluded.duration_ms, file_size_bytes = excluded.file_size_bytes
    `.execute(connection);
  },

  async remove(connection, videoId) {
    await sql`delete from video_search where video_id = ${videoId}`.execute(connection);
  },

  matches(scopes, field, keyword) {
    const plan = planKeyword(keyword);
    const tokens = plan.kind === 'prefix' ? [plan.prefix] : plan.tokens;
    const terms = tokens.map((token) => quoted(lexemeOf(field, token)));
    const inScopes = scopes.map((scope) => quoted(scopeTokenOf(scope)));
    const query = [...inScopes, ...terms].join(' & ');
    // TRICKY: `offset 0` keeps the planner from walking all videos in the wanted order and
    // looking at each, which it takes for cheap and which is not where few are found.
    return sql`
      select video_id as id, title_order, duration_ms, file_size_bytes from video_search
      where video_search_tokens(
          scope, array[title, series, author, copyright, content, tag, etc]) @@ ${query}::tsquery
        ${tokens.length === 1 ? sql`` : isPart(field, keyword)}
      offset 0
    `;
  },
};

function valuesOf({ id, texts, ...video }: IndexedVideo): RawBuilder<unknown> {
  const columns = searchedFields.map((field) => texts[field]);
  return sql`(${id}, ${scopeTokensOf(video)}::text[], ${sql.join(columns)},
    ${video.titleOrder}, ${video.durationMs}, ${video.fileSizeBytes})`;
}

/** The tokens of a longer keyword may stand anywhere in a text, not only in a row. */
function isPart(field: SearchedField, keyword: string): RawBuilder<boolean> {
  return sql`and strpos(${sql.ref(field)}, ${keyword}) > 0`;
}

/** The field as its place, from 1: short, for there are as many as characters. */
function lexemeOf(field: SearchedField, token: string): string {
  return `${searchedFields.indexOf(field) + 1}${token}`;
}

/** In the language of tsquery. */
function quoted(token: string): string {
  return `'${token.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
