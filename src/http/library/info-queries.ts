/** The video information queries as the reference shows them: path, parameters, answer. */
import Type, { type TObject } from 'typebox';
import {
  FoldersAnswer,
  FolderVideosAnswer,
  FolderVideosRequest,
  PackagesAnswer,
  PackageVideosAnswer,
  PackageVideosRequest,
  ThumbnailsAnswer,
  ThumbnailsRequest,
  VideoDetailAnswer,
  VideoDetailRequest,
} from '../../wire/library/video-information.ts';

export interface InfoQuery<Query extends TObject, Answer extends TObject> {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly query: Query;
  readonly answer: Answer;
  /** Whether the answer may be 404. */
  readonly mayMiss: boolean;
}

const root = '/info/videopack';
const listing =
  'The keyword is found anywhere in the field, ignoring case in every script; `cid` must match ' +
  'as a whole. Past the last page the list is empty but the totals are right.';

export const infoQueries = {
  videoDetail: {
    path: `${root}/detail/v1/info.json`,
    operationId: 'videoDetail',
    summary: 'Get a video of a package',
    description: 'Answers `404` if the video is not in the package.',
    query: VideoDetailRequest,
    answer: VideoDetailAnswer,
    mayMiss: true,
  },
  folderVideos: {
    path: `${root}/folder/v1/videos.json`,
    operationId: 'folderVideos',
    summary: 'List the videos of a folder',
    description:
      'Folders hold the original videos; to list what is served, use the videos of a package. ' +
      listing,
    query: FolderVideosRequest,
    answer: FolderVideosAnswer,
    mayMiss: true,
  },
  packageVideos: {
    path: `${root}/package/v1/videos.json`,
    operationId: 'packageVideos',
    summary: 'List the videos of a package',
    description: listing,
    query: PackageVideosRequest,
    answer: PackageVideosAnswer,
    mayMiss: true,
  },
  packages: {
    path: `${root}/package/v1/info.json`,
    operationId: 'packages',
    summary: 'List all packages',
    description: 'In the order of their creation.',
    query: Type.Object({}),
    answer: PackagesAnswer,
    mayMiss: false,
  },
  folders: {
    path: `${root}/folder/v1/info.json`,
    operationId: 'folders',
    summary: 'List all folders',
    description: 'In the order of their creation.',
    query: Type.Object({}),
    answer: FoldersAnswer,
    mayMiss: false,
  },
  thumbnails: {
    path: `${root}/thumbnail/v1/info.json`,
    operationId: 'thumbnails',
    summary: 'List the thumbnails of a video',
    description: 'In order. If there are any, exactly one is `selected`.',
    query: ThumbnailsRequest,
    answer: ThumbnailsAnswer,
    mayMiss: true,
  },
} as const satisfies Record<string, InfoQuery<TObject, TObject>>;
