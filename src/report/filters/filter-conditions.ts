/**
 * Makes SQL of filters: conditions on the columns of facts, which sums have as far as they have the
 * columns. Conditions on the catalog become a list of videos.
 */
import type { Catalog, KnownVideo, NamedId } from '../../catalog/catalog.ts';
import { boundArray, type FactQuery } from '../../facts/facts.ts';
import { nextTurn } from '../../lib/next-turn.ts';
import { forPortions } from '../../lib/portions.ts';
import { fitOf } from './fit-of.ts';
import { isOneOfSql, type LabelContext, normalizedLabelSql } from './label-sql.ts';
import { normalizedSql } from './normalized-sql.ts';
import type { Filter } from './read-filters.ts';

const portion = { size: 1_000, takeTurn: nextTurn };

/** What filters look at. */
type FilteredVideo = Pick<KnownVideo, 'videoId' | 'accessKey' | 'folderId' | 'title'>;

export interface FilterSources extends LabelContext {
  readonly accountId: number;
  readonly publications: Pick<Catalog['publications'], 'findVideoId'>;
  /** The videos that have playback in the range; asked for only where a filter needs them. */
  playedVideos(): Promise<readonly FilteredVideo[]>;
  /** The packages that have playback in the range; likewise. */
  playedPackages(): Promise<readonly NamedId[]>;
  folderNames(folderIds: readonly number[]): Promise<readonly NamedId[]>;
}

export interface Conditions {
  /** All must hold. With the time of a slot in it, `clockParameters` must be bound as well. */
  readonly sql: readonly string[];
  readonly parameters: FactQuery['parameters'];
}

export async function filterConditions(
  filters: readonly Filter[],
  sources: FilterSources,
): Promise<Conditions> {
  const sql: string[] = [];
  const parameters: Record<string, FactQuery['parameters'][string]> = {};
  for (const [index, filter] of filters.entries()) {
    const name = `filter${index}`;
    const condition = await conditionOf(name, filter, sources);
    sql.push(condition.sql);
    Object.assign(parameters, condition.parameters);
  }
  return { sql, parameters };
}

async function conditionOf(name: string, filter: Filter, sources: FilterSources) {
  const { dimension, operator, values, isOfCaption } = filter;
  const not = operator.startsWith('!') ? 'NOT ' : '';
  if (dimension === 'video' || dimension === 'folder') {
    const ids = await videosOf(filter, sources);
    const bound = boundArray(name, 'UInt32', ids);
    return { ...bound, sql: `${not}(videoId IN ${bound.sql})` };
  }
  const isWhole = operator === '==' || operator === '!=';
  if (isOfCaption) {
    // Nothing else has a caption.
    const packages = await sources.playedPackages();
    const fits = fitOf(filter);
    const found = (await those(packages, ({ name }) => fits(name))).map(({ id }) => id);
    const bound = boundArray(name, 'UInt32', found);
    return { ...bound, sql: `${not}(packageId IN ${bound.sql})` };
  }
  if (dimension === 'package' && isWhole) {
    const bound = boundArray(name, 'UInt32', values.filter(isId).map(Number));
    return { ...bound, sql: `${not}(packageId IN ${bound.sql})` };
  }
  if (isWhole) {
    const one = isOneOfSql(dimension, sources, values, name);
    return { ...one, sql: `${not}(${one.sql})` };
  }
  const text = normalizedSql(`{${name}:String}`);
  return {
    sql: `${not}(position(${normalizedLabelSql(dimension, sources)}, ${text}) > 0)`,
    parameters: { [name]: values[0] ?? '' },
  };
}

/** As rows show it. */
function isId(text: string): boolean {
  return /^[1-9]\d{0,9}$/.test(text) && Number(text) < 2 ** 32;
}

/** The videos for which a condition holds, or does not hold if it is one with `!`. */
async function videosOf(filter: Filter, sources: FilterSources): Promise<number[]> {
  const { dimension, operator, values, isOfCaption } = filter;
  const { accountId, publications, playedVideos } = sources;
  const isWhole = operator === '==' || operator === '!=';
  if (dimension === 'video' && isWhole && !isOfCaption) {
    const found = values.map((accessKey) => publications.findVideoId(accountId, accessKey));
    return (await Promise.all(found)).filter((videoId) => videoId !== undefined);
  }
  const videos = await playedVideos();
  const labelOf = await labelReader(filter, videos, sources);
  const fits = fitOf(filter);
  const found = await those(videos, (video) => fits(labelOf(video)));
  return found.map(({ videoId }) => videoId);
}

/** An account may have a million titles, which take microseconds each. */
async function those<Item>(
  items: readonly Item[],
  isOne: (item: Item) => boolean,
): Promise<Item[]> {
  const found: Item[] = [];
  await forPortions(items, portion, (some) => {
    for (const item of some) if (isOne(item)) found.push(item);
  });
  return found;
}

async function labelReader(
  { dimension, isOfCaption }: Filter,
  videos: readonly FilteredVideo[],
  { folderNames }: FilterSources,
): Promise<(video: FilteredVideo) => string> {
  if (dimension === 'video') return ({ title, accessKey }) => (isOfCaption ? title : accessKey);
  if (!isOfCaption) return ({ folderId }) => String(folderId);
  const names = await folderNames([...new Set(videos.map(({ folderId }) => folderId))]);
  const known = new Map(names.map(({ id, name }) => [id, name]));
  return ({ folderId }) => known.get(folderId) ?? '';
}
