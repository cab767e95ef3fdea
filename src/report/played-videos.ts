/** The videos with playback in a range, as the catalog knows them. */
import type { Catalog, KnownVideo } from '../catalog/catalog.ts';
import { type FactReader, tables } from '../facts/facts.ts';
import type { Span } from './cover-range.ts';

interface Sources {
  readonly facts: Pick<FactReader, 'read'>;
  readonly videos: Pick<Catalog['videos'], 'known'>;
}

/** The span is of whole slots. */
export async function playedVideos(
  { facts, videos }: Sources,
  accountId: number,
  { fromMs, untilMs }: Span,
): Promise<KnownVideo[]> {
  const rows = await facts.read<{ videoId: number }>({
    name: 'played videos',
    sql: `SELECT DISTINCT videoId FROM ${tables.playbackSum.name}
WHERE accountId = {accountId:UInt32} AND grouping = 'video'
  AND slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({until:UInt32}, 'UTC')`,
    parameters: { accountId, from: fromMs / 1_000, until: untilMs / 1_000 },
  });
  return videos.known(
    accountId,
    rows.map(({ videoId }) => videoId),
  );
}
