import { sql } from 'kysely';
import { type SearchIndex, scopeTokenOf, scopeTokensOf, searchedFields } from './search-index.ts';
import { planKeyword, tokensOf } from './search-text.ts';

/** Stands between tokens; no normalised text holds a control character. */
const separator = '\u0001';

/** FTS5: the whole search, scope included, is one query to it, and its count is exact. */
export const sqliteSearchIndex: SearchIndex = {
  hasSortColumns: false,

  async put(connection, videos) {
    for (const video of videos) {
      const columns = searchedFields.map((field) => tokensOf(video.texts[field]).join(separator));
      const scope = scopeTokensOf(video).join(separator);
      await sql`
        insert or replace into video_search
          (rowid, scope, title, series, author, copyright, content, tag, etc)
        values (${video.id}, ${scope}, ${sql.join(columns)})
      `.execute(connection);
    }
  },

  async remove(connection, videoId) {
    await sql`delete from video_search where rowid = ${videoId}`.execute(connection);
  },

  matches(scopes, field, normalizedKeyword) {
    const inScopes = scopes.map((scope) => `scope : ${quoted(scopeTokenOf(scope))}`);
    const query = [...inScopes, `${field} : ${phraseOf(normalizedKeyword)}`].join(' AND ');
    return sql`select rowid as id from video_search where video_search match ${query}`;
  },
};

/** In FTS5's query language: tokens in a row are a phrase, `*` marks the beginning of a token. */
function phraseOf(keyword: string): string {
  const plan = planKeyword(keyword);
  return plan.kind === 'prefix' ? `${quoted(plan.prefix)} *` : quoted(plan.tokens.join(separator));
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
