/** The video information queries as they are told: address, parameters, answer. */
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
} from '../wire/video-information.ts';

export interface InfoQuery<Query extends TObject, Answer extends TObject> {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly query: Query;
  readonly answer: Answer;
  /** Whether what is asked about may not be there. */
  readonly mayMiss: boolean;
}

const root = '/info/videopack';
const listing =
  'The keyword is found anywhere in the field, upper and lower case alike in every script; of ' +
  '`cid`, the whole is compared. A page past the end is an empty list with true totals.';

export const infoQueries = {
  videoDetail: {
    path: `${root}/detail/v1/info.json`,
    operationId: 'videoDetail',
    summary: 'One video of a package',
    description: '`404` where the video is not in that package.',
    query: VideoDetailRequest,
    answer: VideoDetailAnswer,
    mayMiss: true,
  },
  folderVideos: {
    path: `${root}/folder/v1/videos.json`,
    operationId: 'folderVideos',
    summary: 'The videos of a folder',
    description:
      'A folder is where original videos are kept; for what is served, ask for the videos of a ' +
      `package. ${listing}`,
    query: FolderVideosRequest,
    answer: FolderVideosAnswer,
    mayMiss: true,
  },
  packageVideos: {
    path: `${root}/package/v1/videos.json`,
    operationId: 'packageVideos',
    summary: 'The videos of a package',
    description: listing,
    query: PackageVideosRequest,
    answer: PackageVideosAnswer,
    mayMiss: true,
  },
  packages: {
    path: `${root}/package/v1/info.json`,
    operationId: 'packages',
    summary: 'All packages',
    description: 'In the order in which they were made.',
    query: Type.Object({}),
    answer: PackagesAnswer,
    mayMiss: false,
  },
  folders: {
    path: `${root}/folder/v1/info.json`,
    operationId: 'folders',
    summary: 'All folders',
    description: 'In the order in which they were made.',
    query: Type.Object({}),
    answer: FoldersAnswer,
    mayMiss: false,
  },
  thumbnails: {
    path: `${root}/thumbnail/v1/info.json`,
    operationId: 'thumbnails',
    summary: 'The thumbnails of a video',
    description: 'In their order; exactly one is `selected`, where there are any.',
    query: ThumbnailsRequest,
    answer: ThumbnailsAnswer,
    mayMiss: true,
  },
} as const satisfies Record<string, InfoQuery<TObject, TObject>>;
