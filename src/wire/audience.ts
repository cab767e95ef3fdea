/**
 * The audience interface (v2): one record a measure and a dimension. Parameters, errors, `schema`,
 * the reference, the client's types and the plan of a question derive from these.
 * Source: the audience interface, sections 3 and 4.
 */

interface AudienceMeasure {
  /** Empty: a number of things. */
  readonly unit: '' | 'ms' | '0 to 1';
  /** Whether the rows' sum is always the total. */
  readonly additive: boolean;
  /** Whether it is null where there is nothing to divide by. */
  readonly nullable?: true;
  /** Whether it counts only views of videos with a length that told a position. */
  readonly needsPosition?: true;
  readonly example: number;
  readonly definition: string;
}

const furthest = (percent: number) =>
  `Views whose furthest position reached ${percent} % of the length of the video`;

export const audienceMeasures = {
  plays: {
    unit: '',
    additive: true,
    example: 182,
    definition:
      'Plays: views whose playback started, each counted once, at the time it started; as ' +
      '`videoCount`',
  },
  playMs: {
    unit: 'ms',
    additive: true,
    example: 7_326_400,
    definition:
      'Playback time in clock time, without pauses, stalls and seeks; as `duration`, not rounded',
  },
  views: {
    unit: '',
    additive: false,
    example: 190,
    definition: 'Distinct views with any playback in the range',
  },
  viewers: {
    unit: '',
    additive: false,
    example: 120,
    definition:
      'Distinct viewers of these views, over the whole range; a view without a viewer is one of ' +
      'its own',
  },
  averagePlayMs: {
    unit: 'ms',
    additive: false,
    nullable: true,
    example: 40_255,
    definition: '`playMs` / `plays`, rounded half up; null without plays',
  },
  mediaMs: {
    unit: 'ms',
    additive: true,
    example: 7_420_000,
    definition: 'How far the media advanced: at double speed twice the playback time',
  },
  positionedViews: {
    unit: '',
    additive: false,
    needsPosition: true,
    example: 182,
    definition:
      'Views that told a position, of videos with a length: those that the following measures ' +
      'rest on',
  },
  seenMs: {
    unit: 'ms',
    additive: false,
    needsPosition: true,
    example: 6_950_000,
    definition:
      'What each view saw of the media, every moment of the video once, summed over the views',
  },
  averageSeen: {
    unit: '0 to 1',
    additive: false,
    nullable: true,
    needsPosition: true,
    example: 0.4312,
    definition:
      '`seenMs` / the length of the video, summed over the views that told a position; four ' +
      'decimals, rounded half up; null where no view did',
  },
  completions: {
    unit: '',
    additive: false,
    needsPosition: true,
    example: 61,
    definition: 'Views that saw at least 95 % of the length of the video',
  },
  reached25: {
    unit: '',
    additive: false,
    needsPosition: true,
    example: 140,
    definition: furthest(25),
  },
  reached50: {
    unit: '',
    additive: false,
    needsPosition: true,
    example: 104,
    definition: furthest(50),
  },
  reached75: {
    unit: '',
    additive: false,
    needsPosition: true,
    example: 80,
    definition: furthest(75),
  },
  reached100: {
    unit: '',
    additive: false,
    needsPosition: true,
    example: 58,
    definition: 'Views whose furthest position came within one second of the end of the video',
  },
} as const satisfies Record<string, AudienceMeasure>;
export type AudienceMeasureName = keyof typeof audienceMeasures;
export const audienceMeasureNames = Object.keys(audienceMeasures) as AudienceMeasureName[];

export function audienceMeasure(name: AudienceMeasureName): AudienceMeasure {
  return audienceMeasures[name];
}

interface AudienceDimension {
  /**
   * Time is reckoned by the question's zone, content stands in the catalog, and what is known of
   * the audience is stored with each fact.
   */
  readonly kind: 'time' | 'content' | 'audience';
  /** As what its values are ordered; a number is one in JSON as well. */
  readonly order: 'text' | 'number' | 'version';
  /** All values there are; absent: any. */
  readonly values?: readonly string[];
  /** The dimension that must be asked for as well. */
  readonly askedWith?: 'os' | 'browser';
  /** A member that rows show beside it, for people. */
  readonly caption?: string;
  readonly example: string | number;
  readonly definition: string;
}

/** Where nothing is known of a fact. */
export const unknownValue = 'Unknown';

const twoDigits = (number: number) => String(number).padStart(2, '0');

