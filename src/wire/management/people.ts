/** People: who they are, where they are members, and how they sign in. */
import Type, { type Static } from 'typebox';
import { Language } from '../../vocabulary/languages.ts';
import { MemberRole } from '../../vocabulary/member-roles.ts';
import { AccountRecord, createList, named, orNull } from '../management-messages.ts';

const id = (description: string) =>
  Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description, examples: [3] });
export const instant = (description: string) =>
  Type.String({ format: 'date-time', description, examples: ['2026-11-20T10:15:30.123Z'] });

export const personId = id('Id of the person');
export const email = Type.String({
  minLength: 3,
  maxLength: 254,
  description: 'Mail address; upper and lower case are alike',
  examples: ['kim@example.com'],
});
export const personName = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Name',
  examples: ['Minji Kim'],
});
/** How long it is and whether it is common is checked where it is set. */
export const password = Type.String({
  minLength: 1,
  maxLength: 1_000,
  description: 'At least 10 characters, and none of the first that are guessed',
});
export const code = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'Of the authenticator app, or a recovery code',
  examples: ['287082'],
});
export const token = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'What stands behind the `=` in the fragment of the link',
});

const packageIds = Type.Array(
  Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [1] }),
  { minItems: 1, maxItems: 100, uniqueItems: true },
);
const ofPackages = 'Of an analyst: the packages that they see alone; null: the whole account';

const standing = { role: MemberRole, packageIds: orNull(packageIds, ofPackages) };
export const StandingFields = {
  role: MemberRole,
  packageIds: Type.Optional(orNull(packageIds, ofPackages)),
};

const { accountId, name, timeZone } = AccountRecord.properties;
export const PersonAccount = Type.Object(
  { ...{ accountId, name, timeZone }, ...standing },
  named('PersonAccount'),
);
export type PersonAccount = Static<typeof PersonAccount>;
export const PersonAccountList = createList('PersonAccountList', PersonAccount);

export const Person = Type.Object(
  {
    personId,
    email: orNull(email, 'Mail address; null: a provider gave none'),
    name: personName,
    language: Language,
    isOperator: Type.Boolean({ description: 'Whether they look after the service' }),
    hasPassword: Type.Boolean({ description: 'Whether they may sign in with a password' }),
    hasSecondFactor: Type.Boolean({ description: 'Whether a code is asked for as well' }),
  },
  named('Person'),
);
export type Person = Static<typeof Person>;

export const OwnPerson = Type.Object(
  {
    ...Person.properties,
    recoveryCodes: Type.Integer({ minimum: 0, description: 'How many are left' }),
  },
  named('OwnPerson'),
);

export const PersonChanges = Type.Object(
  { name: Type.Optional(personName), language: Type.Optional(Language) },
  named('PersonChanges'),
);

export const PasswordChange = Type.Object(
  {
    password,
    formerPassword: Type.Optional(
      Type.String({ maxLength: 1_000, description: 'The one until now, if there is one' }),
    ),
    code: Type.Optional(code),
  },
  named('PasswordChange'),
);

export const EmailChange = Type.Object(
  {
    email,
    password: Type.Optional(
      Type.String({ maxLength: 1_000, description: 'The password, if there is one' }),
    ),
    code: Type.Optional(code),
  },
  named('EmailChange'),
);

export const SessionRecord = Type.Object(
  {
    sessionId: id('Id of the session'),
    isThis: Type.Boolean({ description: 'Whether it is the one that asks' }),
    device: Type.String({ description: 'Browser and system', examples: ['Chrome, Windows'] }),
    address: Type.String({ description: 'IP address that it was begun from' }),
    country: orNull(Type.String({ examples: ['KR'] }), 'Country of the address; null: not known'),
    createdAt: instant('When it was begun'),
    usedAt: instant('When it was last used, to the minute'),
    expiresAt: instant('When it ends at the latest'),
  },
  named('SessionRecord'),
);
export const SessionList = createList('SessionList', SessionRecord);
export const SessionPath = Type.Object({ sessionId: SessionRecord.properties.sessionId });

export const NewSecondFactor = Type.Object(
  {
    secret: Type.String({ description: 'For apps that take it by hand, in Base32' }),
    uri: Type.String({ description: 'For apps that take it from a QR code' }),
  },
  named('NewSecondFactor'),
);
/** What shows once more that it is the person, and not whoever sits at their desk. */
export const Confirmation = {
  password: Type.Optional(
    Type.String({ maxLength: 1_000, description: 'The password, if there is one' }),
  ),
};
export const SecondFactorStart = Type.Object({ ...Confirmation }, named('SecondFactorStart'));
export const SecondFactorCode = Type.Object({ code }, named('SecondFactorCode'));
export const SecondFactorRemoval = Type.Object(
  { ...Confirmation, code },
  named('SecondFactorRemoval'),
);
export const RecoveryCodes = Type.Object(
  {
    recoveryCodes: Type.Array(Type.String({ examples: ['7k2mx-q9d4t'] }), {
      description: 'Each stands in for the app once; shown only in this answer',
    }),
  },
  named('RecoveryCodes'),
);

export const MemberRecord = Type.Object(
  {
    personId,
    email: Person.properties.email,
    name: personName,
    ...standing,
    hasSecondFactor: Person.properties.hasSecondFactor,
    isByClaim: Type.Boolean({ description: 'Whether a claim of the provider made it: OIDC_ROLES' }),
    lastSeenAt: orNull(instant(''), 'When they were last here, to the minute; null: never'),
  },
  named('Member'),
);
export type MemberRecord = Static<typeof MemberRecord>;
export const MemberList = createList('MemberList', MemberRecord);
export const MemberPath = Type.Object({ personId });
export const MemberFields = Type.Object(StandingFields, named('MemberFields'));

export const InvitationRecord = Type.Object(
  {
    invitationId: id('Id of the invitation'),
    email,
    ...standing,
    createdAt: instant('When it was made'),
    expiresAt: instant('When its link stops working'),
    createdBy: Type.String({ description: 'Who invites, as in the audit', examples: ['PERSON:3'] }),
    createdByName: Type.String({ description: 'Their name then' }),
  },
  named('Invitation'),
);
export type InvitationRecord = Static<typeof InvitationRecord>;
export const InvitationList = createList('InvitationList', InvitationRecord);
export const InvitationPath = Type.Object({
  invitationId: InvitationRecord.properties.invitationId,
});
export const InvitationFields = Type.Object(
  { email, ...StandingFields, language: Type.Optional(Language) },
  named('InvitationFields'),
);
export const NewInvitationRecord = Type.Object(
  {
    ...InvitationRecord.properties,
    path: Type.String({
      description: 'The link, after the URL of the service; shown only in this answer',
      examples: ['/#invitation=PzC2…'],
    }),
    isMailed: Type.Boolean({ description: 'Whether it is sent by mail as well' }),
  },
  named('NewInvitation'),
);

export const NewAccountFields = Type.Object({ name, timeZone }, named('NewAccountFields'));
