/**
 * What a fact may know of the audience besides its operating system: one record each. The table's
 * columns, the encoding of facts and the questions derive from these. A new one also needs a
 * migration; a test demands it.
 */
import { mostLabels, unknownValue } from '../../vocabulary/dimensions.ts';
import { otherValue } from '../../vocabulary/statistics.ts';
import { viewerSql } from '../../vocabulary/viewers.ts';
import { connections } from '../../vocabulary/waits.ts';

const labelNumbers = Array.from({ length: mostLabels }, (_, index) => index + 1);
type LabelNumber = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10;
type LabelColumn = `label${LabelNumber}`;

const labelColumns = labelNumbers.map((number) => `label${number}` as LabelColumn);

/** What is known of a view's audience, by name; empty where nothing is known. */
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
  'streamType',
  'connection',
  'quality',
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
  'mediaHost',
  'error',
] as const;
export type OpenColumn = (typeof openColumns)[number];

/** What the versions in a column are versions of: another column. */
export const versionOf: { readonly [column in OpenColumn]?: 'os' | 'browser' } = {
  osVersion: 'os',
  browserVersion: 'browser',
};
/** Between what a version is of, which never has it, and the version. */
export const betweenVersions = '\n';

/* What beacons told, as facts keep it: a text begins with its rank, so that the largest of several
 * is the best (docs/decisions/views-have-one-value.md). Names and versions are read from it by
 * functions of one column, which the engine applies to its dictionary and not to each row.
 */

/** From the weakest evidence; what is not known is an empty text, without a rank. */
type Rank = '0' | '1' | '2' | '3' | '4';
/** Of values for which their day has no room. */
const otherRank: Rank = '0';

const afterRank = (column: string) => `substring(${column}, 2)`;
const partOf = (column: string, place: 1 | -1) =>
  `substringIndex(${place === 1 ? afterRank(column) : column}, '\\n', ${place})`;
/** Systems are never empty in questions. */
const orUnknown = (sql: string) => `replaceRegexpOne(${sql}, '^$', '${unknownValue}')`;

/** Columns that facts have of what was told, and how the names of values are read from them. */
const toldColumns = {
  toldSystem: {
    os: orUnknown(partOf('toldSystem', 1)),
    osVersion: orUnknown(partOf('toldSystem', -1)),
  },
  toldCountry: { country: afterRank('toldCountry') },
  toldDevice: { device: afterRank('toldDevice') },
  toldBrowser: {
    browser: partOf('toldBrowser', 1),
    browserVersion: partOf('toldBrowser', -1),
  },
  toldPage: { host: partOf('toldPage', 1), page: partOf('toldPage', -1) },
  toldReferrer: { referrer: afterRank('toldReferrer') },
  toldPlayer: { player: afterRank('toldPlayer') },
  ...(Object.fromEntries(
    labelColumns.map((name) => [toldLabel(name), { [name]: afterRank(toldLabel(name)) }]),
  ) as Record<`told${Capitalize<LabelColumn>}`, Record<string, string>>),
  toldStreamType: { streamType: afterRank('toldStreamType') },
  toldConnection: { connection: afterRank('toldConnection') },
  toldQuality: { quality: afterRank('toldQuality') },
};
export type ToldColumn = keyof typeof toldColumns;
export const toldColumnNames = Object.keys(toldColumns) as ToldColumn[];
export const allTold = [...toldColumnNames, 'toldViewer'] as const;

/**
 * What was told of a single stretch or wait, and not of its view: where its media came from, and
 * what broke it off.
 */
const toldOfFact = {
  toldMediaHost: { mediaHost: afterRank('toldMediaHost') },
  toldError: { error: afterRank('toldError') },
};
export const toldOfFactNames = Object.keys(toldOfFact) as (keyof typeof toldOfFact)[];

/** The told column that each value is read from. */
export const toldOf = Object.fromEntries(
  Object.entries({ ...toldColumns, ...toldOfFact }).flatMap(([told, values]) =>
    Object.keys(values).map((value) => [value, told]),
  ),
) as Record<'os' | 'osVersion' | DetailColumn | OpenColumn, ToldColumn | keyof typeof toldOfFact>;

function toldLabel(name: LabelColumn): `told${Capitalize<LabelColumn>}` {
  return `toldLabel${Number(name.slice(5)) as LabelNumber}`;
}

/** SQL of the named values, over what was told; by the names of columns. */
export const valueSql: Readonly<Record<'os' | 'osVersion' | DetailColumn | 'viewer', string>> = {
  ...(Object.assign({}, ...Object.values(toldColumns)) as Record<
    'os' | 'osVersion' | DetailColumn,
    string
  >),
  viewer: viewerSql('toldViewer'),
};
export const valueNames = Object.keys(valueSql) as (keyof typeof valueSql)[];
/** The same of what was told of a single fact. */
export const valueOfFactSql = { ...toldOfFact.toldMediaHost, ...toldOfFact.toldError };
export const namedValueSql = { ...valueSql, ...valueOfFactSql };
export type FactColumn = keyof typeof valueOfFactSql;
export const factColumns = Object.keys(valueOfFactSql) as FactColumn[];
export function isFactColumn(name: string): name is FactColumn {
  return name in valueOfFactSql;
}

