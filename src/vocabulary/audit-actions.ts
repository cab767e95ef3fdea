/** GET /manage/v1/audit: who changed what in an account, when, and from where. */
import Type, { type Static } from 'typebox';

/** Every change that is noted, with its meaning for the reference. */
export const auditActions = {
  ACCOUNT_CREATED: 'An account was created',
  ACCOUNT_CLOSED: 'An account was closed: nobody and nothing comes in any more',
  ACCOUNT_REOPENED: 'An account that was closed is open again',
  ACCOUNT_CHANGED: 'The settings of the account were changed',
  KEY_CREATED: 'An API key was created',
  KEY_CHANGED: 'An API key was renamed',
  KEY_ROTATED: 'An API key was replaced; `after` names the new one',
  KEY_REVOKED: 'An API key was revoked',
  MEMBER_ADDED: 'A person became a member',
  MEMBER_CHANGED: 'The role of a member was changed, or the packages of one',
  MEMBER_REMOVED: 'A person is no longer a member',
  INVITATION_CREATED: 'Somebody was invited',
  INVITATION_REVOKED: 'An invitation was taken back',
  PERSON_CREATED: 'A person was made, by an invitation, a claim or on the command line',
  PERSON_REMOVED: 'A person was removed from the service',
  PERSON_CHANGED: 'A member changed their name or language',
  EMAIL_CHANGE_STARTED: 'A link was made that changes the mail address of a member',
  EMAIL_CHANGED: 'The mail address of a member was changed',
  SIGNED_IN: 'A member signed in',
  SIGNED_OUT: 'A session of a member was ended',
  SIGN_IN_REFUSED: 'A wrong password or code of a member was sent',
  SIGN_IN_SLOWED: 'Too many passwords or codes of a member were tried; noted once a minute',
  PASSWORD_CHANGED: 'The password of a member was set; other sessions ended',
  RESET_SENT: 'A link by which a member sets a new password was sent to their address',
  RESET_SHOWN: 'A link by which a member sets a new password was shown to an operator',
  SECOND_FACTOR_STARTED: 'A member began to set a second factor up',
  SECOND_FACTOR_ADDED: 'A member signs in with a second factor from then on',
  SECOND_FACTOR_REMOVED: 'The second factor of a member was removed',
  RECOVERY_CODE_USED: 'A member signed in with a recovery code',
  IDENTITY_BOUND: 'An identity of an OIDC provider was bound to a member',
  SIGNING_KEY_ADDED: 'A signing key was added',
  SIGNING_KEY_ROTATED: 'A signing secret was replaced; `after` names the new one',
  SIGNING_KEY_DELETED: 'A signing key was deleted',
  LABEL_CREATED: 'A label was declared',
  LABEL_CHANGED: 'A label was renamed',
  LABEL_DELETED: 'A label was deleted',
  SHARE_CREATED: 'A link was made that shows a view of the dashboard',
  SHARE_REVOKED: 'A link that showed a view of the dashboard was revoked',
  ANNOTATION_CREATED: 'An annotation was written',
  ANNOTATION_CHANGED: 'An annotation was changed',
  ANNOTATION_DELETED: 'An annotation was deleted, by itself or with its video or package',
  VIEW_CREATED: 'A view of the dashboard was saved under a name',
  VIEW_CHANGED: 'A saved view was changed',
  VIEW_DELETED: 'A saved view was deleted',
  ALERT_CREATED: 'An alert was created',
  ALERT_CHANGED: 'An alert was changed, paused or resumed',
  ALERT_TESTED: 'A test of an alert was sent to its receivers',
  ALERT_DELETED: 'An alert was deleted',
  REPORT_CREATED: 'A scheduled report was created',
  REPORT_CHANGED: 'A scheduled report was changed, paused or resumed',
  REPORT_TESTED: 'The last scheduled report was sent to its receivers at once',
  REPORT_DELETED: 'A scheduled report was deleted',
  DELIVERY_REPLAYED: 'A message of an alert or a report is delivered once more',
  FOLDER_CREATED: 'A folder was created',
  FOLDER_CHANGED: 'A folder was renamed',
  FOLDER_DELETED: 'A folder was deleted',
  VIDEO_CREATED: 'A video was added',
  VIDEO_CHANGED: 'A video was changed',
  VIDEO_DELETED: 'A video was deleted',
  VIDEOS_IMPORTED: 'A batch of up to 1,000 videos was imported; `after` counts them',
  THUMBNAILS_REPLACED: 'The thumbnails of a video were replaced; `after` counts them',
  THUMBNAIL_SELECTED: 'Another thumbnail represents a video',
  PACKAGE_CREATED: 'A package was created',
  PACKAGE_CHANGED: 'A package was changed',
  PACKAGE_DELETED: 'A package was deleted',
  PUBLISHED: 'A video was put into a package, or a batch of up to 1,000',
  PUBLICATION_CHANGED: 'A video was paused or resumed in a package',
  PUBLICATION_RETIRED: 'A video was taken out of a package',
  SUSPECT_ACCEPTED: 'Playback that was set apart counts from now on',
  SUSPECT_REFUSED: 'Playback that was set apart does not count, or no longer counts',
  PLAYBACK_ERASED: 'Playback was erased for good; `object` is the receipt',
  SUMS_REPAIRED: 'Sums that were too large were made again from the facts',
} as const;

