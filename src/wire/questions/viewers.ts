/** Who saw how much, by named viewers: what it is asked with and answers. */
import Type, { type Static } from 'typebox';
import { maxSubCharacters } from '../../vocabulary/view-token.ts';
import { pageSizeParameter } from './audience-messages.ts';
import {
  accessKeyParameter,
  bomParameter,
  filtersParameter,
  firstDayParameter,
  lastDayParameter,
  packageIdParameter,
  timeZoneParameter,
} from './question-parameters.ts';

export const viewersPath = '/report/statistics/video/v2/viewers';

/** Of `names`. */
export const mostAskedNames = 200;

const orders = ['completed', 'seen', 'videos', 'lastSeen'] as const;
export type ViewersOrder = (typeof orders)[number];
const sorts = orders.flatMap((name) => [name, `-${name}`] as const);

export const ViewersRequest = Type.Object({
  ...{ sdate: firstDayParameter, edate: lastDayParameter },
  packageId: Type.Optional({
    ...packageIdParameter,
    description: 'Only playback in this package; without `accessKey`, of all videos in it',
  }),
  accessKey: Type.Optional(accessKeyParameter),
  names: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 8_000,
      description:
        'Only these viewers, by the names that pages report or tokens have as `sub`: one on a ' +
        `line (in a URL, %0A between them), at most ${mostAskedNames}. Each has a row, also one ` +
        'that saw nothing',
      examples: ['student-0417\nstudent-0418'],
    }),
  ),
  sort: Type.Enum(sorts, {
    default: '-completed',
    description: 'Order of the rows, `-` before it for descending; ties by `viewer`, ascending',
  }),
  filters: Type.Optional(filtersParameter),
  timeZone: Type.Optional(timeZoneParameter),
  pageSize: pageSizeParameter,
  bom: Type.Optional(bomParameter),
});
export type ViewersRequest = Static<typeof ViewersRequest>;

const count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, description, examples: [example] });

const ViewerRow = Type.Object(
  {
    viewer: Type.String({
      description: 'The hash that stands for the viewer in this account; no name is kept',
      examples: ['0c41f2a97be35d18'],
    }),
    name: Type.Union([Type.String({ maxLength: maxSubCharacters }), Type.Null()], {
      description: 'As it was asked for in `names`; null: all were asked for',
      examples: ['student-0417'],
    }),
    videos: count('Videos that the viewer played in the range', 3),
    completed: count('Of these, videos of whose length they saw at least 95 %, in all views', 2),
    seen: Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()], {
      description:
        'What they saw of these videos, each part once / the length of these videos, four ' +
        'decimals; null: their player reported no position',
      examples: [0.8312],
    }),
    lastSeen: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'The end of their last playback in the range; null: there is none',
      examples: ['2026-11-20T10:15:30.123Z'],
    }),
  },
  { title: 'ViewerCompletion', additionalProperties: false },
);
export type ViewerRow = Static<typeof ViewerRow>;
export const viewerColumns = Object.keys(ViewerRow.properties) as (keyof ViewerRow)[];

const ViewersTotals = Type.Object(
  {
    viewers: count('Viewers that have a row', 40),
    completed: count('Of these, viewers who completed every video that was asked about', 12),
    videos: count('Videos asked about: one, or those in the package that have a length', 8),
  },
  { title: 'ViewersTotals', additionalProperties: false },
);
export type ViewersTotals = Static<typeof ViewersTotals>;

export const ViewersAnswer = Type.Object(
  {
    isSuccess: Type.Literal(true),
    message: Type.Literal(''),
    data: Type.Object(
      {
        list: Type.Array(ViewerRow),
        totals: ViewersTotals,
        rowCount: count('Rows on all pages', 40),
        requestId: Type.String({ format: 'uuid' }),
        pageSize: count('Rows per page', 100),
        nextToken: Type.String({ description: 'Of the next page; empty: this is the last one' }),
      },
      { title: 'Viewers', additionalProperties: false },
    ),
  },
  { title: 'ViewersAnswer', additionalProperties: false },
);
