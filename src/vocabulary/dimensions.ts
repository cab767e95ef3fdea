/**
 * The dimensions of the audience interface (v2), one record each. Parameters, errors, `schema`, the
 * reference, the client's types and the plan of a question derive from these. Source: the audience
 * interface, section 4.
 */
import { parseInstant } from '../lib/time/instant.ts';
import { dayExists } from '../lib/time/utc-day.ts';
import { connections, streamTypes } from './waits.ts';

interface AudienceDimension {
  /**
   * Time is reckoned by the question's zone, content stands in the catalog, and what is known of
   * the audience is stored with each fact.
   */
  readonly kind: 'time' | 'content' | 'audience';
  /** As what its values are ordered; a number is one in JSON as well. */
  readonly order: 'text' | 'number' | 'version';
  /** All values there are; absent: any, or any of a form. */
  readonly values?: readonly string[];
  readonly form?: ValueForm;
  /** The dimension that must be asked for as well. */
  readonly askedWith?: 'os' | 'browser';
  /** Whether facts have it only since they have quality. */
  readonly keptWithQuality?: true;
  /** A member that rows show beside it, for people. */
  readonly caption?: string;
  readonly example: string | number;
  readonly definition: string;
}

/** What all values of a dimension look like, where they are too many to be listed. */
interface ValueForm {
  /** After "write"; an example follows. */
  readonly words: string;
  fits(value: string): boolean;
}

/** Where nothing is known of a fact. */
export const unknownValue = 'Unknown';

const isMonday = (day: string) => new Date(day).getUTCDay() === 1;
const twoDigits = (number: number) => String(number).padStart(2, '0');

export const audienceDimensions = {
  hour: {
    kind: 'time',
    order: 'text',
    form: {
      words: 'an hour by its start, RFC 3339 with its offset (in a URL, + is %2B)',
      fits: (value) => parseInstant(value) !== undefined,
    },
    example: '2026-11-20T17:00:00+09:00',
    definition: 'Start of the hour by the clock of the zone, RFC 3339 with its offset',
  },
  date: {
    kind: 'time',
    order: 'text',
    form: { words: 'a day that exists, as yyyy-mm-dd', fits: dayExists },
    example: '2026-11-20',
    definition: 'Day, yyyy-mm-dd',
  },
  week: {
    kind: 'time',
    order: 'text',
    form: {
      words: 'a week by its Monday, yyyy-mm-dd',
      fits: (value) => dayExists(value) && isMonday(value),
    },
    example: '2026-11-16',
    definition: 'Week, by its Monday, yyyy-mm-dd',
  },
  month: {
    kind: 'time',
    order: 'text',
    form: {
      words: 'a month by its first day, yyyy-mm-dd',
      fits: (value) => dayExists(value) && value.endsWith('-01'),
    },
    example: '2026-11-01',
    definition: 'Month, by its first day, yyyy-mm-dd',
  },
  year: {
    kind: 'time',
    order: 'text',
    form: {
      words: 'a year by its first day, yyyy-mm-dd',
      fits: (value) => dayExists(value) && value.endsWith('-01-01'),
    },
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
  hourOfWeek: {
    kind: 'time',
    order: 'text',
    form: {
      words: 'an hour of the week by its weekday and hour, 1-00 (Monday) to 7-23',
      fits: (value) => /^[1-7]-([01]\d|2[0-3])$/.test(value),
    },
    example: '5-17',
    definition: 'Hour of the week by its weekday and hour, "1-00" (Monday) to "7-23"',
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
  os: {
    kind: 'audience',
    order: 'text',
    example: 'Android',
    definition: 'Operating system',
  },
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
  browser: {
    kind: 'audience',
    order: 'text',
    example: 'Firefox',
    definition: 'Browser',
  },
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
    form: {
      words: `a country as the two capital letters of ISO 3166-1, or ${unknownValue}`,
      fits: (value) => /^[A-Z]{2}$/.test(value) || value === unknownValue,
    },
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
  streamType: {
    kind: 'audience',
    order: 'text',
    keptWithQuality: true,
    values: [...streamTypes, unknownValue],
    example: 'vod',
    definition: 'Whether the media has an end (`vod`) or grows while it plays (`live`)',
  },
  connection: {
    kind: 'audience',
    order: 'text',
    keptWithQuality: true,
    values: [...connections, unknownValue],
    example: '4g',
    definition: 'The slowest connection of the view, as the browser rates it',
  },
  mediaHost: {
    kind: 'audience',
    order: 'text',
    keptWithQuality: true,
    example: 'cdn1.example.com',
    definition:
      'Host that the media came from, of each wait and stretch: a view may be in several rows',
  },
  error: {
    kind: 'audience',
    order: 'text',
    keptWithQuality: true,
    example: 'MEDIA_ERR_DECODE',
    definition:
      'Code of the error that ended a wait, or broke playback off; of `failures`, ' +
      '`startFailures` and numbers of waits alone',
  },
} as const satisfies Record<string, AudienceDimension>;
export type RecordedDimension = keyof typeof audienceDimensions;
export const recordedDimensions = Object.keys(audienceDimensions) as RecordedDimension[];

/** How many labels an account may declare; each has a number, and a column of the facts. */
export const mostLabels = 10;

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
  const definition = `The label \`${label}\`, as the page reported it`;
  return { kind: 'audience', order: 'text', example: 'news', definition };
}

export type TimeDimension = {
  [name in RecordedDimension]: (typeof audienceDimensions)[name]['kind'] extends 'time'
    ? name
    : never;
}[RecordedDimension];

export function isTime(name: AudienceDimensionName): name is TimeDimension {
  return audienceDimension(name).kind === 'time';
}
