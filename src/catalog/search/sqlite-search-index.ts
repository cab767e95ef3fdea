import { sql } from 'kysely';
import {
  type IndexedVideo,
  type SearchedField,
  type SearchIndex,
  type SearchScope,
  scopeTokenOf,
  searchedFields,
} from './search-index.ts';
import { planKeyword, tokensOf } from './search-text.ts';

/** From this many matches on, scanning all titles of a list is about as quick. */
const littleLimit = 1_000;

/** Separates tokens; no normalised text contains a control character. */
const separator = '\u0001';

/** FTS5: the whole search, scope included, is one query to it, and its count is exact. */
export const sqliteSearchIndex: SearchIndex = {
  hasSortColumns: false,

  async add(connection, videos) {
    for (const video of videos) {
      const ofTexts = searchedFields.flatMap((field) =>
        tokensOf(video.texts[field]).map((token) => ofField(field, token)),
      );
      const tokens = [...scopesOf(video).map(scopeTokenOf), ...ofTexts].join(separator);
      const row = sql`(rowid, tokens) values (${video.id}, ${tokens})`;
      await sql`insert into video_search ${row}`.execute(connection);
    }
  },

  async remove(connection, videoId) {
    await sql`delete from video_search where rowid = ${videoId}`.execute(connection);
  },

  matches(scopes, field, normalizedKeyword) {
    const inScopes = scopes.map((scope) => quoted(scopeTokenOf(scope)));
    const query = [...inScopes, phraseOf(field, normalizedKeyword)].join(' AND ');
    return sql`select rowid as id from video_search where video_search match ${query}`;
  },

  async findsQuickly(connection, scopes, field, normalizedKeyword) {
    const matches = this.matches(scopes, field, normalizedKeyword);
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from (select 1 from (${matches}) limit ${littleLimit + 1})
    `.execute(connection);
    return (rows[0]?.count ?? 0) <= littleLimit;
  },
};

function scopesOf({ folderId, packageIds }: IndexedVideo): SearchScope[] {
  return [{ folderId }, ...packageIds.map((packageId) => ({ packageId }))];
}

/** In FTS5's query language: tokens in a row are a phrase, `*` marks the beginning of a token. */
function phraseOf(field: SearchedField, keyword: string): string {
  const plan = planKeyword(keyword);
  if (plan.kind === 'prefix') return `${quoted(ofField(field, plan.prefix))} *`;
  return quoted(plan.tokens.map((token) => ofField(field, token)).join(separator));
}

/** The form in the index: tokens of one field are not read when searching another. */
function ofField(field: SearchedField, token: string): string {
  return `${searchedFields.indexOf(field) + 1}${token}`;
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
