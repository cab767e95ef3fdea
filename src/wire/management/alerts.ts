/** /manage/v1/alerts: what an account is notified of when it happens. */
import Type, { type Static } from 'typebox';
import { type AudienceMeasureName, audienceMeasureNames } from '../../vocabulary/measures.ts';
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

const alertKinds = ['threshold', 'drop', 'silence'] as const;
export const alertIntervals = ['hour', 'day'] as const;
export type AlertInterval = (typeof alertIntervals)[number];
export const mostComparedWeeks = 8;
const silenceMinutes = { least: 5, most: 1_440 } as const;

/** A measure of an hour or a day beyond a limit. */
export interface ThresholdTerms {
  readonly kind: 'threshold';
  readonly measure: AudienceMeasureName;
  readonly per: AlertInterval;
  /** Of both, exactly one is given. */
  readonly above: number | null;
  readonly below: number | null;
  readonly filters: string | null;
}

/** A measure of an hour or a day lower than on the same weekday before. */
export interface DropTerms {
  readonly kind: 'drop';
  readonly measure: AudienceMeasureName;
  readonly per: AlertInterval;
  /** By so much of what was expected, or more. */
  readonly percent: number;
  /** How many earlier weeks it is compared with. */
  readonly weeks: number;
  /** Where less than this was expected, nothing is said. */
  readonly atLeast: number;
  readonly filters: string | null;
}

/** No playback for a while. */
export interface SilenceTerms {
  readonly kind: 'silence';
  readonly minutes: number;
  readonly filters: string | null;
}

export type AlertTerms = ThresholdTerms | DropTerms | SilenceTerms;

const said = {
  measure: 'What is measured, as in `query`; null: `silence`',
  per: 'Hours or days by the clock of the account, by default `day`; null: `silence`',
  above: '`threshold`: the measure is larger than this',
  below: '`threshold`: the measure is smaller than this',
  percent: '`drop`: lower than expected by this many percent or more',
  weeks:
    '`drop`: expected is the average of the same weekday, or of the same hour on it, in so many ' +
    'weeks before; default: 4',
  atLeast: '`drop`: no alert where less than this was expected; default: 0',
  minutes: '`silence`: nothing played for this many minutes',
} as const;

const limit = (description: string) =>
  Type.Number({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description });
const kind = Type.Enum([...alertKinds], {
  description:
    '`threshold`: a measure of an hour or a day beyond a limit; `drop`: lower than on the same ' +
    'weekday before; `silence`: no playback for some minutes',
});
const measure = Type.Enum(audienceMeasureNames, { description: said.measure });
const per = Type.Enum([...alertIntervals], { description: said.per });
const above = limit(said.above);
const below = limit(said.below);
const percent = Type.Integer({
  ...{ minimum: 1, maximum: 100, description: said.percent, examples: [50] },
});
const weeks = Type.Integer({ minimum: 1, maximum: mostComparedWeeks, description: said.weeks });
const atLeast = limit(said.atLeast);
const minutes = Type.Integer({
  ...{ minimum: silenceMinutes.least, maximum: silenceMinutes.most },
  ...{ description: said.minutes, examples: [30] },
});

const members = {
  alertId: ruleId('Id of the alert'),
  name: ruleName,
  kind,
  measure: orNull(measure, said.measure),
  per: orNull(per, said.per),
  above: orNull(above, said.above),
  below: orNull(below, said.below),
  percent: orNull(percent, said.percent),
  weeks: orNull(weeks, said.weeks),
  atLeast: orNull(atLeast, said.atLeast),
  minutes: orNull(minutes, said.minutes),
  filters: orNull(ruleFilters, ofRuleFilters),
  ...receiverMembers,
  isFiring: Type.Boolean({ description: 'Whether its condition held when it was judged last' }),
  judgedThrough: Type.String({
    format: 'date-time',
    description: 'The end of the time that was judged last, or when it was created',
    examples: ['2026-11-20T10:00:00.000Z'],
  }),
  ...madeMembers,
};

export const AlertRecord = Type.Object(members, named('Alert'));
export type AlertRecord = Static<typeof AlertRecord>;
export const NewAlertRecord = Type.Object({ ...members, ...newSecret }, named('NewAlert'));
export const AlertFields = Type.Object(
  {
    name: ruleName,
    kind,
    measure: Type.Optional(measure),
    per: Type.Optional(per),
    above: Type.Optional(above),
    below: Type.Optional(below),
    percent: Type.Optional(percent),
    weeks: Type.Optional(weeks),
    atLeast: Type.Optional(atLeast),
    minutes: Type.Optional(minutes),
    filters: Type.Optional(orNull(ruleFilters, ofRuleFilters)),
    ...receiverFields,
  },
  named('AlertFields'),
);
export type AlertFields = Static<typeof AlertFields>;
export const AlertChanges = Type.Object(
  { ...Type.Partial(AlertFields).properties, ...changedMembers },
  named('AlertChanges'),
);
export type AlertChanges = Static<typeof AlertChanges>;
export const AlertList = createList('AlertList', AlertRecord);
