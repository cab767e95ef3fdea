/** What the catalog knows of the videos that statistics are about. */
import type { Catalog, KnownVideo } from '../catalog/catalog.ts';
import { type FactReader, tables } from '../facts/facts.ts';
import { nextTurn } from '../lib/next-turn.ts';
import { forPortions } from '../lib/portions.ts';
import type { Span } from './cover-range.ts';
import { slotsWithin } from './slots-within.ts';

/** SQLite answers in the service's own thread. */
const portion = { size: 500, takeTurn: nextTurn };

interface Sources {
  readonly facts: Pick<FactReader, 'readMany'>;
  readonly videos: Pick<Catalog['videos'], 'known'>;
}

/** The videos of an account that have playback within the spans, by what has been summed. */
export async function playedVideos(
  { facts, videos }: Sources,
  accountId: number,
  spans: readonly Span[],
): Promise<KnownVideo[]> {
  const within = slotsWithin(spans);
  const found = await facts.readMany<{ videoId: number }>({
    name: 'videos with playback',
    sql: `SELECT DISTINCT videoId FROM ${tables.playbackSum.name}
WHERE accountId = {accountId:UInt32} AND grouping = 'video' AND ${within.sql}`,
    parameters: { accountId, ...within.parameters },
  });
  const ids = found.map(({ videoId }) => videoId);
  return named((some) => videos.known(accountId, some), ids);
}

/** Reads names in portions. */
export async function named<Name>(
  read: (ids: readonly number[]) => Promise<Name[]>,
  ids: readonly number[],
): Promise<Name[]> {
  const known: Name[] = [];
  await forPortions(ids, portion, async (some) => {
    for (const one of await read(some)) known.push(one);
  });
  return known;
}
