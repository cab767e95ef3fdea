import type { RawBuilder } from 'kysely';
import { normalizeText } from '../../lib/values/text-normalization.ts';
import type { Connection } from '../database/connection.ts';
import type { VideoRow } from '../database/tables.ts';
import type { SearchedField } from '../library.ts';

/** The fields of a video in which a keyword may be found anywhere. */
export const searchedFields = [
  'title',
  'series',
  'author',
  'copyright',
  'content',
  'tag',
  'etc',
] as const satisfies readonly SearchedField[];
export type { SearchedField };

/** Normalised. */
type SearchedTexts = Readonly<Record<SearchedField, string>>;

/** Where to search; part of the index, so that other videos cost nothing. */
export type SearchScope =
  | { readonly folderId: number }
  | { readonly packageId: number }
  /** All folders of an account, by their ids: at least one. */
  | { readonly accountId: number; readonly folderIds: readonly number[] };

/** What the index needs to know of a video. */
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
  /** Whether the rows of `matches` have the columns that lists sort by. */
  readonly hasSortColumns: boolean;
  /** Videos that are not in the index. */
  add(connection: Connection, videos: readonly IndexedVideo[]): Promise<void>;
  remove(connection: Connection, videoId: number): Promise<void>;
  /** A query for the ids, in a column `id`, of the videos in all scopes that contain a keyword. */
  matches(
    scopes: readonly SearchScope[],
    field: SearchedField,
    normalizedKeyword: string,
  ): RawBuilder<{ id: number }>;
  /**
   * Whether `matches` is quick: it finds few videos, or compares no texts. May err on
   * either side: it decides how videos are found, never which.
   */
  findsQuickly(
    connection: Connection,
    scopes: readonly SearchScope[],
    field: SearchedField,
    normalizedKeyword: string,
  ): Promise<boolean>;
}

export function toIndexedVideo(row: VideoRow, packageIds: readonly number[]): IndexedVideo {
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

/** Names the scope; those of a folder and of a package are in the index. */
export function createScopeToken(scope: SearchScope): string {
  if ('accountId' in scope) return `account${scope.accountId}`;
  return 'folderId' in scope ? `folder${scope.folderId}` : `package${scope.packageId}`;
}
