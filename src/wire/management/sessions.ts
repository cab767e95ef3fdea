/** What the dashboard asks besides: who is signed in, and what the link of a share shows. */
import Type, { type Static } from 'typebox';
import { Language } from '../../vocabulary/languages.ts';
import { MemberRole } from '../../vocabulary/member-roles.ts';
import { Scope } from '../../vocabulary/scopes.ts';
import { AccountRecord, named } from '../management-messages.ts';
import { code, email, Person, PersonAccount, password, personName, token } from './people.ts';
import { ShareRecord } from './shares.ts';

/** The pages of other sites cannot send it: without it, no cookie authorises anything. */
export const pageHeader = 'x-requested-with';
export const pageHeaderValue = 'playmeter';

/** Which account of a person a request is about, by its id; without it, the first. */
export const accountHeader = 'x-playmeter-account';

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
    email: Type.Optional(Type.String({ maxLength: 1_000, description: 'Of a person' })),
    password: Type.Optional(Type.String({ maxLength: 1_000, description: 'Theirs' })),
    code: Type.Optional({
      ...code,
      description: 'With a second factor: of the app, or a recovery code',
    }),
  },
  { title: 'SignIn' },
);
export type SignIn = Static<typeof SignIn>;

const { timeZone } = AccountRecord.properties;
const name = Type.String({ description: 'Name of the account; empty if there is none' });
const accountId = Type.Integer({
  minimum: 0,
  description: 'Id of the account; 0: of a person who is a member of none',
  examples: [1],
});
export const SignedIn = Type.Object(
  {
    ...{ accountId, name, timeZone },
    keyId: Type.Union([Type.Integer({ minimum: 1, examples: [1] }), Type.Null()], {
      description: 'Id of the key that signed in; null: a person did',
    }),
    keyName: Type.String({ description: 'Name of the key, or of the person' }),
    scopes: Type.Array(Scope, { description: 'What the session may do' }),
    role: Type.Optional({
      ...MemberRole,
      description: 'Of the person in this account; absent: a key, or a member of none',
    }),
    packageIds: Type.Optional(PersonAccount.properties.packageIds),
    person: Type.Optional(Person),
    accounts: Type.Optional(
      Type.Array(PersonAccount, { description: 'All accounts of the person; absent: a key' }),
    ),
  },
  named('SignedIn'),
);
export type SignedIn = Static<typeof SignedIn>;

export const Forgotten = Type.Object({ email }, named('Forgotten'));
export const Reset = Type.Object(
  { link: token, password: Type.Optional(password), code: Type.Optional(code) },
  named('Reset'),
);
export const EmailConfirmation = Type.Object({ link: token }, named('EmailConfirmation'));
export const ShownInvitation = Type.Object({ invitation: token }, named('ShownInvitation'));
export const OpenInvitation = Type.Object(
  {
    accountName: Type.Union([Type.String(), Type.Null()], {
      description: 'To which it invites; null: it makes the first person',
    }),
    inviterName: Type.Union([Type.String(), Type.Null()], {
      description: 'Name of the person who invites; null: a key or the command line does',
    }),
    email: Person.properties.email,
    role: MemberRole,
    isNarrowed: Type.Boolean({ description: 'Whether they see certain packages alone' }),
    hasPerson: Type.Boolean({
      description: 'Whether somebody has the address, who signs in first',
    }),
  },
  named('OpenInvitation'),
);
export const Acceptance = Type.Object(
  {
    invitation: token,
    name: Type.Optional(personName),
    email: Type.Optional(email),
    language: Type.Optional(Language),
    password: Type.Optional(password),
  },
  named('Acceptance'),
);
export type Acceptance = Static<typeof Acceptance>;
export const ProviderStart = Type.Object(
  { invitation: Type.Optional(token) },
  named('ProviderStart'),
);
export const ProviderUrl = Type.Object(
  { url: Type.String({ description: 'At the provider', format: 'uri' }) },
  named('ProviderUrl'),
);
export const SignInWays = Type.Object(
  {
    password: Type.Boolean({ description: 'People sign in with a password' }),
    key: Type.Boolean({ description: 'An API key signs in' }),
    provider: Type.Union([Type.String(), Type.Null()], {
      description: 'Name of the host of the OIDC provider; null: there is none',
      examples: ['login.example.com'],
    }),
    hasPeople: Type.Boolean({
      description: 'False: the first person comes by the link that the service gave at its start',
    }),
    mail: Type.Boolean({ description: 'Whether links for new passwords are sent by mail' }),
  },
  named('SignInWays'),
);

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