export const audienceDimensions = {
  hour: {
    kind: 'time',
    order: 'text',
    example: '2026-11-20T17:00:00+09:00',
    definition: 'Start of the hour by the clock of the zone, RFC 3339 with its offset',
  },
  date: { kind: 'time', order: 'text', example: '2026-11-20', definition: 'Day, yyyy-mm-dd' },
  week: {
    kind: 'time',
    order: 'text',
    example: '2026-11-16',
    definition: 'Week, by its Monday, yyyy-mm-dd',
  },
  month: {
    kind: 'time',
    order: 'text',
    example: '2026-11-01',
    definition: 'Month, by its first day, yyyy-mm-dd',
  },
  year: {
    kind: 'time',
    order: 'text',
    example: '2026-01-01',
    definition: 'Year, by its first day, yyyy-mm-dd',
  },
  hourOfDay: {
    kind: 'time',
    order: 'text',
    values: Array.from({ length: 24 }, (_, hour) => twoDigits(hour)),
    example: '17',
    definition: 'Hour of the day, "00" to "23"',
  },
  weekday: {
    kind: 'time',
    order: 'text',
    values: ['1', '2', '3', '4', '5', '6', '7'],
    example: '5',
    definition: 'Day of the week, "1" (Monday) to "7" (Sunday)',
  },
  video: {
    kind: 'content',
    order: 'text',
    caption: 'videoTitle',
    example: 'q4Yd2kVb1Xw',
    definition: 'Original key of the video; rows show its title as well',
  },
  package: {
    kind: 'content',
    order: 'number',
    caption: 'packageName',
    example: 7,
    definition: 'Number of the package; rows show its name as well',
  },
  folder: {
    kind: 'content',
    order: 'number',
    caption: 'folderName',
    example: 3,
    definition: 'Number of the folder that the video is in now; rows show its name as well',
  },
  os: { kind: 'audience', order: 'text', example: 'Android', definition: 'Operating system' },
  osVersion: {
    kind: 'audience',
    order: 'version',
    askedWith: 'os',
    example: '15',
    definition: 'Version of the operating system; asked for together with `os`',
  },
  device: {
    kind: 'audience',
    order: 'text',
    values: ['desktop', 'mobile', 'tablet', 'tv', 'console', 'other', unknownValue],
    example: 'mobile',
    definition: 'Kind of device',
  },
  browser: { kind: 'audience', order: 'text', example: 'Firefox', definition: 'Browser' },
  browserVersion: {
    kind: 'audience',
    order: 'version',
    askedWith: 'browser',
    example: '140',
    definition: 'Version of the browser; asked for together with `browser`',
  },
  country: {
    kind: 'audience',
    order: 'text',
    example: 'KR',
    definition: 'Country, ISO 3166-1 alpha-2',
  },
  viewerKind: {
    kind: 'audience',
    order: 'text',
    values: ['named', 'daily', 'none'],
    example: 'daily',
    definition:
      'What the viewer rests on: `named` by the page, `daily` (anonymous, of one day), or `none`',
  },
  host: {
    kind: 'audience',
    order: 'text',
    example: 'www.example.com',
    definition: 'Host of the page with the player',
  },
  page: {
    kind: 'audience',
    order: 'text',
    example: 'www.example.com/films/1',
    definition: 'Host and path of the page with the player',
  },
  referrer: {
    kind: 'audience',
    order: 'text',
    example: 'search.example.org',
    definition: 'Host that led to the page',
  },
  player: {
    kind: 'audience',
    order: 'text',
    example: 'hls.js/1.7.0',
    definition: 'Player and its version',
  },
} as const satisfies Record<string, AudienceDimension>;
export type RecordedDimension = keyof typeof audienceDimensions;
export const recordedDimensions = Object.keys(audienceDimensions) as RecordedDimension[];

/** Labels are the account's own dimensions: `label.NAME`. */
export const labelPrefix = 'label.';
type LabelDimension = `${typeof labelPrefix}${string}`;
export type AudienceDimensionName = RecordedDimension | LabelDimension;

export function isLabel(name: AudienceDimensionName): name is LabelDimension {
  return name.startsWith(labelPrefix);
}

export function audienceDimension(name: AudienceDimensionName): AudienceDimension {
  if (!isLabel(name)) return audienceDimensions[name];
  const label = name.slice(labelPrefix.length);
  const definition = `The label \`${label}\`, as the page told it`;
  return { kind: 'audience', order: 'text', example: 'news', definition };
}