export type AuditAction = keyof typeof auditActions;
export const AuditAction = Type.Enum(Object.keys(auditActions) as AuditAction[]);

/** A key, a person, anybody on the command line, or the service itself at its first start. */
const actorForm = '^((KEY|PERSON):[1-9][0-9]{0,15}|COMMAND_LINE|SERVICE)$';

const instant = (description: string) =>
  Type.String({ description, maxLength: 40, examples: ['2026-11-20T10:15:30.123Z'] });

/** Which changes; those of both. */
export const AuditFilters = Type.Object({
  action: Type.Optional(AuditAction),
  actor: Type.Optional(
    Type.String({
      description:
        'Only changes by a key (`KEY:` and its id), a person (`PERSON:` and their id), ' +
        '`COMMAND_LINE` or `SERVICE`',
      pattern: actorForm,
      examples: ['KEY:12'],
    }),
  ),
});

export const AuditRequest = Type.Object({
  from: Type.Optional(instant('Only changes at or after this instant, ISO 8601 with an offset')),
  to: Type.Optional(instant('Only changes before this instant, ISO 8601 with an offset')),
  ...AuditFilters.properties,
  pageSize: Type.Integer({
    minimum: 1,
    maximum: 1_000,
    default: 100,
    description: 'Entries per page',
  }),
  pageToken: Type.Optional(
    Type.String({
      description: '`nextToken` of the previous page; default: the newest entries',
      pattern: '^[0-9]{1,16}-[0-9]{1,16}$',
    }),
  ),
});

const members = (description: string) =>
  Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()], { description });

export const AuditRecord = Type.Object(
  {
    auditId: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Id of the entry',
    }),
    at: Type.String({ format: 'date-time', description: 'When, by the clock of the service' }),
    actor: Type.String({
      pattern: actorForm,
      description: 'Who: `KEY:` and the id of the key, `PERSON:` and the id of the person, ...',
    }),
    actorName: Type.String({
      description: 'The name of the key or person, or the system user who ran the command line',
    }),
    address: Type.Union([Type.String(), Type.Null()], {
      description: 'IP address of the request; null: there was no request',
    }),
    action: Type.String({ description: 'What was done', examples: ['KEY_REVOKED'] }),
    object: Type.Union([Type.String(), Type.Null()], {
      description: 'Id or original key of what was changed; null: several at once',
    }),
    before: members('The members that changed, before the change; null: it did not exist'),
    after: members('The same members after the change; null: it was deleted'),
  },
  { title: 'AuditEntry', additionalProperties: false },
);
export type AuditRecord = Static<typeof AuditRecord>;

export const AuditPage = Type.Object(
  {
    list: Type.Array(AuditRecord, { description: 'Newest first' }),
    nextToken: Type.Union([Type.String(), Type.Null()], {
      description: '`pageToken` of the next page; null: this is the last page',
    }),
  },
  { title: 'AuditPage', additionalProperties: false },
);
