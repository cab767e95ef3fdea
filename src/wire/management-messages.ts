/** /manage: what the owner of an account reads and writes. */
import Type, { type Static, type TObject, type TProperties, type TSchema } from 'typebox';
import { mostFactsMonths } from '../vocabulary/erasures.ts';
import { Scope } from '../vocabulary/scopes.ts';
import { signingAlgorithms } from '../vocabulary/view-token.ts';
import { viewerModeNames, viewerModes } from '../vocabulary/viewers.ts';
import {
  FolderFields,
  NewVideoFields,
  PackageFields,
  PackageRecord,
  ThumbnailFields,
  VideoChanges,
  YesNo,
} from './library/video-fields.ts';
import { FolderVideo, Paging } from './library/video-information.ts';

/** A record's name in the interface; it has these members and no others. */
export const named = (title: string) => ({ title, additionalProperties: false }) as const;
const id = (description: string) =>
  Type.Integer({ description, minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [1] });
export const instant = (description: string) =>
  Type.String({ description, format: 'date-time', examples: ['2026-11-20T10:15:30.123Z'] });
export const orNull = <Schema extends TSchema>(schema: Schema, description: string) =>
  Type.Union([schema, Type.Null()], { description });
const instantOrNull = (description: string) =>
  Type.Union([instant(description), Type.Null()], { description, examples: [null] });

export const PageRequest = Type.Object({
  pageSize: Type.Integer({
    minimum: 1,
    maximum: 1_000,
    default: 30,
    description: 'Items per page',
  }),
  page: Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 1,
    description:
      'Page number, from 1; past the last page the list is empty but the totals are right',
  }),
});
export type PageRequest = Static<typeof PageRequest>;

/** The body of a PUT: what may be given, and read-only what else a GET of the same answers. */
function createWhole<Fields extends TProperties>(title: string, fields: Fields, record: TObject) {
  const fixed = Object.entries(record.properties)
    .filter(([name]) => !(name in fields))
    .map(([name, member]) => [name, Type.Optional({ ...(member as TSchema), readOnly: true })]);
  return Type.Object({ ...fields, ...(Object.fromEntries(fixed) as object) }, named(title));
}

export function createList<Item extends TObject>(title: string, item: Item) {
  return Type.Object({ list: Type.Array(item), paging: Paging }, named(title));
}

