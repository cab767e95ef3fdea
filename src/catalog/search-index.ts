import type { RawBuilder } from 'kysely';
import type { Connection } from './database.ts';
import { normalizeText } from './search-text.ts';
import type { VideoRow } from './video-row.ts';

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

/** Where to search; part of the index, so that videos elsewhere cost nothing. */
export type SearchScope = { readonly folderId: number } | { readonly packageId: number };

/** What is known of a video when it is put into the index. */
export interface IndexedVideo {
  readonly id: number;
  readonly folderId: number;
  readonly packageIds: readonly number[];
  readonly durationMs: number;
  readonly fileSizeBytes: number;
  readonly texts: SearchedTexts;
}

/** Where the databases differ most; everything else about searching is the same for both. */
export interface SearchIndex {
  /** Whether what `matches` finds has the columns that lists are sorted by. */
  readonly hasSortColumns: boolean;
  /** Videos that are not in it. */
  add(connection: Connection, videos: readonly IndexedVideo[]): Promise<void>;
  remove(connection: Connection, videoId: number): Promise<void>;
  /** A query for the ids, in a column `id`, of the videos in all scopes that hold a keyword. */
  matches(
    scopes: readonly SearchScope[],
    field: SearchedField,
    normalizedKeyword: string,
  ): RawBuilder<{ id: number }>;
  /**
   * Whether `matches` soon has all that it finds: it finds little, or compares no texts. May err to
   * both sides: it decides how something is found, never what.
   */
  findsQuickly(
    connection: Connection,
    scopes: readonly SearchScope[],
    field: SearchedField,
    normalizedKeyword: string,
  ): Promise<boolean>;
}

export function indexedVideoOf(row: VideoRow, packageIds: readonly number[]): IndexedVideo {
  const { id, folderId, durationMs, fileSizeBytes } = row;
  const texts = searchedFields.map((field) => [field, normalizeText(row[field] ?? '')]);
  return {
    id,
    folderId,
    packageIds,
    durationMs,
    fileSizeBytes,
    texts: Object.fromEntries(texts) as SearchedTexts,
  };
}

export function scopeTokenOf(scope: SearchScope): string {
  return 'folderId' in scope ? `folder${scope.folderId}` : `package${scope.packageId}`;
}
