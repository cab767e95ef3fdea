/**
 * How a measure is spread over views: what it is asked with and answers. Source: the quality
 * interface, section 3.
 */
import Type, { type Static } from 'typebox';
import { compareKinds, QualityBasis } from './audience-messages.ts';
import {
  accessKeyParameter,
  bomParameter,
  filtersParameter,
  firstDayParameter,
  lastDayParameter,
  packageIdParameter,
  timeZoneParameter,
} from './question-parameters.ts';

interface MeasureOfViews {
  readonly unit: 'ms' | 'kbit/s' | '0 to 1';
  /** Powers of ten to where the last bucket begins; undefined: twenty equal buckets. */
  readonly decades: number | undefined;
  readonly isOfQuality: boolean;
}

export const distributionMeasures = {
  startupMs: { unit: 'ms', decades: 6, isOfQuality: true },
  stallMs: { unit: 'ms', decades: 7, isOfQuality: true },
  bitrate: { unit: 'kbit/s', decades: 6, isOfQuality: true },
  playMs: { unit: 'ms', decades: 8, isOfQuality: false },
  seen: { unit: '0 to 1', decades: undefined, isOfQuality: false },
} as const satisfies Record<string, MeasureOfViews>;
export type DistributionMeasure = keyof typeof distributionMeasures;
export const distributionMeasureNames = Object.keys(distributionMeasures) as DistributionMeasure[];

export const DistributionRequest = Type.Object({
  ...{ sdate: firstDayParameter, edate: lastDayParameter },
  measure: Type.Enum(distributionMeasureNames, {
    description:
      '`startupMs`: time to the first frame, of each start; `stallMs`: of all stalls of a view ' +
      'that reports waits; `bitrate`: of a view that reports bits; `playMs`: playback time of a ' +
      'view; `seen`: share of the video that a view saw, of those that report positions',
  }),
  filters: Type.Optional(filtersParameter),
  packageId: Type.Optional(packageIdParameter),
  accessKey: Type.Optional(accessKeyParameter),
  timeZone: Type.Optional(timeZoneParameter),
  compare: Type.Optional(
    Type.Enum(compareKinds, {
      description: 'Adds `previous`, the same of an earlier range, as in `query`',
    }),
  ),
  bom: Type.Optional(bomParameter),
});
export type DistributionRequest = Static<typeof DistributionRequest>;

const orNull = (description: string, example: number) =>
  Type.Union([Type.Number({ minimum: 0 }), Type.Null()], { description, examples: [example] });

const Bucket = Type.Object(
  {
    from: Type.Number({ minimum: 0, description: 'The smallest value in it', examples: [1_000] }),
    to: orNull(
      'Where the next one begins; null: it has no upper bound. Of `seen` 1 is in the last',
      1_259,
    ),
    views: Type.Integer({ minimum: 0, examples: [31] }),
  },
  { title: 'DistributionBucket', additionalProperties: false },
);

const spread = {
  views: Type.Integer({ minimum: 0, description: 'Views with a value', examples: [180] }),
  mean: orNull('Of all values; null without any, as the percentiles', 1_240),
  p50: orNull('Half of the values are at most this one: exact, by nearest rank', 980),
  p75: orNull('Likewise three quarters', 1_510),
  p95: orNull('Likewise 95 %', 3_870),
  p99: orNull('Likewise 99 %', 7_430),
  list: Type.Array(Bucket, {
    description:
      'All buckets, also empty ones: from 0 to 10, then ten for each power of ten; of `seen` ' +
      'twenty equal ones',
  }),
};

const Spread = Type.Object(spread, { title: 'DistributionSpread', additionalProperties: false });
export type Spread = Static<typeof Spread>;

const Distribution = Type.Object(
  {
    measure: Type.Enum(distributionMeasureNames),
    unit: Type.Enum(['ms', 'kbit/s', '0 to 1']),
    ...spread,
    qualityBasis: Type.Optional(QualityBasis),
    previous: Type.Optional(
      Type.Union([Spread, Type.Null()], {
        description: 'With `compare`: of the range compared with; null: nothing there',
      }),
    ),
  },
  { title: 'Distribution', additionalProperties: false },
);
export type Distribution = Static<typeof Distribution>;

export const distributionColumns = Object.keys(Bucket.properties) as (keyof Static<
  typeof Bucket
>)[];

export const DistributionAnswer = Type.Object(
  { isSuccess: Type.Literal(true), message: Type.Literal(''), data: Distribution },
  { title: 'DistributionAnswer', additionalProperties: false },
);
