/**
 * What a fact may know of the audience besides its operating system: one record each. The table's
 * columns, the encoding of facts and the questions derive from these. A new one also needs a
 * migration; a test demands it.
 */
import { unknownValue } from '../../vocabulary/dimensions.ts';

/** How many labels an account may declare; each has a number, and a column. */
const mostLabels = 10;

const labelNumbers = Array.from({ length: mostLabels }, (_, index) => index + 1);
type LabelNumber = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10;
type LabelColumn = `label${LabelNumber}`;

const labelColumns = labelNumbers.map((number) => `label${number}` as LabelColumn);

/** Columns of text, in their order in the table; empty where nothing is known. */
export const detailColumns = [
  'country',
  'device',
  'browser',
  'browserVersion',
  'host',
  'page',
  'referrer',
  'player',
  ...labelColumns,
] as const;
export type DetailColumn = (typeof detailColumns)[number];

/**
 * Columns whose values strangers make up, so that their number on a day has to be bounded: all but
 * those of closed lists.
 */
export const openColumns = [
  'osVersion',
  'browserVersion',
  'host',
  'page',
  'referrer',
  'player',
  ...labelColumns,
] as const;
export type OpenColumn = (typeof openColumns)[number];

/** What the versions in a column are versions of: another column. */
export const versionOf: { readonly [column in OpenColumn]?: string } = {
  osVersion: 'os',
  browserVersion: 'browser',
};
/** Between what a version is of, which never has it, and the version. */
export const betweenVersions = '\n';

export type Attributes = { readonly [column in DetailColumn]?: string | undefined };

/**
 * The groupings in which counts of a day are kept: one record each. The table, the statements that
 * count and the questions derive from these. A new one also needs a migration; a test demands it.
 */

/** A column of facts, and how a row of counts keeps it. */
interface KeptColumn {
  readonly name: string;
  /** SQL of what is kept, a text, over a fact. */
  readonly kept: string;
  /** SQL of the column's value, from what is kept. */
  readonly restored: (kept: string) => string;
}

export interface AudienceGrouping {
  /** Its number in the table; never reused. */
  readonly code: number;
  /** At most two. */
  readonly columns: readonly KeptColumn[];
  /**
   * Counted for each hour of UTC, or for the two parts of the day before and from each hour on,
   * which its `value` is: in other zones a date begins there. Default: for the day.
   */
  readonly by?: 'hour' | 'split';
}

const text = (name: 'os' | 'osVersion' | DetailColumn): KeptColumn => ({
  // As rows name it: what is not known is one of them.
  ...{ name, kept: `if(${name} = '', '${unknownValue}', toString(${name}))` },
  restored: (kept) => kept,
});
const number = (name: 'packageId' | 'videoId'): KeptColumn => ({
  ...{ name, kept: `toString(${name})` },
  restored: (kept) => `toUInt32(${kept})`,
});
/** The kind is in the upper two bits. */
const viewerKind: KeptColumn = {
  name: 'viewer',
  kept: 'toString(bitShiftRight(viewer, 62))',
  restored: (kept) => `bitShiftLeft(toUInt64(${kept}), 62)`,
};

const detail = (code: number, name: DetailColumn): AudienceGrouping => {
  return { code, columns: [text(name)] };
};

export const audienceGroupings = {
  total: { code: 1, columns: [] },
  hour: { code: 2, columns: [], by: 'hour' },
  split: { code: 8, columns: [], by: 'split' },
  package: { code: 3, columns: [number('packageId')] },
  video: { code: 4, columns: [number('videoId')] },
  os: { code: 5, columns: [text('os')] },
  osVersion: { code: 6, columns: [text('os'), text('osVersion')] },
  viewerKind: { code: 7, columns: [viewerKind] },
  country: detail(20, 'country'),
  device: detail(21, 'device'),
  browser: detail(22, 'browser'),
  browserVersion: { code: 23, columns: [text('browser'), text('browserVersion')] },
  host: detail(24, 'host'),
  page: detail(25, 'page'),
  referrer: detail(26, 'referrer'),
  player: detail(27, 'player'),
  label1: detail(28, 'label1'),
  label2: detail(29, 'label2'),
  label3: detail(30, 'label3'),
  label4: detail(31, 'label4'),
  label5: detail(32, 'label5'),
  label6: detail(33, 'label6'),
  label7: detail(34, 'label7'),
  label8: detail(35, 'label8'),
  label9: detail(36, 'label9'),
  label10: detail(37, 'label10'),
} as const satisfies Record<string, AudienceGrouping> & Record<DetailColumn, AudienceGrouping>;
export type AudienceGroupingName = keyof typeof audienceGroupings;
export const audienceGroupingNames = Object.keys(audienceGroupings) as AudienceGroupingName[];

export function audienceGrouping(name: AudienceGroupingName): AudienceGrouping {
  return audienceGroupings[name];
}

/** What is counted. */
export const audienceCounts = [
  'plays',
  'playMs',
  'mediaMs',
  // Views without a mark; of these with a viewer; of these with a named one.
  'views',
  'knownViews',
  'namedViews',
  // The viewers of views without a mark, but for named ones.
  'viewers',
] as const;
