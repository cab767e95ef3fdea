/**
 * The video information queries: what they are asked with and what they answer.
 * Source: the service's interface, sections 2.3, 2.4, 4.5 and 4.6, and its siblings.
 */
import Type, { type Static } from 'typebox';
import { YesNo } from './video-fields.ts';

export const SearchItem = Type.Enum(
  ['title', 'series', 'author', 'copyright', 'content', 'tag', 'etc', 'cid'],
  { default: 'title', description: 'Field to search' },
);
export type SearchItem = Static<typeof SearchItem>;

export const SortItem = Type.Enum(['id', 'title', 'duration', 'filesize'], {
  default: 'id',
  description: 'Sort by this field; ties by id',
});
export type SortItem = Static<typeof SortItem>;

export const SortDirection = Type.Enum(['desc', 'asc'], {
  default: 'desc',
  description: 'Descending or ascending',
});
export type SortDirection = Static<typeof SortDirection>;

const id = (description: string) =>
  Type.Integer({ description, minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [1] });

const accessKey = Type.String({
  description: 'Original key of the video',
  minLength: 1,
  maxLength: 64,
  examples: ['ACCESS_KEY'],
});

const listParameters = {
  searchItem: SearchItem,
  keyword: Type.String({
    default: '',
    maxLength: 200,
    description: 'Text to find anywhere in the field, ignoring case; `cid` must match as a whole',
  }),
  sortItem: SortItem,
  sortDirection: SortDirection,
  pageSize: Type.Integer({
    minimum: 1,
    maximum: 1_000,
    default: 30,
    description: 'Videos per page',
  }),
  page: Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 1,
    description: 'Page number, from 1',
  }),
};

export const FolderVideosRequest = Type.Object({
  folderId: id('Id of the folder'),
  ...listParameters,
});
export type FolderVideosRequest = Static<typeof FolderVideosRequest>;

export const mostAccessKeys = 100;

export const AccountVideosRequest = Type.Object({
  folderId: Type.Optional(id('Only videos in this folder; default: all folders')),
  accessKeys: Type.Optional(
    Type.String({
      description:
        `Only these videos: at most ${mostAccessKeys} keys, separated by spaces; not together with ` +
        '`folderId` or `keyword`',
      minLength: 1,
      maxLength: 65 * mostAccessKeys,
      examples: ['ACCESS_KEY'],
    }),
  ),
  ...listParameters,
});

export const PackageVideosRequest = Type.Object({
  packageId: id('Id of the package'),
  folderId: Type.Optional(id('Only videos in this folder')),
  ...listParameters,
});
export type PackageVideosRequest = Static<typeof PackageVideosRequest>;

export const VideoDetailRequest = Type.Object({
  accessKey,
  packageId: id('Id of the package'),
});
export type VideoDetailRequest = Static<typeof VideoDetailRequest>;

export const ThumbnailsRequest = Type.Object({ accessKey });
export type ThumbnailsRequest = Static<typeof ThumbnailsRequest>;

const closed = { additionalProperties: false } as const;
const named = (title: string) => ({ title, ...closed });
const nullableText = (description: string) =>
  Type.Union([Type.String(), Type.Null()], { description });
