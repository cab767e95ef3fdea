import type { RawBuilder } from 'kysely';
import type { Connection } from './database.ts';
import { normalizeText } from './search-text.ts';

/** The fields of a video in which a keyword may be found anywhere. */
export const searchedFields = [
  'title',
  'series',
  'author',
  'copyright',
  'content',
  'tag',
  'etc',
] as const;
export type SearchedField = (typeof searchedFields)[number];

/** Normalised. */
export type SearchedTexts = Readonly<Record<SearchedField, string>>;

/** Narrows a search down; part of the index, so that other accounts' videos cost nothing. */
export type SearchScope = { readonly folderId: number } | { readonly accountId: number };

/** Where the databases differ most; everything else about searching is the same for both. */
export interface SearchIndex {
  put(
    connection: Connection,
    video: { id: number; folderId: number; accountId: number },
    texts: SearchedTexts,
  ): Promise<void>;
  remove(connection: Connection, videoId: number): Promise<void>;
  /** A query for the ids, in a column `id`, of the videos that hold a normalised keyword. */
  matches(scope: SearchScope, field: SearchedField, keyword: string): RawBuilder<{ id: number }>;
}

export function searchedTextsOf(
  row: Readonly<Record<SearchedField, string | null>>,
): SearchedTexts {
  const texts = searchedFields.map((field) => [field, normalizeText(row[field] ?? '')]);
  return Object.fromEntries(texts) as SearchedTexts;
}

/** The scopes of a video, as tokens. */
export function scopeTokensOf(video: { folderId: number; accountId: number }): string[] {
  return [scopeTokenOf({ folderId: video.folderId }), scopeTokenOf({ accountId: video.accountId })];
}

export function scopeTokenOf(scope: SearchScope): string {
  return 'folderId' in scope ? `folder${scope.folderId}` : `account${scope.accountId}`;
}
