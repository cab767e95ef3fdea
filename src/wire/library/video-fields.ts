import Type, { type Static } from 'typebox';
import { SigningMode } from '../../vocabulary/view-token.ts';

/** Every integer of the interface is exact in a JSON number: at most 2^53 - 1. */
const count = (description: string) =>
  Type.Integer({ description, minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

// Tabulator and line breaks are ordinary in longer texts; other control characters are refused.
const printable = '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f]*$';
const line = '^[^\\u0000-\\u001f\\u007f]*$';

const text = (description: string, maxLength: number, minLength = 0) =>
  Type.String({ description, minLength, maxLength, pattern: maxLength > 500 ? printable : line });

/** Pages show it as a link or a picture: another scheme, such as javascript, could run in them. */
const webUrl = '^[hH][tT][tT][pP][sS]?://[^\\u0000-\\u001f\\u007f]+$';
const webUrlForm = new RegExp(webUrl);

/** The URL, or nothing if an earlier release stored one of another scheme. */
export function onlyWebUrl(url: string): string {
  return webUrlForm.test(url) ? url : '';
}

const optionalText = (description: string, maxLength: number) =>
  Type.Optional(Type.Union([text(description, maxLength), Type.Null()], { description }));

export const YesNo = Type.Enum(['Y', 'N']);
export type YesNo = Static<typeof YesNo>;

/**
 * What may be said of a video when it is added or changed, by the names of the interface
 * (section 2.3). Fields left out of a new video are null, empty or 0, each as its type allows.
 */
const descriptive = {
  cid: optionalText('Your own identifier', 64),
  content: optionalText('Description of the video', 10_000),
  tag: Type.Optional(text('Tags', 4_000)),
  duration: Type.Optional(count('Length of the video in milliseconds')),
  fileSize: Type.Optional(count('Size of the original file in bytes')),
  vHeight: Type.Optional(count('Height of the picture in pixels')),
  vWidth: Type.Optional(count('Width of the picture in pixels')),
  vFramerate: Type.Optional(
    Type.Number({ description: 'Frames per second', minimum: 0, maximum: 100_000 }),
  ),
  series: optionalText('Series the video belongs to', 500),
  author: optionalText('Author of the original', 500),
  copyright: optionalText('Copyright notice', 500),
  rate: optionalText('Content rating', 500),
  etc: optionalText('Other notes', 10_000),
  encodingSuccess: Type.Optional(
    Type.Union([YesNo, Type.Null()], { description: 'Whether encoding succeeded' }),
  ),
};

const folderId = Type.Integer({
  description: 'Id of the folder',
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
});

const title = text('Title', 500, 1);

export const NewVideoFields = Type.Object(
  {
    folderId,
    title,
    accessKey: Type.Optional(
      Type.String({
        description: 'Original key, never used before in the account; default: a random one',
        minLength: 1,
        maxLength: 64,
        pattern: '^[\\x21-\\x7e]+$',
      }),
    ),
    cdate: Type.Optional(
      Type.String({
        description: 'When the video was created, ISO 8601 with an offset; default: now',
        maxLength: 40,
      }),
    ),
    ...descriptive,
  },
  { title: 'NewVideoFields', additionalProperties: false },
);
export type NewVideoFields = Static<typeof NewVideoFields>;

/** A change names only what becomes different; null empties a field that may be null. */
export const VideoChanges = Type.Object(
  { folderId: Type.Optional(folderId), title: Type.Optional(title), ...descriptive },
  { title: 'VideoChanges', additionalProperties: false },
);
export type VideoChanges = Static<typeof VideoChanges>;

export const ThumbnailFields = Type.Object(
  {
    url: Type.String({
      description: 'URL of the picture, http or https',
      minLength: 1,
      maxLength: 2_048,
      pattern: webUrl,
    }),
    playtime: Type.Optional(count('Position in the video, in milliseconds')),
    selected: Type.Optional(
      Type.Boolean({ description: 'Whether it represents the video; at most one does' }),
    ),
  },
  { title: 'ThumbnailFields', additionalProperties: false },
);
export type ThumbnailFields = Static<typeof ThumbnailFields>;

const packageName = text('Name of the package', 200, 1);
const packageOptions = {
  packageType: Type.Optional(text('Kind of package, in your own words; default: VOD', 50, 1)),
  allowedOrigins: Type.Optional(
    Type.Array(text('Origin of a site, such as https://example.com', 300, 1), {
      description: 'Sites whose playback is counted; empty: all',
      maxItems: 100,
    }),
  ),
  signing: Type.Optional(SigningMode),
};

export const PackageFields = Type.Object(
  { packageName, ...packageOptions },
  { title: 'PackageFields', additionalProperties: false },
);
export type PackageFields = Static<typeof PackageFields>;

export const PackageChanges = Type.Object(
  { packageName: Type.Optional(packageName), ...packageOptions },
  { title: 'PackageChanges', additionalProperties: false },
);
export type PackageChanges = Static<typeof PackageChanges>;

/** Of a new package. */
export const packageDefaults: Required<Omit<PackageFields, 'packageName'>> = {
  ...{ packageType: 'VOD', allowedOrigins: [], signing: 'open' },
};

export const PackageRecord = Type.Object(
  {
    packageId: Type.Integer({
      description: 'Id of the package',
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      examples: [1],
    }),
    packageName,
    packageType: Type.String({ description: 'Kind of package, in your own words' }),
    allowedOrigins: Type.Array(Type.String(), {
      description: 'Sites whose playback is counted; empty: all',
    }),
    signing: SigningMode,
  },
  { title: 'Package', additionalProperties: false },
);
export type PackageRecord = Static<typeof PackageRecord>;

export const FolderFields = Type.Object(
  { folderName: text('Name of the folder', 200, 1) },
  { title: 'FolderFields', additionalProperties: false },
);
export type FolderFields = Static<typeof FolderFields>;
