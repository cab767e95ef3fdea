/**
 * The statistics: one record a measure, a dimension and a query. Requests, answers, the planner,
 * the reference and the client's types derive from these.
 * Source: the service's interface, sections 4.1 to 4.4.
 */

import type { RecordedDimension } from './dimensions.ts';

interface Measure {
  /** The sum that it shows; the facts keep a record for each (store/tables/sums.ts). */
  readonly sum: string;
  /** How much of the sum makes one of the unit; the rest is rounded down. */
  readonly perUnit: number;
  readonly unit: string;
  readonly example: string;
  readonly description: string;
}

export const measures = {
  videoCount: {
    sum: 'plays',
    perUnit: 1,
    unit: 'plays',
    example: '182',
    description: 'Plays: views whose playback started, each counted once, at the time it started',
  },
  duration: {
    sum: 'playMs',
    perUnit: 1_000,
    unit: 'seconds',
    example: '73264',
    description:
      'Playback time in seconds of clock time, rounded down, without pauses, stalls and seeks',
  },
} as const satisfies Record<string, Measure>;
export type MeasureName = keyof typeof measures;
export const measureNames = Object.keys(measures) as MeasureName[];
export function isMeasure(name: MeasureName | DimensionName): name is MeasureName {
  return name in measures;
}
export type MeasuredSum = (typeof measures)[MeasureName]['sum'];

interface Dimension {
  /** The dimension of the audience that it shows. */
  readonly source: RecordedDimension;
  readonly description: string;
  readonly example: string;
}

export const dimensions = {
  date: {
    source: 'date',
    description: 'Day in the time zone of the account or of the request, yyyy-mm-dd',
    example: '2026-11-20',
  },
  hour: {
    source: 'hourOfDay',
    description: 'Hour of the day, "00" to "23"',
    example: '17',
  },
  os: {
    source: 'os',
    description: 'Name of the operating system',
    example: 'Android',
  },
  detail: {
    source: 'osVersion',
    description:
      'Version of the operating system; `Other` for all beyond the number that is counted in a ' +
      'day or listed in an answer',
    example: '15',
  },
} as const satisfies Record<string, Dimension>;
export type DimensionName = keyof typeof dimensions;

/** Stands for all values of an attribute beyond the number that is kept or shown. */
export const otherValue = 'Other';

export interface Statistic {
  /** Name of the operation and, with a capital, of its answer. */
  readonly id: string;
  readonly path: string;
  readonly summary: string;
  /**
   * The labels of a row, in the order in which the answer shows them. All but its own are given in
   * the request and are the same in every row.
   */
  readonly labels: readonly DimensionName[];
  /** The label that tells the rows of one answer apart. */
  readonly ownLabel: DimensionName;
  readonly sortDefault: MeasureName | DimensionName;
}

export const statistics = {
  date: {
    id: 'statisticsByDate',
    path: '/report/statistics/video/v1/info/date',
    summary: 'Plays and playback time by date',
    labels: ['date'],
    ownLabel: 'date',
    sortDefault: 'date',
  },
  hour: {
    id: 'statisticsByHour',
    path: '/report/statistics/video/v1/info/date/hour',
    summary: 'Plays and playback time by hour of one day',
    labels: ['date', 'hour'],
    ownLabel: 'hour',
    sortDefault: 'hour',
  },
  os: {
    id: 'statisticsByOs',
    path: '/report/statistics/video/v1/os',
    summary: 'Plays and playback time by operating system',
    labels: ['os'],
    ownLabel: 'os',
    sortDefault: 'videoCount',
  },
  detail: {
    id: 'statisticsByOsDetail',
    path: '/report/statistics/video/v1/os/detail',
    summary: 'Plays and playback time by version of one operating system',
    labels: ['os', 'detail'],
    ownLabel: 'detail',
    sortDefault: 'detail',
  },
} as const satisfies Record<string, Statistic>;
export type StatisticName = keyof typeof statistics;
export const statisticNames = Object.keys(statistics) as StatisticName[];

type GivenOf<One extends Statistic> = Exclude<One['labels'][number], One['ownLabel']>;
/** The dimensions that some statistic is given: of one day, of one system. */
export type GivenDimension = {
  [name in StatisticName]: GivenOf<(typeof statistics)[name]>;
}[StatisticName];

export function givenDimensions(name: StatisticName): readonly GivenDimension[] {
  const { labels, ownLabel }: Statistic = statistics[name];
  return labels.filter((label) => label !== ownLabel) as GivenDimension[];
}

/** A row shows its measures by their names, then its labels. */
export const rowMeasures: readonly MeasureName[] = measureNames.toSorted();

export type StatisticRow = { readonly [measure in MeasureName]: string } & {
  readonly [label in DimensionName]?: string;
};
