/**
 * Makes SQL of filters: conditions on the columns of facts, which sums have as far as they have the
 * columns. Conditions on the catalog become a list of videos.
 */
import type { Catalog, KnownVideo, NamedId } from '../../catalog/catalog.ts';
import { nextTurn } from '../../lib/tasks/fair-turns.ts';
import { forPortions } from '../../lib/tasks/work-portions.ts';
import { once } from '../../lib/values/memo.ts';
import { boundArray, type FactQuery } from '../../store/facts.ts';
import { createMatch, type Filter } from '../parse/filter-parser.ts';
import {
  isOneOfSql,
  type LabelContext,
  normalizedLabelSql,
  normalizedSql,
} from './dimension-sql.ts';

const portion = { size: 1_000, takeTurn: nextTurn };

/** What filters look at. */
type FilteredVideo = Pick<KnownVideo, 'videoId' | 'accessKey' | 'folderId' | 'title'>;

export interface FilterSources extends LabelContext {
  readonly accountId: number;
  readonly publications: Pick<Catalog['publications'], 'findVideoIds'>;
  /** The videos that have playback in the range; asked for only where a filter needs them. */
  playedVideos(): Promise<readonly FilteredVideo[]>;
  /** The packages that have playback in the range; likewise. */
  playedPackages(): Promise<readonly NamedId[]>;
  folderNames(folderIds: readonly number[]): Promise<readonly NamedId[]>;
}

/** What all conditions have in common, read once for all of them and only where one needs it. */
interface Shared extends LabelContext {
  /** Of all accessKeys that conditions name. */
  videoIds(): Promise<ReadonlyMap<string, number>>;
  playedVideos: FilterSources['playedVideos'];
  playedPackages: FilterSources['playedPackages'];
  /** Of the folders with playback. */
  folderNames(): Promise<ReadonlyMap<number, string>>;
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
  const shared = share(filters, sources);
  for (const [index, filter] of filters.entries()) {
    const name = `filter${index}`;
    const condition = await compileCondition(name, filter, shared);
    sql.push(condition.sql);
    Object.assign(parameters, condition.parameters);
  }
  return { sql, parameters };
}

function share(filters: readonly Filter[], sources: FilterSources): Shared {
  const { accountId, clock, labels, publications } = sources;
  const accessKeys = new Set(filters.filter(isOfAccessKeys).flatMap(({ values }) => values));
  const playedVideos = once(() => sources.playedVideos());
  return {
    clock,
    labels,
    videoIds: once(() => publications.findVideoIds(accountId, accessKeys)),
    playedVideos,
    playedPackages: once(() => sources.playedPackages()),
    folderNames: once(async () => {
      const folderIds = new Set<number>();
      await forPortions(await playedVideos(), portion, (some) => {
        for (const { folderId } of some) folderIds.add(folderId);
      });
      const names = await sources.folderNames([...folderIds]);
      return new Map(names.map(({ id, name }) => [id, name]));
    }),
  };
}

async function compileCondition(name: string, filter: Filter, sources: Shared) {
  const { dimension, operator, values, isOfCaption } = filter;
  const not = operator.startsWith('!') ? 'NOT ' : '';
  if (dimension === 'video' || dimension === 'folder') {
    const ids = await findVideos(filter, sources);
    const bound = boundArray(name, 'UInt32', ids);
    return { ...bound, sql: `${not}(videoId IN ${bound.sql})` };
  }
  const isWhole = operator === '==' || operator === '!=';
  if (isOfCaption) {
    // Nothing else has a caption.
    const packages = await sources.playedPackages();
    const fits = createMatch(filter);
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

/** Each value is the accessKey of one video, whether it has been played or not. */
function isOfAccessKeys({ dimension, operator, isOfCaption }: Filter): boolean {
  return dimension === 'video' && (operator === '==' || operator === '!=') && !isOfCaption;
}

/** The videos for which a condition holds, or does not hold if it is one with `!`. */
async function findVideos(filter: Filter, sources: Shared): Promise<number[]> {
  if (isOfAccessKeys(filter)) {
    const videoIds = await sources.videoIds();
    return filter.values.flatMap((accessKey) => videoIds.get(accessKey) ?? []);
  }
  const labelOf = await labelReader(filter, sources);
  const fits = createMatch(filter);
  const found = await those(await sources.playedVideos(), (video) => fits(labelOf(video)));
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
  { folderNames }: Shared,
): Promise<(video: FilteredVideo) => string> {
  if (dimension === 'video') return ({ title, accessKey }) => (isOfCaption ? title : accessKey);
  if (!isOfCaption) return ({ folderId }) => String(folderId);
  const known = await folderNames();
  return ({ folderId }) => known.get(folderId) ?? '';
}
