/** /manage: what the owner of an account reads and writes. */
import Type, { type Static, type TObject } from 'typebox';
import { Scope } from './scopes.ts';
import {
  FolderFields,
  NewVideoFields,
  PackageFields,
  ThumbnailFields,
  VideoChanges,
  YesNo,
} from './video-fields.ts';
import { FolderVideo, Paging } from './video-information.ts';

const named = (title: string) => ({ title, additionalProperties: false }) as const;
const id = (description: string) =>
  Type.Integer({ description, minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [1] });
const instant = (description: string) =>
  Type.String({ description, format: 'date-time', examples: ['2026-11-20T10:15:30.123Z'] });
const orNull = (description: string) =>
  Type.Union([instant(description), Type.Null()], { description });

export const PageRequest = Type.Object({
  pageSize: Type.Integer({ minimum: 1, maximum: 1_000, default: 30, description: 'Items a page' }),
  page: Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 1,
    description: 'Page, from 1; past the end it is empty, with true totals',
  }),
});
export type PageRequest = Static<typeof PageRequest>;

function listOf<Item extends TObject>(title: string, item: Item) {
  return Type.Object({ list: Type.Array(item), paging: Paging }, named(title));
}

const accountName = Type.String({ minLength: 1, maxLength: 200, description: 'Name' });
const timeZone = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'IANA time zone of the dates and hours of all statistics',
  examples: ['Europe/Berlin'],
});
export const AccountRecord = Type.Object(
  { accountId: id('Account'), name: accountName, timeZone },
  named('Account'),
);
export const AccountChanges = Type.Object(
  { name: Type.Optional(accountName), timeZone: Type.Optional(timeZone) },
  named('AccountChanges'),
);

const scopes = Type.Array(Scope, { minItems: 1, maxItems: 10, description: 'What it may do' });
const keyMembers = {
  keyId: id('Key'),
  prefix: Type.String({ description: 'The beginning of the key, to tell keys apart' }),
  scopes,
  createdAt: instant('When it was made'),
  expiresAt: orNull('From when on it is refused; null: never'),
  revokedAt: orNull('When it was revoked; null: it was not'),
};
export const KeyRecord = Type.Object(keyMembers, named('Key'));
export const NewKeyRecord = Type.Object(
  { ...keyMembers, key: Type.String({ description: 'The key itself, shown this once' }) },
  named('NewKey'),
);
export const KeyFields = Type.Object(
  {
    scopes,
    expiresAt: Type.Optional(orNull('From when on it is refused; default: never')),
  },
  named('KeyFields'),
);
export const RotationFields = Type.Object(
  {
    overlapHours: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 8_784,
        default: 24,
        description: 'How long the old key works on',
      }),
    ),
  },
  named('RotationFields'),
);
export const KeyList = listOf('KeyList', KeyRecord);

export const FolderRecord = Type.Object(
  { folderId: id('Folder'), ...FolderFields.properties },
  named('Folder'),
);
export const FolderChanges = Type.Object(
  { folderName: Type.Optional(FolderFields.properties.folderName) },
  named('FolderChanges'),
);
export const FolderList = listOf('FolderList', FolderRecord);

const { videoId, accessKey, ...information } = FolderVideo.properties;
export const VideoRecord = Type.Object(
  {
    videoId,
    folderId: id('Folder of the media library'),
    accessKey,
    ...information,
    tag: Type.String({ description: 'Tags' }),
  },
  named('Video'),
);
export type VideoRecord = Static<typeof VideoRecord>;
const { accessKey: _, ...putMembers } = NewVideoFields.properties;
/** The accessKey stands in the address. */
export const PutVideoFields = Type.Object(putMembers, named('PutVideoFields'));
export { NewVideoFields, VideoChanges };
export const VideoList = listOf('VideoList', VideoRecord);

export const ThumbnailsBody = Type.Object(
  { thumbnails: Type.Array(ThumbnailFields, { maxItems: 100, description: 'In their order' }) },
  named('ThumbnailsBody'),
);
export const SelectedThumbnail = Type.Object(
  { seq: Type.Integer({ minimum: 0, description: 'The one that stands for the video' }) },
  named('SelectedThumbnail'),
);
export const PackageRecord = Type.Object(
  {
    packageId: id('Package'),
    packageName: PackageFields.properties.packageName,
    packageType: Type.String({ description: 'Kind of package, in your own words' }),
    allowedOrigins: Type.Array(Type.String(), {
      description: 'Sites from which playback is taken; empty: from all',
    }),
  },
  named('Package'),
);
export const PackageList = listOf('PackageList', PackageRecord);

export const PublicationRecord = Type.Object(
  {
    packageId: id('Package'),
    videoId: id('Video'),
    accessKey: Type.String({ description: 'Original key of the video' }),
    videoKey: Type.String({ description: 'Key of the video in this package: players report it' }),
    serviceAble: YesNo,
  },
  named('Publication'),
);
export const PublicationFields = Type.Object(
  { serviceAble: Type.Optional(YesNo) },
  named('PublicationFields'),
);
export const PublicationList = listOf('PublicationList', PublicationRecord);
