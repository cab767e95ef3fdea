/**
 * Makes SQL of filters: conditions on the columns of facts, which sums have as far as they have
 * the columns. What stands in the catalog becomes a list of videos.
 */
import type { Catalog, KnownVideo } from '../../catalog/catalog.ts';
import { boundArray, type FactQuery } from '../../facts/facts.ts';
import { type LabelContext, labelSql } from './label-sql.ts';
import type { Filter } from './read-filters.ts';

/** What filters look at. */
type FilteredVideo = Pick<KnownVideo, 'videoId' | 'accessKey' | 'folderId'>;

export interface FilterSources extends LabelContext {
  readonly accountId: number;
  readonly publications: Pick<Catalog['publications'], 'findVideoId'>;
  /** The videos that have playback in the range; asked for only where a filter needs them. */
  playedVideos(): Promise<readonly FilteredVideo[]>;
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
  const { dimension, operator, values } = filter;
  const not = operator.startsWith('!') ? 'NOT ' : '';
  if (dimension === 'video' || dimension === 'folder') {
    const ids = await videosOf(filter, sources);
    const bound = boundArray(name, 'UInt32', ids);
    return { ...bound, sql: `${not}(videoId IN ${bound.sql})` };
  }
  const isWhole = operator === '==' || operator === '!=';
  if (dimension === 'package' && isWhole) {
    const bound = boundArray(name, 'UInt32', values.filter(isId).map(Number));
    return { ...bound, sql: `${not}(packageId IN ${bound.sql})` };
  }
  const label = labelSql(dimension, sources);
  if (isWhole) {
    const bound = boundArray(name, 'String', values);
    return { ...bound, sql: `${not}(${label} IN ${bound.sql})` };
  }
  const text = `lowerUTF8({${name}:String})`;
  return {
    sql: `${not}(position(lowerUTF8(${label}), ${text}) > 0)`,
    parameters: { [name]: values[0] ?? '' },
  };
}

/** As rows show it. */
function isId(text: string): boolean {
  return /^[1-9]\d{0,9}$/.test(text) && Number(text) < 2 ** 32;
}

/** The videos for which a condition holds, or does not hold where it is one with `!`. */
async function videosOf(
  { dimension, operator, values }: Filter,
  { accountId, publications, playedVideos }: FilterSources,
): Promise<number[]> {
  const isWhole = operator === '==' || operator === '!=';
  if (dimension === 'video' && isWhole) {
    const found = values.map((accessKey) => publications.findVideoId(accountId, accessKey));
    return (await Promise.all(found)).filter((videoId) => videoId !== undefined);
  }
  const text = (values[0] ?? '').toLowerCase();
  const fits = (label: string): boolean =>
    isWhole ? values.includes(label) : label.toLowerCase().includes(text);
  const labelOf = ({ accessKey, folderId }: FilteredVideo) =>
    dimension === 'video' ? accessKey : String(folderId);
  const videos = await playedVideos();
  return videos.filter((video) => fits(labelOf(video))).map(({ videoId }) => videoId);
}
