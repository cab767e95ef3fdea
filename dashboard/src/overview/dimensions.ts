/** The dimensions that the overview lists, in cards of those that belong together. */
import type { MessageName } from '../language.tsx';
import type { Row } from '../questions.ts';

export interface Dimension {
  readonly name: string;
  readonly title: MessageName;
  /** Its name in every language, in place of the title: the account gave it. */
  readonly ownName?: string;
  /** Asked together with it, where it means nothing alone. */
  readonly under?: string;
  /** The member of a row that says what people call it. */
  readonly label?: string;
}

export interface Card {
  readonly name: MessageName;
  readonly dimensions: readonly Dimension[];
}

export const cards: readonly Card[] = [
  {
    name: 'card.content',
    dimensions: [
      { name: 'video', title: 'dimension.video', label: 'videoTitle' },
      { name: 'package', title: 'dimension.package', label: 'packageName' },
      { name: 'folder', title: 'dimension.folder', label: 'folderName' },
    ],
  },
  {
    name: 'card.sources',
    dimensions: [
      { name: 'page', title: 'dimension.page' },
      { name: 'host', title: 'dimension.host' },
      { name: 'referrer', title: 'dimension.referrer' },
    ],
  },
  { name: 'card.places', dimensions: [{ name: 'country', title: 'dimension.country' }] },
  {
    name: 'card.devices',
    dimensions: [
      { name: 'os', title: 'dimension.os' },
      { name: 'osVersion', title: 'dimension.osVersion', under: 'os' },
      { name: 'browser', title: 'dimension.browser' },
      { name: 'browserVersion', title: 'dimension.browserVersion', under: 'browser' },
      { name: 'device', title: 'dimension.device' },
      { name: 'player', title: 'dimension.player' },
    ],
  },
];

export const dimensions = cards.flatMap((card) => card.dimensions);

export function dimensionsAsked({ name, under }: Dimension): string {
  return under === undefined ? name : `${under},${name}`;
}

/** What a click on a row filters by. */
export function pairsOf({ name, under }: Dimension, row: Row): [string, string][] {
  const pair = (of: string): [string, string] => [of, String(row[of])];
  return under === undefined ? [pair(name)] : [pair(under), pair(name)];
}

/** The card of the labels that the account has declared; undefined if there are none. */
export function labelCard(names: readonly string[]): Card | undefined {
  const found = names.filter((name) => name.startsWith('label.'));
  if (found.length === 0) return undefined;
  const dimensions = found.map(
    (name): Dimension => ({
      ...{ name, title: 'card.labels', ownName: name.slice('label.'.length) },
    }),
  );
  return { name: 'card.labels', dimensions };
}
