/** Random questions of the audience, as parameters. */
import fc from 'fast-check';
import {
  audienceDimension,
  audienceMeasureNames,
  recordedDimensions,
} from '../../src/wire/audience.ts';
import { type AudienceWorld, attributeValues, labels } from './audience-world.ts';
import { zones } from './viewers.ts';

export interface AudienceQuestion {
  readonly range: readonly [firstDay: string, lastDay: string];
  readonly zone: string | undefined;
  readonly measures: readonly string[];
  readonly dimensions: readonly string[];
  readonly filters: readonly AnyFilter[];
  readonly sort: readonly (readonly [place: number, isDescending: boolean])[];
  readonly compare: 'previous' | 'year' | undefined;
  readonly fill: boolean;
  readonly packageOf: number | undefined;
  readonly videoOf: number | undefined;
  /** When it is asked: since the range's last day began in UTC. */
  readonly sinceLastDayMs: number;
}

interface AnyFilter {
  readonly dimension: string;
  readonly operator: string;
  /** Index into the values that the dimension may have. */
  readonly values: readonly number[];
}

const ranges = [
  ['2026-03-07', '2026-03-09'],
  ['2026-03-08', '2026-03-08'],
  ['2026-10-31', '2026-11-02'],
  ['2026-11-01', '2026-11-01'],
  ['2026-10-02', '2026-10-05'],
  ['2026-04-01', '2026-04-08'],
  ['2026-02-27', '2026-03-02'],
  ['2011-12-28', '2011-12-31'],
  ['2011-12-30', '2011-12-30'],
  ['2025-12-30', '2026-01-02'],
  ['2026-09-18', '2026-09-21'],
] as const;
/** Too long to fill in hours. */
const longRanges = [
  ['2026-01-01', '2026-12-31'],
  ['2020-01-01', '2026-12-31'],
] as const;

const allDimensions = [...recordedDimensions, ...labels.map((name) => `label.${name}`)];
const isTime = (name: string) => audienceDimension(name as 'date').kind === 'time';

/** At most three, of which one is a time; versions with what they are versions of. */
const dimensions = fc
  .uniqueArray(fc.constantFrom(...allDimensions), { maxLength: 3 })
  .map((names) => {
    const oneTime = names.filter(
      (name, index) => !isTime(name) || names.findIndex(isTime) === index,
    );
    const whole = oneTime.flatMap((name) => {
      const { askedWith } = audienceDimension(name as 'date');
      return askedWith && !oneTime.includes(askedWith) ? [askedWith, name] : [name];
    });
    return whole.length > 3 ? whole.filter((name) => !name.endsWith('Version')).slice(0, 3) : whole;
  });
const dimensionsOfSums = fc.constantFrom<string[]>(
  ...[[], ['video'], ['package'], ['folder'], ['date'], ['hour', 'package'], ['os', 'osVersion']],
  ...[['week', 'video'], ['month', 'os'], ['video', 'package', 'weekday'], ['hourOfDay']],
);
const measures = fc.uniqueArray(fc.constantFrom(...audienceMeasureNames), {
  minLength: 1,
  maxLength: 10,
});
const measuresOfSums = fc.constantFrom(['plays'], ['playMs', 'plays'], ['averagePlayMs']);

const filter = fc.record({
  dimension: fc.constantFrom(...allDimensions),
  operator: fc.constantFrom('==', '!=', '=@', '!@'),
  values: fc.array(fc.nat(9), { minLength: 1, maxLength: 3 }),
});

export const anyAudienceQuestion = fc
  .record({
    asked: fc.oneof(
      { weight: 3, arbitrary: fc.tuple(measures, dimensions) },
      { weight: 1, arbitrary: fc.tuple(measuresOfSums, dimensionsOfSums) },
    ),
    range: fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...ranges) },
      { weight: 1, arbitrary: fc.constantFrom(...longRanges) },
    ),
    zone: fc.option(fc.constantFrom(...zones), { nil: undefined }),
    filters: fc.oneof(
      { weight: 1, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(filter, { maxLength: 2 }) },
    ),
    sort: fc.array(fc.tuple(fc.nat(12), fc.boolean()), { maxLength: 2 }),
    compare: fc.constantFrom(undefined, undefined, 'previous', 'previous', 'year'),
    fill: fc.boolean(),
    packageOf: fc.option(fc.nat(1), { nil: undefined, freq: 5 }),
    videoOf: fc.option(fc.nat(3), { nil: undefined, freq: 5 }),
    sinceLastDayMs: fc.integer({ min: -16 * 3_600_000, max: 40 * 3_600_000 }),
  })
  .map(({ asked: [askedMeasures, askedDimensions], fill, ...question }) => ({
    ...question,
    measures: askedMeasures,
    dimensions: askedDimensions,
    fill: fill && (ranges as readonly (readonly string[])[]).includes(question.range),
  })) as fc.Arbitrary<AudienceQuestion>;

export function parametersOf(
  question: AudienceQuestion,
  world: AudienceWorld,
): Record<string, string> {
  const { range, zone, packageOf, videoOf, compare, fill } = question;
  const names = [...question.measures, ...question.dimensions];
  const sort = new Map(
    question.sort.map(([place, isDescending]) => [names[place % names.length], isDescending]),
  );
  const filters = question.filters.map(({ dimension, operator, values }) => {
    const known = valuesOf(dimension, world);
    const chosen = values.map((index) => escaped(known[index % known.length] ?? ''));
    return `${dimension}${operator}${operator.includes('@') ? partOf(chosen[0] ?? '') : chosen.join(',')}`;
  });
  const given: Record<string, string | undefined> = {
    sdate: range[0],
    edate: range[1],
    timeZone: zone,
    measures: question.measures.join(','),
    dimensions: question.dimensions.join(',') || undefined,
    filters: filters.join(';') || undefined,
    sort:
      [...sort].map(([name, isDescending]) => (isDescending ? `-${name}` : name)).join(',') ||
      undefined,
    compare,
    fill: fill ? 'zero' : undefined,
    packageId: packageOf === undefined ? undefined : String(world.packages[packageOf]),
    accessKey: videoOf === undefined ? undefined : world.videos[videoOf]?.accessKey,
  };
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

function valuesOf(dimension: string, { videos, packages, folders }: AudienceWorld): string[] {
  const { values, example } = audienceDimension(dimension as 'date');
  if (values) return [...values];
  const known: Record<string, readonly (string | number)[]> = {
    video: [...videos.map(({ accessKey }) => accessKey), 'none'],
    package: [...packages, 999_999],
    folder: [...folders, 999_999],
    os: ['iOS', 'Unknown', 'Windows'],
    osVersion: ['9.3', '10', 'Unknown'],
    hour: ['2026-03-08T01:00:00-05:00', '2026-11-01T01:00:00-05:00', '2026-03-08T07:00:00+00:00'],
    date: ['2026-03-08', '2026-11-01', '2011-12-31'],
    week: ['2026-03-02', '2026-10-26'],
    month: ['2026-03-01', '2026-11-01'],
    year: ['2026-01-01', '2011-01-01'],
    'label.plan': attributeValues.label1,
    'label.team': attributeValues.label2,
    ...attributeValues,
  };
  return [...(known[dimension] ?? [example]), 'Unknown'].map(String);
}

const escaped = (value: string) => value.replaceAll(/[\\,;]/g, '\\$&');
/** Letters of either case, without a half of what is escaped. */
const partOf = (value: string) => (value.includes('\\') ? value : value.slice(-3).toUpperCase());