export type Attributes = { readonly [column in DetailColumn]?: string | undefined } & {
  /** How good the evidence is, from 1; absent: 1. */
  readonly ranks?: AttributeRanks | undefined;
};

export interface AttributeRanks {
  /** 2: by the system that a hint told. */
  readonly device?: 1 | 2 | undefined;
  /** 2: by a trusted proxy. */
  readonly country?: 1 | 2 | undefined;
}

/** 1: read from a User-Agent; 2: the name is told by a hint; 3: the version is. */
export type SystemRank = 1 | 2 | 3;

/** As `toldSystem` has it. */
export function toldSystem(os: string, osVersion: string, rank: SystemRank = 1): string {
  return os === unknownValue || os === '' ? '' : withVersion(`${rank}`, os, osVersion);
}

/** The other texts of what was told, as their columns have them. */
export function toldDetail(
  column: Exclude<ToldColumn, 'toldSystem'>,
  attributes: Attributes,
): string {
  const { ranks, country = '', device = '', browser = '', browserVersion = '' } = attributes;
  switch (column) {
    case 'toldCountry':
      return ranked(country, ranks?.country);
    case 'toldDevice':
      return ranked(device, ranks?.device);
    case 'toldBrowser':
      return browser === '' ? '' : withVersion('1', browser, browserVersion);
    case 'toldPage':
      return toldPage(attributes);
    case 'toldStreamType':
      return ranked(attributes.streamType ?? '', attributes.streamType === 'live' ? 2 : 1);
    case 'toldConnection':
      return toldConnection(attributes.connection ?? '');
    default: {
      const name = (column[4] as string).toLowerCase() + column.slice(5);
      return ranked(attributes[name as DetailColumn] ?? '');
    }
  }
}

/** The slowest that a view had ranks best: it is the one that explains a wait. */
function toldConnection(connection: string): string {
  const place = (connections as readonly string[]).indexOf(connection);
  return place < 0 ? '' : `${connections.length - place}${connection}`;
}

/** As their columns have what was told of a single fact. */
export function toldFactValue(value = ''): string {
  return ranked(value);
}

function ranked(value: string, rank: 1 | 2 = 1): string {
  return value === '' ? '' : (value === otherValue ? otherRank : rank) + value;
}

/** A page belongs to its host, so the two are one value. */
function toldPage({ host = '', page = '' }: Attributes): string {
  if (host === '' && page === '') return '';
  const rank = host === otherValue || page === otherValue ? otherRank : '1';
  return `${rank}${host}${betweenVersions}${page}`;
}

/** Versions in order, then as they are written. */
function withVersion(rank: string, name: string, version: string): string {
  const known = version === unknownValue ? '' : version;
  return `${rank}${name}${betweenVersions}${versionOrder(known)}${betweenVersions}${known}`;
}

/**
 * A text in the order of versions: each number after its count of digits. What is not known comes
 * first, then `Other`.
 */
export function versionOrder(version: string): string {
  if (version === '') return '';
  if (version === otherValue) return otherRank;
  return `1${version
    .split('.')
    .map((part) => {
      if (!/^[0-9]+$/.test(part)) return `~${part}!`;
      const digits = part.replace(/^0+/, '');
      return String.fromCharCode(48 + digits.length) + digits;
    })
    .join('')}`;
}

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

const text = (name: 'os' | 'osVersion' | DetailColumn | FactColumn): KeptColumn => ({
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

const detail = (code: number, name: DetailColumn | FactColumn): AudienceGrouping => {
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
  streamType: detail(38, 'streamType'),
  connection: detail(39, 'connection'),
  quality: detail(40, 'quality'),
  mediaHost: detail(41, 'mediaHost'),
  error: detail(42, 'error'),
} as const satisfies Record<string, AudienceGrouping> &
  Record<DetailColumn | FactColumn, AudienceGrouping>;
export type AudienceGroupingName = keyof typeof audienceGroupings;
export const audienceGroupingNames = Object.keys(audienceGroupings) as AudienceGroupingName[];

export function audienceGrouping(name: AudienceGroupingName): AudienceGrouping {
  return audienceGroupings[name];
}

/** Of views with quality: numbers that add up (sql/quality.ts). */
export const qualitySumNames = [
  'attempts',
  'starts',
  'exitsBeforeStart',
  'startFailures',
  'allStartupMs',
  'stalls',
  'stallMs',
  'seeks',
  'allSeekMs',
  'qualityPlayMs',
  'watchedMs',
  'mediaBits',
  'bitsMediaMs',
  'frames',
  'droppedFrames',
] as const;
export type QualitySumName = (typeof qualitySumNames)[number];
/** The same views, told apart. */
export const qualityViewsNames = ['qualityViews', 'failures', 'stalledViews'] as const;
export type QualityViewsName = (typeof qualityViewsNames)[number];

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
  'waits',
  // Views without a mark, again; first all, with those that never played.
  'viewsInRange',
  ...qualityViewsNames,
  ...qualitySumNames,
] as const;
export type AudienceCount = (typeof audienceCounts)[number];
