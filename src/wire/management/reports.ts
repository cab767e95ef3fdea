/** /manage/v1/reports: what an account is sent every week or month. */
import Type, { type Static } from 'typebox';
import type { AudienceMeasureName } from '../../vocabulary/measures.ts';
import {
  changedMembers,
  madeMembers,
  newSecret,
  ofRuleFilters,
  orNull,
  receiverFields,
  receiverMembers,
  ruleFilters,
  ruleId,
  ruleName,
} from '../../vocabulary/receivers.ts';
import { createList, named } from '../management-messages.ts';

export const reportPeriods = ['week', 'month'] as const;
export type ReportPeriod = (typeof reportPeriods)[number];
export const mostReportRows = 50;

export interface ReportTerms {
  readonly kind: 'report';
  readonly every: ReportPeriod;
  /** Of weeks: the day on which they begin, 1 (Monday) to 7. */
  readonly weekday: number;
  /** Hour of the day, by the account's clock, from which it is sent. */
  readonly hour: number;
  readonly measures: readonly AudienceMeasureName[];
  readonly dimension: string | null;
  /** Rows at most. */
  readonly top: number;
  readonly filters: string | null;
}

const every = Type.Enum([...reportPeriods], {
  description: 'A report of each week, or of each month, once it is over',
});
const weekday = Type.Integer({
  minimum: 1,
  maximum: 7,
  description: 'Day on which weeks begin, 1 (Monday) to 7 (Sunday); default: 1',
});
const hour = Type.Integer({
  minimum: 0,
  maximum: 23,
  description:
    "Hour of the next week's or month's first day from which it is sent, by the clock of the " +
    'account; default: 6',
});
const measures = Type.String({
  minLength: 1,
  maxLength: 1_024,
  description: 'One to ten measures, separated by commas, as in `query`',
  examples: ['plays,playMs,viewers'],
});
const ofDimension = 'What the rows are of, as in `query`, but no time; null: no rows, only totals';
const dimension = Type.String({
  minLength: 1,
  maxLength: 128,
  description: ofDimension,
  examples: ['video'],
});
const top = Type.Integer({
  minimum: 1,
  maximum: mostReportRows,
  description: 'Rows at most, the largest by the first measure; default: 10',
});

const members = {
  reportId: ruleId('Id of the report'),
  name: ruleName,
  every,
  weekday,
  hour,
  measures,
  dimension: orNull(dimension, ofDimension),
  top,
  filters: orNull(ruleFilters, ofRuleFilters),
  ...receiverMembers,
  reportedThrough: Type.String({
    format: 'date-time',
    description: 'The end of the time that was reported last, or when it was created',
    examples: ['2026-11-16T00:00:00.000Z'],
  }),
  ...madeMembers,
};

export const ReportRecord = Type.Object(members, named('Report'));
export type ReportRecord = Static<typeof ReportRecord>;
export const NewReportRecord = Type.Object({ ...members, ...newSecret }, named('NewReport'));
export const ReportFields = Type.Object(
  {
    name: ruleName,
    every,
    weekday: Type.Optional(weekday),
    hour: Type.Optional(hour),
    measures,
    dimension: Type.Optional(orNull(dimension, ofDimension)),
    top: Type.Optional(top),
    filters: Type.Optional(orNull(ruleFilters, ofRuleFilters)),
    ...receiverFields,
  },
  named('ReportFields'),
);
export type ReportFields = Static<typeof ReportFields>;
export const ReportChanges = Type.Object(
  { ...Type.Partial(ReportFields).properties, ...changedMembers },
  named('ReportChanges'),
);
export type ReportChanges = Static<typeof ReportChanges>;
export const ReportList = createList('ReportList', ReportRecord);
