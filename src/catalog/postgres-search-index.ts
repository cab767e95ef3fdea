import { type RawBuilder, sql } from 'kysely';
import type { Connection } from './database.ts';
import {
  type IndexedVideo,
  type SearchedField,
  type SearchIndex,
  type SearchScope,
  scopeTokenOf,
  scopeTokensOf,
  searchedFields,
} from './search-index.ts';
import { planKeyword } from './search-text.ts';

/** Going through all titles of a list soon is as quick as visiting so many rows. */
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
    const tokens = tokensOfKeyword(keyword);
    const query = queryOf(scopes, field, tokens);
    // TRICKY: `offset 0` keeps the planner from walking all videos in the wanted order and
    // looking at each, which it takes for cheap and which is not where few are found.
    return sql`
      select video_id as id, title_order, duration_ms, file_size_bytes from video_search
      where ${indexed} @@ ${query}::tsquery
        ${tokens.length === 1 ? sql`` : isPart(field, keyword)}
      offset 0
    `;
  },

  /** Asks the planner, which knows how common tokens are; looking them up takes far longer. */
  async findsLittle(connection, scopes, field, keyword) {
    const estimate = (tokens: readonly string[]) =>
      estimateRows(connection, queryOf(scopes, field, tokens));
    const most = Math.max(littleLimit, (await estimate([])) * littleShare);
    // Each token alone: together they are no rarer, because they stand in a row.
    for (const token of tokensOfKeyword(keyword).slice(0, estimatedTokens)) {
      if ((await estimate([token])) <= most) return true;
    }
    return false;
  },
};

async function estimateRows(connection: Connection, query: string): Promise<number> {
  const { rows } = await sql<Record<string, readonly { Plan: { 'Plan Rows': number } }[]>>`
    explain (format json) select 1 from video_search where ${indexed} @@ ${query}::tsquery
  `.execute(connection);
  return Object.values(rows[0] ?? {})[0]?.[0]?.Plan['Plan Rows'] ?? 0;
}

const indexed = sql`video_search_tokens(
  scope, array[title, series, author, copyright, content, tag, etc])`;

function tokensOfKeyword(keyword: string): readonly string[] {
  const plan = planKeyword(keyword);
  return plan.kind === 'prefix' ? [plan.prefix] : plan.tokens;
}

function queryOf(
  scopes: readonly SearchScope[],
  field: SearchedField,
  tokens: readonly string[],
): string {
  const inScopes = scopes.map((scope) => quoted(scopeTokenOf(scope)));
  const terms = tokens.map((token) => quoted(lexemeOf(field, token)));
  return [...inScopes, ...terms].join(' & ');
}

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
