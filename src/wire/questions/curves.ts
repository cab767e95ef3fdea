/**
 * Curves over the media and over time: how far people watch, how many watch at once, and who
 * watches now. What they are asked with and answer.
 * Source: the audience interface, sections 5 and 6.
 */
import Type, { type Static, type TObject, type TProperties } from 'typebox';
import { measureSchemas, QualityBasis } from './audience-messages.ts';
import {
  accessKeyParameter,
  bomParameter,
  filtersParameter,
  firstDayParameter,
  lastDayParameter,
  packageIdParameter,
  timeZoneParameter,
} from './question-parameters.ts';

export const maxParts = 1_000;
/** Seven days. */
const maxLengthMs = 604_800_000;
export const maxDaysOfMinutes = 31;
/** Videos that `live` names. */
export const mostLiveVideos = 20;
export const liveMinutes = 30;
/** Stretches count as playing for so long after the last instant that they were reported for. */
export const liveForSeconds = 15;

const range = { sdate: firstDayParameter, edate: lastDayParameter };
const narrowing = {
  packageId: Type.Optional(packageIdParameter),
  filters: Type.Optional(filtersParameter),
  timeZone: Type.Optional(timeZoneParameter),
};

export const RetentionRequest = Type.Object({
  ...range,
  accessKey: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'Original key of the video',
  }),
  ...narrowing,
  parts: Type.Integer({
    minimum: 1,
    maximum: maxParts,
    default: 100,
    description: 'Number of equal parts that the length of the video is cut into',
  }),
  bom: Type.Optional(bomParameter),
  lengthMs: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: maxLengthMs,
      description:
        "The length that is cut, in milliseconds, in place of the video's own: for a video that " +
        'has none yet',
    }),
  ),
});
export type RetentionRequest = Static<typeof RetentionRequest>;

export const intervals = ['minute', 'hour', 'day'] as const;
export type IntervalName = (typeof intervals)[number];

export const ConcurrencyRequest = Type.Object({
  ...range,
  accessKey: Type.Optional(accessKeyParameter),
  ...narrowing,
  interval: Type.Enum([...intervals], {
    default: 'hour',
    description: `Length of an interval; minutes for at most ${maxDaysOfMinutes} days`,
  }),
  bom: Type.Optional(bomParameter),
});
export type ConcurrencyRequest = Static<typeof ConcurrencyRequest>;

export const liveLists = ['videos', 'lastMinutes'] as const;

export const LiveRequest = Type.Object({
  timeZone: narrowing.timeZone,
  list: Type.Enum([...liveLists], {
    default: 'videos',
    description: 'The list that an answer in CSV has; JSON has both',
  }),
  bom: Type.Optional(bomParameter),
});
export type LiveRequest = Static<typeof LiveRequest>;

const count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, description, examples: [example] });
const decimal = (description: string, example: number) =>
  Type.Number({ minimum: 0, description, examples: [example] });

/** Members in the order in which the answer shows them. */
const RetentionPart = Type.Object(
  {
    part: count('Number of the part, from 0', 0),
    fromMs: count('Where in the media the part begins', 0),
    toMs: count('Where it ends', 1_200),
    audience: count('Views that saw any of the part, at least 1 ms of it, once each', 479),
    watched: decimal(
      'How often a view saw the part on average, counting what it saw again: media time played ' +
        'in the part / (its length × `positionedViews`); three decimals',
      1.031,
    ),
  },
  { title: 'RetentionPart', additionalProperties: false },
);
export type RetentionPart = Static<typeof RetentionPart>;

const Retention = Type.Object(
  {
    lengthMs: count('Length of the video in the catalog, milliseconds', 120_000),
    views: count('Distinct views with any playback in the range', 500),
    positionedViews: count('Those of them that reported positions; the others are in no part', 480),
    averageSeen: Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()], {
      description:
        'Share of the video that these views saw on average, every moment once; four decimals, ' +
        'null where no view reported a position',
      examples: [0.4312],
    }),
    list: Type.Array(RetentionPart),
  },
  { title: 'Retention', additionalProperties: false },
);
export type Retention = Static<typeof Retention>;

