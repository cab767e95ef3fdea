import { type RawBuilder, sql } from 'kysely';
import type { Connection } from '../database/connection.ts';
import {
  createScopeToken,
  type IndexedVideo,
  type SearchedField,
  type SearchIndex,
  type SearchScope,
  searchedFields,
} from './search-index.ts';
import { planKeyword, titleOrderLength } from './search-text.ts';

/** From this many rows on, scanning all titles of a list is about as quick. */
const littleLimit = 1_000;
const littleShare = 0.02;
const estimatedTokens = 4;

/**
 * GIN over our own tokens, which the database cuts from the normalised texts as search-text.ts
 * does: `pg_trgm` would ignore letters that the database's locale does not know (in locale C all
 * of Hangul), and keywords of one or two characters, which here are tokens of their own.
 */
export const postgresSearchIndex: SearchIndex = {
  hasSortColumns: true,

  async add(connection, videos) {
    if (videos.length === 0) return;
    await sql`
      insert into video_search
        (video_id, folder_id, package_ids, title, series, author, copyright, content, tag, etc,
          duration_ms, file_size_bytes)
      values ${sql.join(videos.map(toValues))}
    `.execute(connection);
  },

  async remove(connection, videoId) {
    await sql`delete from video_search where video_id = ${videoId}`.execute(connection);
  },

  matches(scopes, field, keyword) {
    const tokens = tokensOfKeyword(keyword);
    // TRICKY: the plus keeps the planner from walking all videos in the order of their ids and
    // looking at each, which it takes for cheap and which is not where few are found.
    return sql`
      select video_id + 0 as id, duration_ms, file_size_bytes,
        left(title, ${sql.lit(titleOrderLength)}) collate "C" as title_order
      from video_search
      where ${isFound(scopes, createLexemes(field, tokens))}
        ${tokens.length === 1 ? sql`` : isPart(field, keyword)}
    `;
  },

  /** Asks the planner, which knows how common tokens are; counting them takes far longer. */
  async findsQuickly(connection, scopes, field, keyword) {
    const tokens = tokensOfKeyword(keyword);
    // However many it finds: their texts are not compared.
    if (tokens.length === 1) return true;
    const estimate = (some: readonly string[]) =>
      estimateRows(connection, isFound(scopes, createLexemes(field, some)));
    const most = Math.max(littleLimit, (await estimate([])) * littleShare);
    // Each token alone: together they are no rarer, because they are adjacent.
    for (const token of tokens.slice(0, estimatedTokens)) {
      if ((await estimate([token])) <= most) return true;
    }
    return false;
  },
};

async function estimateRows(
  connection: Connection,
  condition: RawBuilder<unknown>,
): Promise<number> {
  const { rows } = await sql<Record<string, readonly { Plan: { 'Plan Rows': number } }[]>>`
    explain (format json) select 1 from video_search where ${condition}
  `.execute(connection);
  return Object.values(rows[0] ?? {})[0]?.[0]?.Plan['Plan Rows'] ?? 0;
}

const indexed = sql`video_search_tokens(
  package_ids, array[title, series, author, copyright, content, tag, etc]) collate "C"`;

/** In all scopes, with all lexemes. A folder is not a lexeme but a partition. */
function isFound(scopes: readonly SearchScope[], lexemes: readonly string[]): RawBuilder<unknown> {
  const inFolders = scopes.flatMap((scope) => {
    if ('accountId' in scope) return [sql`folder_id = any(${scope.folderIds}::bigint[])`];
    return 'folderId' in scope ? [sql`folder_id = ${scope.folderId}`] : [];
  });
  const inPackages = scopes.flatMap((scope) =>
    'packageId' in scope ? [createScopeToken(scope)] : [],
  );
  const terms = [...inPackages, ...lexemes];
  const holds = terms.length > 0 ? [sql`${indexed} @> ${terms}::text[]`] : [];
  return sql.join([...inFolders, ...holds], sql` and `);
}

function tokensOfKeyword(keyword: string): readonly string[] {
  const plan = planKeyword(keyword);
  return plan.kind === 'prefix' ? [plan.prefix] : plan.tokens;
}

function toValues({ id, texts, ...video }: IndexedVideo): RawBuilder<unknown> {
  const columns = searchedFields.map((field) => texts[field]);
  return sql`(${id}, ${video.folderId}, ${video.packageIds}::bigint[], ${sql.join(columns)},
    ${video.durationMs}, ${video.fileSizeBytes})`;
}

/** The tokens of a longer keyword may be anywhere in a text, not only adjacent. */
function isPart(field: SearchedField, keyword: string): RawBuilder<boolean> {
  return sql`and strpos(${sql.ref(field)}, ${keyword}) > 0`;
}

/** The field as its number, from 1: short, since there are as many tokens as characters. */
function createLexemes(field: SearchedField, tokens: readonly string[]): string[] {
  return tokens.map((token) => `${searchedFields.indexOf(field) + 1}${token}`);
}
