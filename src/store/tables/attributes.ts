/**
 * What a fact may know of the audience besides its operating system: one record each. The table's
 * columns, the encoding of facts and the questions derive from these. A new one also needs a
 * migration; a test demands it.
 */

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
