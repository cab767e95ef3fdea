/** /manage/v1/playback and /manage/v1/erasures: erasing playback, and its receipts. */
import Type, { type Static } from 'typebox';
import { erasureKinds, erasureStates } from '../../vocabulary/erasures.ts';
import { maxSubCharacters } from '../../vocabulary/view-token.ts';
import { createList } from '../management-messages.ts';

const count = (description: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description });
const id = (description: string) =>
  Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description });
const idOrNull = (description: string) =>
  Type.Union([id(description), Type.Null()], { description });
const instant = (description: string) => Type.String({ format: 'date-time', description });

export const ErasureRequest = Type.Object({
  view: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      description: 'Only this view, as the page, the token or the CMCD session calls it',
    }),
  ),
  viewer: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: maxSubCharacters,
      description: 'Only this viewer, as the page or the token calls them',
    }),
  ),
  accessKey: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'Only playback of this video' }),
  ),
  packageId: Type.Optional(id('Only playback in this package')),
  before: Type.Optional(
    Type.String({
      format: 'date',
      description:
        'Only what was played before this day (yyyy-mm-dd) of the account. Alone: all playback ' +
        'of earlier days',
      examples: ['2024-10-01'],
    }),
  ),
  keepSums: Type.Optional(
    Type.Enum(['Y', 'N'], {
      description:
        '`Y`, with `before` alone: single facts are erased, by whole UTC days, and their sums ' +
        'stay. Plays and time by video, folder, package, system and time are still answered, ' +
        'everything else only from that day on. Default: `N`',
    }),
  ),
  account: Type.Optional(
    id('Instead of all others: everything of the account, which must be that of the key'),
  ),
  dryRun: Type.Enum(['Y', 'N'], {
    default: 'N',
    description: '`Y`: only count what would be erased',
  }),
});
export type ErasureRequest = Static<typeof ErasureRequest>;

export const ErasureCounts = Type.Object(
  {
    receipt: Type.Union([Type.String({ format: 'uuid' }), Type.Null()], {
      description: 'Id of the receipt; null: a dry run',
    }),
    views: count('Views that were found'),
    facts: count('Stored parts of their stretches'),
  },
  { title: 'ErasureCounts', additionalProperties: false },
);

export const ErasureReceipt = Type.Object(
  {
    receipt: Type.String({ format: 'uuid', description: 'Its id' }),
    kind: Type.Enum([...erasureKinds], {
      description:
        '`views`: one view. `viewer`: all views of a viewer. `playback`: of a video, a package ' +
        'or the account. `facts`: facts before a day, whose sums stay',
    }),
    videoId: idOrNull('The video; null: any'),
    packageId: idOrNull('The package; null: any'),
    until: instant('What was played before was erased; views are erased whole'),
    state: Type.Enum([...erasureStates], {
      description:
        '`waiting`: recorded, and nothing more of it is stored. `summing`: statistics are made ' +
        'without it. `deleting`: no answer contains it. `done`: it is in no table',
    }),
    views: count('Views that were erased'),
    facts: count('Stored parts of their stretches'),
    at: instant('When it was recorded'),
    by: Type.String({ description: 'Who, as in the audit: `KEY:` and its id, or `COMMAND_LINE`' }),
    doneAt: Type.Union([instant('When it was done'), Type.Null()]),
  },
  { title: 'ErasureReceipt', additionalProperties: false },
);
export type ErasureReceipt = Static<typeof ErasureReceipt>;
export const ErasureList = createList('ErasureList', ErasureReceipt);
