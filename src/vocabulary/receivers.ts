/** Who hears of an alert or a report: a webhook, people by mail, or both. */
import Type from 'typebox';

export const mostMailReceivers = 10;
/** As long as a Standard Webhooks secret may be. */
export const secretBytes = { least: 24, most: 64 } as const;

export const orNull = <Schema extends Type.TSchema>(schema: Schema, description: string) =>
  Type.Union([schema, Type.Null()], { description });

const ofUrl = 'URL that messages are posted to, signed as Standard Webhooks; null: none';
const url = Type.String({
  minLength: 1,
  maxLength: 2_048,
  description: ofUrl,
  examples: ['https://hooks.example.com/playmeter'],
});
const mailTo = Type.Array(
  Type.String({
    maxLength: 254,
    // ASCII without what has a meaning in headers.
    pattern: "^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)*$",
  }),
  {
    maxItems: mostMailReceivers,
    uniqueItems: true,
    description: 'Mail addresses; each receives a mail of its own. Empty: none',
    examples: [['editor@example.com']],
  },
);

/** Members of a record. */
export const receiverMembers = { url: orNull(url, ofUrl), mailTo };

export const receiverFields = {
  url: Type.Optional(orNull(url, ofUrl)),
  secret: Type.Optional(
    orNull(
      Type.String({
        pattern: '^whsec_[A-Za-z0-9+/]{32,86}={0,2}$',
        description:
          'Secret that messages to `url` are signed with: `whsec_` and 24 to 64 bytes in ' +
          'Base64; default: a new one',
      }),
      'Secret that messages to `url` are signed with; null: a new one',
    ),
  ),
  mailTo: Type.Optional(mailTo),
};

/** Only the answer that makes the rule contains it. */
export const newSecret = {
  secret: orNull(
    Type.String({ examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='] }),
    'Secret that messages to `url` are signed with, shown only in this answer; null: no new one',
  ),
};

const ofPause = 'Whether it is paused: kept, but not judged';
/** Of a rule that is changed, beside the members it was created with. */
export const changedMembers = { isPaused: Type.Optional(Type.Boolean({ description: ofPause })) };

/** Members that all records of rules share. */
export const madeMembers = {
  isPaused: Type.Boolean({ description: ofPause }),
  createdAt: Type.String({
    format: 'date-time',
    description: 'When it was created',
    examples: ['2026-11-20T10:15:30.123Z'],
  }),
  createdBy: Type.String({ description: 'Who created it, as in the audit' }),
  createdByName: Type.String({ description: 'The name of the key or the system user' }),
};

export const ruleName = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Its name, which its messages show',
  examples: ['Fewer plays than usual'],
});

export const ruleId = (description: string) =>
  Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description,
    examples: [1],
  });

const ofFilters = 'Only playback that these conditions hold for, as in `query`; null: all';
export const ruleFilters = Type.String({
  minLength: 1,
  maxLength: 4_096,
  description: ofFilters,
  examples: ['country==KR'],
});
export const ofRuleFilters = ofFilters;