const accountName = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Name of the account',
});
const timeZone = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'IANA time zone for the dates and hours of all statistics',
  examples: ['Europe/Berlin'],
});
const takesUnsealed = Type.Boolean({
  description:
    'Whether player-log sessions count if this service did not issue their `uid` and `cs`',
});
const viewers = Type.Enum(viewerModeNames, {
  description: `How viewers are told apart. ${viewerModeNames
    .map((mode) => `\`${mode}\`: ${viewerModes[mode]}`)
    .join('. ')}`,
});
const factsMonths = Type.Integer({
  minimum: 1,
  maximum: mostFactsMonths,
  description:
    'For how many whole months before this one single facts are kept. Older ones are erased; ' +
    '`keepsSums` says what becomes of their sums',
});
const keepsSums = Type.Boolean({
  description:
    'Whether plays and time by video, package, system and time stay when single facts are ' +
    'erased by their age; if not, nothing is left of those months',
});
export const AccountRecord = Type.Object(
  {
    accountId: id('Id of the account'),
    ...{ name: accountName, timeZone, takesUnsealed, viewers, factsMonths, keepsSums },
  },
  named('Account'),
);
export const AccountChanges = Type.Object(
  {
    name: Type.Optional(accountName),
    timeZone: Type.Optional(timeZone),
    takesUnsealed: Type.Optional(takesUnsealed),
    viewers: Type.Optional(viewers),
    factsMonths: Type.Optional(factsMonths),
    keepsSums: Type.Optional(keepsSums),
  },
  named('AccountChanges'),
);

const keyName = Type.String({
  maxLength: 200,
  description: 'Name to recognize the key by, such as the program that uses it; may be empty',
});
const scopes = Type.Array(Scope, { minItems: 1, maxItems: 10, description: 'What the key may do' });
const keyMembers = {
  keyId: id('Id of the key'),
  prefix: Type.String({ description: 'First characters of the key, to recognize it by' }),
  name: keyName,
  scopes,
  createdAt: instant('When the key was created'),
  expiresAt: instantOrNull('When the key expires; null: never'),
  revokedAt: instantOrNull('When the key was revoked; null: it is not revoked'),
  lastUsedAt: instantOrNull('When the key was last used, to the minute; null: never'),
  createdBy: Type.Union([Type.String(), Type.Null()], {
    description: 'Who made it, as in the audit; null: made before this was kept',
    examples: ['PERSON:3'],
  }),
  createdByName: Type.Union([Type.String(), Type.Null()], {
    description: 'Their name then',
    examples: ['Kim'],
  }),
};
export const KeyRecord = Type.Object(keyMembers, named('Key'));
export const NewKeyRecord = Type.Object(
  {
    ...keyMembers,
    key: Type.String({ description: 'The API key: secret, and shown only in this answer' }),
  },
  named('NewKey'),
);
export const KeyFields = Type.Object(
  {
    name: Type.Optional(keyName),
    scopes,
    expiresAt: Type.Optional(instantOrNull('When the key expires; default: never')),
  },
  named('KeyFields'),
);
export const KeyChanges = Type.Object({ name: Type.Optional(keyName) }, named('KeyChanges'));
/** A leap year. */
export const overlapLimitHours = 8_784;
export const RotationFields = Type.Object(
  {
    overlapHours: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: overlapLimitHours,
        default: 24,
        description: 'How many hours the old key keeps working',
      }),
    ),
  },
  named('RotationFields'),
);
export const KeyList = createList('KeyList', KeyRecord);

const signingKeyMembers = {
  signingKeyId: id('Id of the signing key; a token may name it in the header `kid`'),
  algorithm: Type.Enum([...signingAlgorithms], {
    description: 'HS256: a secret made by this service. EdDSA: your own Ed25519 key',
  }),
  publicKey: Type.Union([Type.String(), Type.Null()], {
    description: 'The public key in PEM; null for a secret',
    examples: [null],
  }),
  isReadable: Type.Boolean({
    description:
      'false: the secret was stored under another APP_SECRET, so its tokens are refused. Set the ' +
      'former APP_SECRET again, or rotate the key and give your server the new secret',
  }),
  createdAt: instant('When it was added'),
  expiresAt: instantOrNull('When a replaced secret stops working; null: not replaced'),
};
export const SigningKeyRecord = Type.Object(signingKeyMembers, named('SigningKey'));
export const NewSigningKeyRecord = Type.Object(
  {
    ...signingKeyMembers,
    secret: Type.Union([Type.String(), Type.Null()], {
      description: 'The secret: shown only in this answer; null for a public key',
    }),
  },
  named('NewSigningKey'),
);
export const SigningKeyFields = Type.Object(
  {
    publicKey: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1_000,
        description: 'An Ed25519 public key in PEM; if left out, a secret is created',
        examples: ['-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA...\n-----END PUBLIC KEY-----\n'],
      }),
    ),
  },
  named('SigningKeyFields'),
);
export const SigningRotationFields = Type.Object(
  {
    overlapHours: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: overlapLimitHours,
        default: 48,
        description: 'How many hours tokens of the old secret keep working',
      }),
    ),
  },
  named('SigningRotationFields'),
);
export const SigningKeyList = createList('SigningKeyList', SigningKeyRecord);

export const FolderRecord = Type.Object(
  { folderId: id('Id of the folder'), ...FolderFields.properties },
  named('Folder'),
);
export const WholeFolder = createWhole('WholeFolder', FolderFields.properties, FolderRecord);
export const FolderChanges = Type.Object(
  { folderName: Type.Optional(FolderFields.properties.folderName) },
  named('FolderChanges'),
);
export const FolderList = createList('FolderList', FolderRecord);

const { videoId, accessKey, ...information } = FolderVideo.properties;
export const VideoRecord = Type.Object(
  {
    videoId,
    folderId: id('Id of the folder'),
    accessKey,
    ...information,
    tag: Type.String({ description: 'Tags' }),
    packageCount: Type.Optional(
      Type.Integer({ minimum: 0, description: 'In a list: how many packages the video is in' }),
    ),
  },
  named('Video'),
);
export type VideoRecord = Static<typeof VideoRecord>;
/** The accessKey is in the path. */
const { accessKey: _, ...putMembers } = NewVideoFields.properties;
export const WholeVideo = createWhole('WholeVideo', putMembers, VideoRecord);
export { NewVideoFields, PackageRecord, VideoChanges };
export const VideoList = createList('VideoList', VideoRecord);

export const ThumbnailsBody = Type.Object(
  {
    thumbnails: Type.Array(
      Type.Object(
        {
          ...ThumbnailFields.properties,
          seq: Type.Optional(
            Type.Integer({
              minimum: 0,
              description: 'Position from 0; if sent, it must be the position in the list',
            }),
          ),
        },
        named('ThumbnailFields'),
      ),
      { maxItems: 100, description: 'Thumbnails in order' },
    ),
  },
  named('ThumbnailsBody'),
);
export const SelectedThumbnail = Type.Object(
  {
    seq: Type.Integer({
      minimum: 0,
      description: 'Number of the thumbnail that represents the video',
    }),
  },
  named('SelectedThumbnail'),
);
export const WholePackage = createWhole('WholePackage', PackageFields.properties, PackageRecord);
export const PackageList = createList('PackageList', PackageRecord);

export const PublicationRecord = Type.Object(
  {
    packageId: id('Id of the package'),
    videoId: id('Id of the video'),
    accessKey: Type.String({
      description: 'Original key of the video, unique in the account; not a secret',
    }),
    videoKey: Type.String({
      description: 'Public key of the video in this package, under which players report',
    }),
    serviceAble: YesNo,
    publishedAt: instant('When it was first put into the package'),
  },
  named('Publication'),
);
export const PublicationFields = Type.Object(
  { serviceAble: Type.Optional(YesNo) },
  named('PublicationFields'),
);
export const WholePublication = createWhole(
  'WholePublication',
  PublicationFields.properties,
  PublicationRecord,
);
export const PublicationList = createList('PublicationList', PublicationRecord);