const instant = Type.String({
  description: 'When the video was created: ISO 8601, UTC, with milliseconds',
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$',
});
const count = (description: string) =>
  Type.Integer({ description, minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

export const FolderVideo = Type.Object(
  {
    videoId: id('Id of the video'),
    accessKey: Type.String({ description: 'Original key of the video' }),
    duration: count('Length in milliseconds'),
    fileSize: count('Size of the original file in bytes'),
    cid: nullableText('Your own identifier'),
    content: nullableText('Description of the video'),
    thumbnailUrl: Type.String({
      description: 'URL of the representative thumbnail; empty if there is none',
    }),
    vHeight: count('Height in pixels'),
    vWidth: count('Width in pixels'),
    vFramerate: Type.Number({ description: 'Frames per second', minimum: 0 }),
    title: Type.String({ description: 'Title' }),
    cdate: instant,
    series: nullableText('Series'),
    author: nullableText('Author of the original'),
    copyright: nullableText('Copyright notice'),
    rate: nullableText('Content rating'),
    etc: nullableText('Other notes'),
    encodingSuccess: Type.Union([YesNo, Type.Null()], {
      description: 'Whether encoding succeeded, as `encoding_success` in a package; N if unknown',
    }),
  },
  named('FolderVideo'),
);
export type FolderVideo = Static<typeof FolderVideo>;

export const VideoInfo = Type.Object(
  {
    videoId: id('Id of the video'),
    accessKey: Type.String({ description: 'Original key of the video' }),
    videoKey: Type.String({ description: 'Public key of the video in this package' }),
    cid: nullableText('Your own identifier'),
    content: nullableText('Description of the video'),
    tag: Type.String({ description: 'Tags' }),
    duration: count('Length in milliseconds'),
    cdate: instant,
    fileSize: count('Size of the original file in bytes'),
    thumbnailUrl: Type.String({
      description: 'URL of the representative thumbnail; empty if there is none',
    }),
    vHeight: count('Height in pixels'),
    vWidth: count('Width in pixels'),
    vFramerate: Type.Number({ description: 'Frames per second', minimum: 0 }),
    title: Type.String({ description: 'Title' }),
    series: nullableText('Series'),
    author: nullableText('Author of the original'),
    copyright: nullableText('Copyright notice'),
    rate: nullableText('Content rating'),
    etc: nullableText('Other notes'),
    serviceAble: Type.Enum(['Y', 'N'], { description: 'Y: served; N: paused' }),
    encoding_success: Type.Enum(['Y', 'N'], {
      description: 'Whether encoding succeeded; N if unknown',
    }),
  },
  named('VideoInfo'),
);
export type VideoInfo = Static<typeof VideoInfo>;

export const ThumbnailItem = Type.Object(
  {
    selected: Type.Boolean({ description: 'True for the representative thumbnail' }),
    seq: Type.Integer({ minimum: 0, description: 'Number of the thumbnail' }),
    url: Type.String({ description: 'URL of the picture' }),
    playtime: count('Position in the video, in milliseconds'),
  },
  named('ThumbnailItem'),
);
export type ThumbnailItem = Static<typeof ThumbnailItem>;

export const VideoDetailAnswer = Type.Object(
  {
    videoDetail: Type.Object(
      {
        videoUrl: Type.String({ description: 'URL of the video on the content host' }),
        videoInfo: VideoInfo,
        thumbnails: Type.Array(ThumbnailItem),
      },
      closed,
    ),
  },
  named('VideoDetailAnswer'),
);
export type VideoDetailAnswer = Static<typeof VideoDetailAnswer>;

export const Paging = Type.Object(
  {
    page: id('Page number'),
    pageSize: Type.Integer({ ...id('Items per page'), examples: [30] }),
    totalCount: Type.Integer({ ...count('Total number of items'), examples: [1] }),
    totalPage: Type.Integer({ ...count('Total number of pages'), examples: [1] }),
  },
  named('Paging'),
);

const listFrame = {
  apiVideoSearchOption: Type.Object(
    {
      keyword: Type.String(),
      searchItem: SearchItem,
      sortItem: SortItem,
      sortDirection: Type.Enum([0, 1], { description: '1: descending; 0: ascending' }),
    },
    closed,
  ),
  paging: Paging,
};

export const FolderVideosAnswer = Type.Object(
  {
    videoInfoList: Type.Object({ ...listFrame, folderVideoList: Type.Array(FolderVideo) }, closed),
  },
  named('FolderVideosAnswer'),
);
export type FolderVideosAnswer = Static<typeof FolderVideosAnswer>;

export const PackageVideosAnswer = Type.Object(
  {
    videoInfoList: Type.Object({ ...listFrame, videoInfoList: Type.Array(VideoInfo) }, closed),
  },
  named('PackageVideosAnswer'),
);
export type PackageVideosAnswer = Static<typeof PackageVideosAnswer>;

export const PackagesAnswer = Type.Object(
  {
    packageList: Type.Array(
      Type.Object(
        {
          packageId: id('Id of the package'),
          packageName: Type.String(),
          packageType: Type.String(),
        },
        closed,
      ),
    ),
  },
  named('PackagesAnswer'),
);
export type PackagesAnswer = Static<typeof PackagesAnswer>;

export const FoldersAnswer = Type.Object(
  {
    folderList: Type.Array(
      Type.Object({ id: id('Id of the folder'), folderName: Type.String() }, closed),
    ),
  },
  named('FoldersAnswer'),
);
export type FoldersAnswer = Static<typeof FoldersAnswer>;

export const ThumbnailsAnswer = Type.Object(
  { thumbnails: Type.Array(ThumbnailItem) },
  named('ThumbnailsAnswer'),
);
export type ThumbnailsAnswer = Static<typeof ThumbnailsAnswer>;
