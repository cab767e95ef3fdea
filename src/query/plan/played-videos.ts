/** What the catalog knows about the videos in statistics. */
import type { Catalog, KnownVideo, NamedId } from '../../catalog/catalog.ts';
import { nextTurn } from '../../lib/tasks/fair-turns.ts';
import { forPortions } from '../../lib/tasks/work-portions.ts';
import { type FactReader, tables } from '../../store/facts.ts';
import { coverAll, type Span } from '../ranges/range-cover.ts';
import { sumsWithin } from '../ranges/slot-ranges.ts';

/** SQLite answers in the service's own thread. */
const portion = { size: 500, takeTurn: nextTurn };

type Names = Catalog['names'];

interface Sources {
  readonly facts: Pick<FactReader, 'readMany' | 'unsettledDays'>;
  readonly videos: Pick<Catalog['videos'], 'known'>;
}

/** The videos of an account that have playback within the spans, by what has been summed. */
export async function playedVideos(
  { facts, videos }: Sources,
  accountId: number,
  spans: readonly Span[],
): Promise<KnownVideo[]> {
  const ids = await playedIds(facts, 'video', accountId, spans);
  return named((some) => videos.known(accountId, some), ids);
}

/** The packages likewise, by their names. */
export async function playedPackages(
  { facts, names }: Pick<Sources, 'facts'> & { readonly names: Pick<Names, 'packages'> },
  accountId: number,
  spans: readonly Span[],
): Promise<NamedId[]> {
  const ids = await playedIds(facts, 'package', accountId, spans);
  return named((some) => names.packages(accountId, some), ids);
}

async function playedIds(
  facts: Sources['facts'],
  kind: 'video' | 'package',
  accountId: number,
  spans: readonly Span[],
): Promise<number[]> {
  const within = sumsWithin(kind, coverAll(spans, await facts.unsettledDays(accountId)));
  const found = await facts.readMany<{ videoId: number; packageId: number }>({
    name: `${kind}s with playback`,
    sql: `SELECT DISTINCT ${kind}Id FROM ${tables.playbackSum.name}
WHERE ${within.sql}`,
    parameters: { accountId, ...within.parameters },
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