const localInstant = 'RFC 3339 with the offset of the zone';
const ConcurrencyRow = Type.Object(
  {
    time: Type.String({
      description: `Start of the interval, ${localInstant}; of a day, yyyy-mm-dd`,
      examples: ['2026-11-20T17:00:00+09:00'],
    }),
    peak: count('Most stretches playing at one instant', 42),
    peakAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: `The first such instant, ${localInstant}; null where the peak is 0`,
      examples: ['2026-11-20T17:41:07.250+09:00'],
    }),
    average: decimal(
      'How many were playing on average: playback time / length of the interval; three decimals',
      30.482,
    ),
  },
  { title: 'ConcurrencyRow', additionalProperties: false },
);
export type ConcurrencyRow = Static<typeof ConcurrencyRow>;

const Concurrency = Type.Object(
  { list: Type.Array(ConcurrencyRow, { description: 'Every interval of the range, in order' }) },
  { title: 'Concurrency', additionalProperties: false },
);
export type Concurrency = Static<typeof Concurrency>;

const LiveVideo = Type.Object(
  {
    video: Type.String({ description: 'Original key of the video', examples: ['q4Yd2kVb1Xw'] }),
    videoTitle: Type.String({ examples: ['The first one'] }),
    playing: count('Stretches of it that are playing', 17),
  },
  { title: 'LiveVideo', additionalProperties: false },
);
export type LiveVideo = Static<typeof LiveVideo>;

const LiveMinute = Type.Object(
  {
    time: Type.String({
      description: `Start of the minute, ${localInstant}`,
      examples: ['2026-11-20T17:41:00+09:00'],
    }),
    peak: count('Most stretches playing at one instant of it', 42),
  },
  { title: 'LiveMinute', additionalProperties: false },
);
export type LiveMinute = Static<typeof LiveMinute>;

/** Those of quality that `live` has. */
export const liveQualityMeasures = [
  ...(['startupP50', 'startupP95', 'exitShare', 'failureShare'] as const),
  ...(['stalledTimeShare', 'bitrate'] as const),
] as const;

const LiveQuality = Type.Object(
  {
    since: Type.String({
      format: 'date-time',
      description:
        `The quarter hour in which the first of the last ${liveMinutes} minutes lies, from its ` +
        'start: all from then on is in the measures',
      examples: ['2026-11-20T08:00:00.000Z'],
    }),
    ...(Object.fromEntries(
      liveQualityMeasures.map((name) => [name, { ...measureSchemas[name] }]),
    ) as TProperties),
    qualityBasis: QualityBasis,
  },
  {
    title: 'LiveQuality',
    description: 'How playback starts and runs, as in `query`',
    additionalProperties: false,
  },
);
export type LiveQuality = Readonly<
  Record<(typeof liveQualityMeasures)[number], number | null> & {
    since: string;
    qualityBasis: QualityBasis;
  }
>;

const Live = Type.Object(
  {
    asOf: Type.String({
      format: 'date-time',
      description: 'The moment that this is of',
      examples: ['2026-11-20T08:41:32.480Z'],
    }),
    playing: count(
      `Stretches last reported to run to within ${liveForSeconds} seconds before that, or to ` +
        'after it',
      40,
    ),
    videos: Type.Array(LiveVideo, { description: `The ${mostLiveVideos} with most playing` }),
    lastMinutes: Type.Array(LiveMinute, {
      description: `The last ${liveMinutes} minutes with the one that is running, in order`,
    }),
    quality: Type.Unsafe<LiveQuality>(LiveQuality),
  },
  { title: 'Live', additionalProperties: false },
);
export type Live = Static<typeof Live>;

/** What CSV has of an answer: the members of the rows of one list, in order. */
const columnsOf = <Row extends TObject>(row: Row) =>
  Object.keys(row.properties) as (keyof Static<Row> & string)[];
export const retentionColumns = columnsOf(RetentionPart);
export const concurrencyColumns = columnsOf(ConcurrencyRow);
export const liveColumns = { videos: columnsOf(LiveVideo), lastMinutes: columnsOf(LiveMinute) };

/** What an answer holds, in the envelope of every answer. */
const answerOf = <Data extends TObject>(title: string, data: Data) =>
  Type.Object(
    { isSuccess: Type.Literal(true), message: Type.Literal(''), data },
    { title, additionalProperties: false },
  );

export const RetentionAnswer = answerOf('RetentionAnswer', Retention);
export const ConcurrencyAnswer = answerOf('ConcurrencyAnswer', Concurrency);
export const LiveAnswer = answerOf('LiveAnswer', Live);
