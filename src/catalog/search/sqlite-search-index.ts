import { type RawBuilder, sql } from 'kysely';
import { onlyRow } from '../../lib/assert.ts';
import {
  createScopeToken,
  type IndexedVideo,
  type SearchedField,
  type SearchIndex,
  type SearchScope,
  searchedFields,
} from './search-index.ts';
import { planKeyword, splitTokens } from './search-text.ts';

/** From this many matches on, scanning all titles of a list is about as quick. */
const littleLimit = 1_000;

/** Joining 300 folders takes 14 ms, 1,000 take 370 ms; more are looked up by their account. */
const joinedFolders = 300;

/** Separates tokens; no normalised text contains a control character. */
const separator = '\u0001';

/** FTS5: the whole search, scope included, is one query to it, and its count is exact. */
export const sqliteSearchIndex: SearchIndex = {
  hasSortColumns: false,

  async add(connection, videos) {
    for (const video of videos) {
      const ofTexts = searchedFields.flatMap((field) =>
        splitTokens(video.texts[field]).map((token) => ofField(field, token)),
      );
      const tokens = [...listScopes(video).map(createScopeToken), ...ofTexts].join(separator);
      const row = sql`(rowid, tokens) values (${video.id}, ${tokens})`;
      await sql`insert into video_search ${row}`.execute(connection);
    }
  },

  async remove(connection, videoId) {
    await sql`delete from video_search where rowid = ${videoId}`.execute(connection);
  },

  matches(scopes, field, normalizedKeyword) {
    const query = [...scopes.flatMap(listTerms), createPhrase(field, normalizedKeyword)].join(
      ' AND ',
    );
    const ofAccount = scopes.map((scope) => outsideIndex(scope));
    return sql`select rowid as id from video_search
      where video_search match ${query} ${sql.join(ofAccount, sql` `)}`;
  },

  async findsQuickly(connection, scopes, field, normalizedKeyword) {
    const matches = this.matches(scopes, field, normalizedKeyword);
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from (select 1 from (${matches}) limit ${littleLimit + 1})
    `.execute(connection);
    return onlyRow(rows).count <= littleLimit;
  },
};

function listScopes({ folderId, packageIds }: IndexedVideo): SearchScope[] {
  return [{ folderId }, ...packageIds.map((packageId) => ({ packageId }))];
}

function listTerms(scope: SearchScope): string[] {
  if (!('accountId' in scope)) return [quoted(createScopeToken(scope))];
  if (scope.folderIds.length > joinedFolders) return [];
  return [
    `(${scope.folderIds.map((folderId) => quoted(createScopeToken({ folderId }))).join(' OR ')})`,
  ];
}

/** The account of what `listTerms` does not limit to it. */
function outsideIndex(scope: SearchScope): RawBuilder<unknown> {
  if (!('accountId' in scope) || scope.folderIds.length <= joinedFolders) return sql``;
  return sql`and rowid in (select id from videos where account_id = ${scope.accountId})`;
}

/** In FTS5's query language: tokens in a row are a phrase, `*` marks the beginning of a token. */
function createPhrase(field: SearchedField, keyword: string): string {
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
