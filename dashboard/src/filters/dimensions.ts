/** The dimensions that the overview lists, in cards of those that belong together. */
import type { QueryDimension } from '../../../client/src/index.ts';
import type { MessageName } from '../language.tsx';
import type { Row } from '../questions.ts';
import type { Filter } from './filters.ts';

export interface Dimension {
  readonly name: QueryDimension;
  readonly title: MessageName;
  readonly what: MessageName;
  /** Its name in every language, in place of the title: the account gave it. */
  readonly ownName?: string;
  /** Asked together with it, where it means nothing alone. */
  readonly under?: 'os' | 'browser';
  /** The member of a row that says what people call it. */
  readonly label?: 'videoTitle' | 'packageName' | 'folderName';
  /** Nothing but its own measures can be asked for under a filter by it. */
  readonly isUnfiltered?: true;
}

export interface Card {
  readonly name: MessageName;
  /** Where it stands among the others (styles/statistics.css). */
  readonly place: 'content' | 'sources' | 'devices' | 'places' | 'labels';
  readonly dimensions: readonly Dimension[];
}

export const cards: readonly Card[] = [
  {
    name: 'card.content',
    place: 'content',
    dimensions: [
      {
        name: 'video',
        title: 'dimension.video',
        what: 'dimension.video.what',
        label: 'videoTitle',
      },
      {
        name: 'package',
        title: 'dimension.package',
        what: 'dimension.package.what',
        label: 'packageName',
      },
      {
        name: 'folder',
        title: 'dimension.folder',
        what: 'dimension.folder.what',
        label: 'folderName',
      },
    ],
  },
  {
    name: 'card.sources',
    place: 'sources',
    dimensions: [
      { name: 'page', title: 'dimension.page', what: 'dimension.page.what' },
      { name: 'host', title: 'dimension.host', what: 'dimension.host.what' },
      { name: 'referrer', title: 'dimension.referrer', what: 'dimension.referrer.what' },
    ],
  },
  {
    name: 'card.places',
    place: 'places',
    dimensions: [{ name: 'country', title: 'dimension.country', what: 'dimension.country.what' }],
  },
  {
    name: 'card.devices',
    place: 'devices',
    dimensions: [
      { name: 'os', title: 'dimension.os', what: 'dimension.os.what' },
      {
        name: 'osVersion',
        title: 'dimension.osVersion',
        what: 'dimension.osVersion.what',
        under: 'os',
      },
      { name: 'browser', title: 'dimension.browser', what: 'dimension.browser.what' },
      {
        name: 'browserVersion',
        title: 'dimension.browserVersion',
        what: 'dimension.browserVersion.what',
        under: 'browser',
      },
      { name: 'device', title: 'dimension.device', what: 'dimension.device.what' },
      { name: 'player', title: 'dimension.player', what: 'dimension.player.what' },
    ],
  },
];

/** What only waits and the media of a view tell. */
export const ofDelivery: readonly Dimension[] = [
  { name: 'mediaHost', title: 'dimension.mediaHost', what: 'dimension.mediaHost.what' },
  { name: 'connection', title: 'dimension.connection', what: 'dimension.connection.what' },
  { name: 'streamType', title: 'dimension.streamType', what: 'dimension.streamType.what' },
];
export const errorDimension: Dimension = {
  ...{ name: 'error', title: 'dimension.error', what: 'dimension.error.what' },
  isUnfiltered: true,
};

export const dimensions = [...cards.flatMap((card) => card.dimensions), ...ofDelivery];

/** The groups of which the quality page says who is served worse. */
export const qualityDimensions: readonly Dimension[] = [
  ...['mediaHost', 'country', 'os', 'device', 'browser', 'player', 'connection', 'video'].flatMap(
    (name) => dimensions.filter((one) => one.name === name),
  ),
  errorDimension,
];

export function dimensionsAsked({ name, under }: Dimension): QueryDimension[] {
  return under === undefined ? [name] : [under, name];
}

/** What a click on a row filters by. */
export function pairsOf({ name, under }: Dimension, row: Row): [string, string][] {
  const pair = (of: string): [string, string] => [of, String(cellOf(row, of))];
  return under === undefined ? [pair(name)] : [pair(under), pair(name)];
}

/** The videos that the rows are about; none where they are about something else. */
export function videosOf({ name }: Dimension, rows: readonly Row[]): string[] {
  if (name !== 'video') return [];
  return rows.flatMap(({ video }) => (video === undefined ? [] : [video]));
}

/** A label of a row, by the name that it was asked under. */
export function cellOf(row: Row, name: string): string | number | undefined {
  return (row as Readonly<Record<string, string | number | undefined>>)[name];
}

/** The card of the labels that the account has declared; undefined if there are none. */
export function labelCard(names: readonly string[]): Card | undefined {
  const found = names.filter((name): name is `label.${string}` => name.startsWith('label.'));
  if (found.length === 0) return undefined;
  const dimensions = found.map(
    (name): Dimension => ({
      ...{
        name,
        title: 'card.labels',
        what: 'dimension.label.what',
        ownName: name.slice('label.'.length),
      },
    }),
  );
  return { name: 'card.labels', place: 'labels', dimensions };
}

export const isFilterOn = ({ name, label }: Dimension, filter: Pick<Filter, 'name'>) =>
  filter.name === name || filter.name === label;
/** A version means nothing without what it is of. */
export const standsAlone = ({ under }: Dimension) => under === undefined;

export function isEditable(filter: Filter): boolean {
  return (
    filter.name.startsWith('label.') ||
    dimensions.some((one) => standsAlone(one) && isFilterOn(one, filter))
  );
}
