/** /manage/v1/shares: views of the dashboard that a link shows to anybody, and no more. */
import Type, { type Static } from 'typebox';
import { createList, named, orNull } from '../management-messages.ts';
import { compareKinds } from '../questions/audience-messages.ts';
import {
  accessKeyParameter,
  packageIdParameter,
  timeZoneParameter,
} from '../questions/question-parameters.ts';

export const mostShareDays = 3_653;
export const mostShareOrigins = 20;
export const shareComparisons = ['none', ...compareKinds] as const;
export type ShareComparison = (typeof shareComparisons)[number];

/** Whoever has it sees the share; never read from a URL. */
export const shareHeader = 'x-playmeter-share';

const instant = Type.String({ format: 'date-time', examples: ['2026-11-20T10:15:30.123Z'] });

const name = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Its name, which the page shows as its title',
  examples: ['November for the board'],
});
const accessKey = { ...accessKeyParameter, description: 'The video it shows; null: the overview' };
const ofPackage = 'Only playback in this package; null: all';
const packageId = { ...packageIdParameter, description: ofPackage };
const ofFilters = 'Only playback that these conditions hold for, as in `query`; null: all';
const filters = Type.String({
  minLength: 1,
  maxLength: 4_096,
  description: ofFilters,
  examples: ['country==KR'],
});
const day = (description: string) =>
  Type.String({ format: 'date', description, examples: ['2026-11-01'] });
const sdate = day('First day');
const edate = day('Last day');
const inPlaceOfDays = 'Instead of `sdate` and `edate`: the last so many days, today included';
const lastDays = Type.Integer({
  minimum: 1,
  maximum: mostShareDays,
  description: inPlaceOfDays,
  examples: [28],
});
const compare = Type.Enum([...shareComparisons], {
  description: 'Which earlier days may be seen beside its own',
});
const timeZone = { ...timeZoneParameter, description: 'IANA time zone for its days and hours' };
const origins = Type.Array(Type.String({ minLength: 1, maxLength: 300 }), {
  maxItems: mostShareOrigins,
  description: 'Sites whose pages may embed it, by their origins; empty: none',
  examples: [['https://www.example.com']],
});
const shareId = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Id of the share',
  examples: [1],
});

const members = {
  shareId,
  name,
  accessKey: orNull(accessKey, accessKey.description),
  packageId: orNull(packageId, ofPackage),
  filters: orNull(filters, ofFilters),
  sdate: orNull(sdate, 'First day; null: the last days'),
  edate: orNull(edate, 'Last day; null: the last days'),
  lastDays: orNull(lastDays, 'How many days, of which today is the last; null: fixed days'),
  compare,
  timeZone,
  origins,
  createdAt: { ...instant, description: 'When it was created' },
  expiresAt: orNull(instant, 'When its link stops showing anything; null: never'),
  createdBy: Type.String({ description: 'Who created it, as in the audit' }),
  createdByName: Type.String({ description: 'The name of the key, the person or the system user' }),
  packageIds: Type.Optional(
    Type.Array(packageIdParameter, {
      description: 'To which all is pinned: the packages of the narrowed member who made it',
    }),
  ),
};
export const ShareRecord = Type.Object(members, named('Share'));
export type ShareRecord = Static<typeof ShareRecord>;
export const NewShareRecord = Type.Object(
  {
    ...members,
    path: Type.String({
      description:
        'Its link, after the URL of the service: whoever has it sees the share. Shown only ' +
        'in this answer',
      examples: ['/shared/Wm3kPq0a#x0Jm5rZ2bq0Q7cY1nV8aL4eU6tK9sD3fG2hJ5pO7iWc'],
    }),
  },
  named('NewShare'),
);
export const ShareFields = Type.Object(
  {
    name,
    accessKey: Type.Optional(orNull(accessKey, accessKey.description)),
    packageId: Type.Optional(orNull(packageId, ofPackage)),
    filters: Type.Optional(orNull(filters, ofFilters)),
    sdate: Type.Optional(orNull(sdate, 'First day; given together with `edate`')),
    edate: Type.Optional(orNull(edate, 'Last day')),
    lastDays: Type.Optional(orNull(lastDays, inPlaceOfDays)),
    compare: Type.Optional({ ...compare, default: 'none' }),
    timeZone: Type.Optional(
      orNull(timeZone, `${timeZone.description}; default: the account's, as it is now`),
    ),
    origins: Type.Optional(origins),
    expiresAt: Type.Optional(
      orNull(instant, 'When its link stops showing anything; default: never'),
    ),
  },
  named('ShareFields'),
);
export type ShareFields = Static<typeof ShareFields>;
export const ShareList = createList('ShareList', ShareRecord);
