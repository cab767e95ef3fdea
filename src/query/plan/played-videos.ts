/** What the catalog knows about the videos in statistics. */
import type { Catalog, KnownVideo, NamedId } from '../../catalog/catalog.ts';
import { nextTurn } from '../../lib/tasks/fair-turns.ts';
import { forPortions } from '../../lib/tasks/work-portions.ts';
import { type FactReader, tables } from '../../store/facts.ts';
import { coverAll, type Span } from '../ranges/range-cover.ts';
import { slotsWithin, sumsWithin } from '../ranges/slot-ranges.ts';

/** SQLite answers in the service's own thread. */
const portion = { size: 500, takeTurn: nextTurn };

type Names = Catalog['names'];

interface Sources {
  readonly facts: Pick<FactReader, 'readMany' | 'unsettledDays'>;
  readonly videos: Pick<Catalog['videos'], 'known'>;
}

export interface PlayedRange {
  readonly accountId: number;
  readonly spans: readonly Span[];
  /** Whether those with waits alone are wanted as well; default no. */
  readonly hasWaits?: boolean;
}

/** The videos of an account that have playback within the spans, by what has been summed. */
export async function playedVideos(
  { facts, videos }: Sources,
  range: PlayedRange,
): Promise<KnownVideo[]> {
  const ids = await playedIds(facts, 'video', range);
  return named((some) => videos.known(range.accountId, some), ids);
}

/** The packages likewise, by their names. */
export async function playedPackages(
  { facts, names }: Pick<Sources, 'facts'> & { readonly names: Pick<Names, 'packages'> },
  range: PlayedRange,
): Promise<NamedId[]> {
  const ids = await playedIds(facts, 'package', range);
  return named((some) => names.packages(range.accountId, some), ids);
}

async function playedIds(
  facts: Sources['facts'],
  kind: 'video' | 'package',
  { accountId, spans, hasWaits = false }: PlayedRange,
): Promise<number[]> {
  const within = sumsWithin(kind, coverAll(spans, await facts.unsettledDays(accountId)));
  // Sums know nothing of waits.
  const waits = slotsWithin(spans, 'waits');
  const ofWaits = `
UNION DISTINCT SELECT DISTINCT ${kind}Id FROM ${tables.stretch.name}
WHERE accountId = {accountId:UInt32} AND cause > 0 AND ${waits.sql}`;
  const found = await facts.readMany<{ videoId: number; packageId: number }>({
    name: `${kind}s with playback`,
    sql: `SELECT DISTINCT ${kind}Id FROM ${tables.playbackSum.name}
WHERE ${within.sql}${hasWaits ? ofWaits : ''}`,
    parameters: { accountId, ...within.parameters, ...(hasWaits && waits.parameters) },
  });
  return found.map((row) => row[`${kind}Id`]);
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
