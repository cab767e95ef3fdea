/** What the dashboard asks besides: who is signed in, and what the link of a share shows. */
import Type, { type Static } from 'typebox';
import { Scope } from '../../vocabulary/scopes.ts';
import { AccountRecord, named } from '../management-messages.ts';
import { ShareRecord } from './shares.ts';

/** The pages of other sites cannot send it: without it, no cookie authorises anything. */
export const pageHeader = 'x-requested-with';
export const pageHeaderValue = 'playmeter';

export const PageHeaders = Type.Object({
  [pageHeader]: Type.Enum([pageHeaderValue], {
    description: 'Required: without it nobody signs in or out, and the cookie authorises nothing',
  }),
});

export const SignIn = Type.Object(
  {
    link: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'In place of a key: what stands behind `#sign-in=` in a link that signs in',
      }),
    ),
  },
  { title: 'SignIn' },
);

const { accountId, name, timeZone } = AccountRecord.properties;
export const SignedIn = Type.Object(
  {
    ...{ accountId, name, timeZone },
    keyId: Type.Integer({ minimum: 1, description: 'Id of the key that signed in', examples: [1] }),
    keyName: Type.String({ description: 'Name of the key', examples: ['Dashboard'] }),
    scopes: Type.Array(Scope, { description: 'What the key may do, and so the session' }),
  },
  named('SignedIn'),
);
export type SignedIn = Static<typeof SignedIn>;

const day = (description: string) =>
  Type.String({ format: 'date', description, examples: ['2026-11-01'] });
const SharedVideo = Type.Object(
  {
    accessKey: Type.String({ description: 'Original key of the video', examples: ['q4Yd2kVb1Xw'] }),
    title: Type.String({ description: 'Empty if it was deleted', examples: ['The first one'] }),
    lengthMs: Type.Integer({
      minimum: 0,
      description: 'Its length, milliseconds; 0 if the catalog does not have it',
      examples: [120_000],
    }),
  },
  { additionalProperties: false },
);
const share = ShareRecord.properties;
export const SharedView = Type.Object(
  {
    ...{ name: share.name, timeZone: share.timeZone, compare: share.compare },
    filters: Type.String({
      description: 'Only playback that these conditions hold for; empty: all',
      examples: ['country==KR'],
    }),
    sdate: day('First day that it shows now'),
    edate: day('Last day'),
    video: Type.Union([SharedVideo, Type.Null()], {
      description: 'The video it shows; null: the overview',
    }),
    expiresAt: share.expiresAt,
  },
  named('SharedView'),
);
export type SharedView = Static<typeof SharedView>;
