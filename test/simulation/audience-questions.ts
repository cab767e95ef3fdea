/** Random questions of the audience, as parameters. */
import fc from 'fast-check';
import { audienceDimension, recordedDimensions } from '../../src/vocabulary/dimensions.ts';
import {
  audienceMeasure,
  audienceMeasureNames,
  isOfQuality,
} from '../../src/vocabulary/measures.ts';
import { hourAt, type OracleQuestion } from './audience-oracle.ts';
import { type AudienceAccount, attributeValues, factValues, labels } from './audience-world.ts';
import type { Range } from './questions.ts';
import { zones } from './viewers.ts';

export interface AudienceQuestion {
  readonly range: Range;
  readonly zone: string | undefined;
  readonly measures: readonly string[];
  readonly dimensions: readonly string[];
  readonly filters: readonly AnyFilter[];
  readonly sort: readonly (readonly [place: number, isDescending: boolean])[];
  readonly compare: 'previous' | 'weekdays' | 'year' | undefined;
  readonly fill: boolean;
  readonly packageOf: number | undefined;
  readonly videoOf: number | undefined;
  readonly pageSize: number;
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
  ...[
    ['week', 'video'],
    ['month', 'os'],
    ['video', 'package', 'weekday'],
    ['hourOfDay'],
    ['hourOfWeek'],
  ],
);
const measuresOf = (names: typeof audienceMeasureNames) =>
  fc.uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 10 });
const measures = fc.oneof(
  measuresOf(audienceMeasureNames.filter((name) => !isOfQuality(name))),
  measuresOf(audienceMeasureNames.filter(isOfQuality)),
  measuresOf(audienceMeasureNames),
);
const measuresByError = audienceMeasureNames.filter((name) => audienceMeasure(name).byError);
const measuresOfSums = fc.constantFrom(['plays'], ['playMs', 'plays'], ['averagePlayMs']);

/** Of which most views are counted by their plays. */
const measuresOfViews = fc.constantFrom(
  ['views', 'viewers'],
  ['viewers'],
  ['plays', 'playMs', 'views', 'viewers', 'averagePlayMs', 'mediaMs'],
);
const dimensionsOfViews = fc
  .uniqueArray(fc.constantFrom(...allDimensions.filter((name) => !isTime(name)), 'date'), {
    maxLength: 2,
  })
  .filter((names) => names.every((name) => !name.endsWith('Version')));

const filter = fc.record({
  dimension: fc.constantFrom(...allDimensions),
  operator: fc.constantFrom('==', '!=', '=@', '!@'),
  values: fc.array(fc.nat(9), { minLength: 1, maxLength: 3 }),
});

const ofUsualRanges = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<Range>(...ranges) },
  { weight: 1, arbitrary: fc.constantFrom<Range>(...longRanges) },
);

export const anyAudienceQuestion = audienceQuestionOf(ofUsualRanges);

/** A question whose range is one of these. */
export function audienceQuestionOf(range: fc.Arbitrary<Range>) {
  return fc
    .record({
      asked: fc.oneof(
        { weight: 3, arbitrary: fc.tuple(measures, dimensions) },
        { weight: 2, arbitrary: fc.tuple(measuresOfViews, dimensionsOfViews) },
        { weight: 1, arbitrary: fc.tuple(measuresOfSums, dimensionsOfSums) },
      ),
      range,
      zone: fc.option(fc.constantFrom(...zones), { nil: undefined }),
      filters: fc.oneof(
        { weight: 1, arbitrary: fc.constant([]) },
        { weight: 1, arbitrary: fc.array(filter, { maxLength: 2 }) },
      ),
      sort: fc.array(fc.tuple(fc.nat(12), fc.boolean()), { maxLength: 2 }),
      compare: fc.constantFrom(undefined, undefined, 'previous', 'previous', 'weekdays', 'year'),
      fill: fc.boolean(),
      packageOf: fc.option(fc.nat(1), { nil: undefined, freq: 5 }),
      videoOf: fc.option(fc.nat(3), { nil: undefined, freq: 5 }),
      pageSize: fc.constantFrom(7, 50, 1_000),
      sinceLastDayMs: fc.integer({ min: -16 * 3_600_000, max: 40 * 3_600_000 }),
    })
    .map(({ asked: [askedMeasures, askedDimensions], fill, ...question }) => ({
      ...question,
      measures: isByError(askedDimensions, question.filters) ? measuresByError : askedMeasures,
      dimensions: askedDimensions,
      fill: fill && !(longRanges as readonly Range[]).includes(question.range),
    })) as fc.Arbitrary<AudienceQuestion>;
}

