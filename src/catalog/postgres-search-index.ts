import { type RawBuilder, sql } from 'kysely';
import {
  type IndexedVideo,
  type SearchedField,
  type SearchIndex,
  scopeTokenOf,
  scopeTokensOf,
  searchedFields,
} from './search-index.ts';
import { planKeyword, tokensOf } from './search-text.ts';

/**
 * A tsvector under GIN, filled with our own tokens: `pg_trgm` would ignore letters that the
 * database's locale does not know (in locale C all of Hangul), and keywords of one or two
 * characters. Each token carries its field, the scopes are tokens as well.
 */
export const postgresSearchIndex: SearchIndex = {
  async put(connection, videos) {
    if (videos.length === 0) return;
    await sql`
      insert into video_search
        (video_id, title, series, author, copyright, content, tag, etc, tokens)
      values ${sql.join(videos.map(valuesOf))}
      on conflict (video_id) do update set
        title = excluded.title, series = excluded.series, author = excluded.author,
        copyright = excluded.copyright, content = excluded.content, tag = excluded.tag,
        etc = excluded.etc, tokens = excluded.tokens
    `.execute(connection);
  },

  async remove(connection, videoId) {
    await sql`delete from video_search where video_id = ${videoId}`.execute(connection);
  },

  matches(scopes, field, keyword) {
    const plan = planKeyword(keyword);
    const terms =
      plan.kind === 'prefix'
        ? [`${quoted(lexemeOf(field, plan.prefix))}:*`]
        : plan.tokens.map((token) => quoted(lexemeOf(field, token)));
    const inScopes = scopes.map((scope) => quoted(scopeTokenOf(scope)));
    const query = [...inScopes, ...terms].join(' & ');
    const isExact = plan.kind === 'prefix' || plan.tokens.length === 1;
    return sql`
      select video_id as id from video_search
      where tokens @@ ${query}::tsquery ${isExact ? sql`` : isPart(field, keyword)}
    `;
  },
};

function valuesOf(video: IndexedVideo): RawBuilder<unknown> {
  const tokens = new Set(scopeTokensOf(video));
  for (const field of searchedFields) {
    for (const token of tokensOf(video.texts[field])) tokens.add(lexemeOf(field, token));
  }
  const columns = searchedFields.map((field) => video.texts[field]);
  return sql`(${video.id}, ${sql.join(columns)}, array_to_tsvector(${[...tokens]}::text[]))`;
}

/** The tokens of a longer keyword may stand anywhere in a text, not only in a row. */
function isPart(field: SearchedField, keyword: string): RawBuilder<boolean> {
  return sql`and strpos(${sql.ref(field)}, ${keyword}) > 0`;
}

/** A digit for the field: a tsvector holds at most 1 MiB, and long texts have many tokens. */
function lexemeOf(field: SearchedField, token: string): string {
  return `${searchedFields.indexOf(field)}${token}`;
}

/** In the language of tsquery. */
function quoted(token: string): string {
  return `'${token.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