function isByError(
  askedDimensions: readonly string[],
  filters: readonly Pick<AnyFilter, 'dimension'>[],
): boolean {
  return [...askedDimensions, ...filters.map(({ dimension }) => dimension)].includes('error');
}

/** The question about an account, with every name and value in it; of the range's own moment. */
export function askedOf(question: AudienceQuestion, account: AudienceAccount): Asked {
  const { range, zone, packageOf, videoOf, compare, fill } = question;
  const names = [...question.measures, ...question.dimensions];
  const sort = new Map(
    question.sort.map(([place, isDescending]) => [names[place % names.length] ?? '', isDescending]),
  );
  return {
    ...{ firstDay: range[0], lastDay: range[1], zone, compare, fill },
    ...{ measures: question.measures, dimensions: question.dimensions },
    filters: question.filters.map(({ dimension: name, operator, values }) => {
      const known = valuesOf(name, account);
      const chosen = values.map((index) => known[index % known.length] ?? '');
      if (operator.includes('@')) return { name, operator, values: [partOf(chosen[0] ?? '')] };
      const timeZone = zone ?? account.timeZone;
      const whole = (value: string) => (name === 'hour' ? startedIn(timeZone, value) : value);
      return { name, operator, values: chosen.map(whole) };
    }),
    sort: [...sort].map(([name, isDescending]) => ({ name, isDescending })),
    packageId: packageOf === undefined ? undefined : String(account.packages[packageOf]),
    accessKey: videoOf === undefined ? undefined : account.videos[videoOf]?.accessKey,
  };
}

export type Asked = Omit<OracleQuestion, 'accountId' | 'timeZone' | 'nowMs'> & {
  readonly zone: string | undefined;
  readonly packageId: string | undefined;
  readonly accessKey: string | undefined;
};

export function parametersOf(asked: Asked): Record<string, string> {
  const { firstDay, lastDay, zone, packageId, accessKey, compare, fill } = asked;
  const filters = asked.filters.map(
    ({ name, operator, values }) => `${name}${operator}${values.map(escaped).join(',')}`,
  );
  const sort = asked.sort.map(({ name, isDescending }) => (isDescending ? `-${name}` : name));
  const given: Record<string, string | undefined> = {
    sdate: firstDay,
    edate: lastDay,
    timeZone: zone,
    measures: asked.measures.join(','),
    dimensions: asked.dimensions.join(',') || undefined,
    filters: filters.join(';') || undefined,
    sort: sort.join(',') || undefined,
    fill: fill ? 'zero' : undefined,
    ...{ compare, packageId, accessKey },
  };
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** The same for the oracle, asked at a moment. */
export function questionOf(asked: Asked, account: AudienceAccount, nowMs: number): OracleQuestion {
  const { zone, packageId, accessKey, ...question } = asked;
  const equals = (name: string, value: string | undefined) =>
    value === undefined ? [] : [{ name, operator: '==', values: [value] }];
  const timeZone = zone ?? account.timeZone;
  const ofZone = ({ name, operator, values }: Asked['filters'][number]) => {
    const isHour = name === 'hour' && !operator.includes('@');
    const labelOf = (value: string) => hourAt(Date.parse(value), timeZone).label;
    return { name, operator, values: isHour ? values.map(labelOf) : values };
  };
  return {
    ...question,
    accountId: account.accountId,
    timeZone,
    filters: [
      ...asked.filters.map(ofZone),
      ...equals('package', packageId),
      ...equals('video', accessKey),
    ],
    nowMs,
  };
}

function valuesOf(dimension: string, { videos, packages, folders }: AudienceAccount): string[] {
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
    ...factValues,
  };
  const unknown = isTime(dimension) ? [] : ['Unknown'];
  return [...(known[dimension] ?? [example]), ...unknown].map(String);
}

/** As it is, with whatever offset, if an hour of the zone begins then; else the hour it is in. */
function startedIn(timeZone: string, hour: string): string {
  const { label, begins } = hourAt(Date.parse(hour), timeZone);
  return begins ? hour : label;
}

const escaped = (value: string) => value.replaceAll(/[\\,;]/g, '\\$&');
/** Letters of either case. */
const partOf = (value: string) => value.slice(-3).toUpperCase();
