/** /info: the video information queries. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import Type, { type Static, type TObject } from 'typebox';
import type { Catalog, CatalogParts } from '../../catalog/catalog.ts';
import {
  foldersAnswer,
  folderVideosAnswer,
  packagesAnswer,
  packageVideosAnswer,
  thumbnailsAnswer,
  videoDetailAnswer,
} from '../../operations/library/video-information.ts';
import { catalogSeenBy } from '../../operations/member-catalog.ts';
import { accepted, found } from '../../operations/refusal-faults.ts';
import { toReadLibrary } from '../../vocabulary/member-roles.ts';
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
import { readParameters } from '../../wire/parameters.ts';
import type { Authenticate } from '../authentication/authentication.ts';
import type { RateLimit } from '../limits/rate-limits.ts';
import { documented, type Operation } from '../openapi/operation.ts';
import { type ContentPlace, findContentUrl } from './content-url.ts';

interface InfoParts extends ContentPlace {
  readonly catalog: Catalog;
  readonly authenticate: Authenticate;
  readonly rateLimit: RateLimit;
}

type Request = FastifyRequest<{ Querystring: Record<string, string | string[]> }>;

interface InfoRequest {
  readonly accountId: number;
  /** As far as the caller sees it. */
  readonly catalog: CatalogParts;
  readonly request: Request;
}

export function addInfoRoutes(app: FastifyInstance, parts: InfoParts): void {
  const { authenticate, rateLimit } = parts;

  function add<Query extends TObject, Answer extends TObject>(
    described: InfoQuery<Query, Answer>,
    ask: (query: Static<Query>, asked: InfoRequest) => Promise<Static<Answer>>,
  ): void {
    const { path, query } = described;
    app.get(path, documented(describeOperation(described)), async (request: Request, reply) => {
      const caller = await authenticate(request, reply, toReadLibrary);
      await rateLimit(caller, reply);
      reply.header('cache-control', 'no-store');
      const { accountId } = caller;
      const catalog = catalogSeenBy(caller, parts.catalog);
      return ask(readParameters(query, request.query), { accountId, catalog, request });
    });
  }

  add(
    infoQueries.videoDetail,
    async ({ accessKey, packageId }, { accountId, catalog, request }) => {
      const published = await catalog.videos.findInPackage(accountId, packageId, accessKey);
      const video = found(published, 'NO_PUBLICATION');
      const thumbnails = await catalog.thumbnails.list(video.videoId);
      return videoDetailAnswer(video, thumbnails, findContentUrl(parts, request));
    },
  );

  add(infoQueries.folderVideos, async ({ folderId, ...query }, { accountId, catalog }) =>
    folderVideosAnswer(
      query,
      accepted(await catalog.videos.listFolder(accountId, folderId, query)),
    ),
  );

  add(infoQueries.packageVideos, async ({ packageId, ...query }, { accountId, catalog }) =>
    packageVideosAnswer(
      query,
      accepted(await catalog.videos.listPackage(accountId, packageId, query)),
    ),
  );

  add(infoQueries.packages, async (_query, { accountId, catalog }) =>
    packagesAnswer(await catalog.packages.list(accountId)),
  );

  add(infoQueries.folders, async (_query, { accountId, catalog }) =>
    foldersAnswer(await catalog.folders.list(accountId)),
  );

  add(infoQueries.thumbnails, async ({ accessKey }, { accountId, catalog }) => {
    const video = found(await catalog.videos.find(accountId, accessKey), 'NO_VIDEO');
    return thumbnailsAnswer(await catalog.thumbnails.list(video.videoId));
  });
}

function describeOperation(described: InfoQuery<TObject, TObject>): Operation {
  const { operationId, summary, description, query, answer, mayMiss } = described;
  return {
    operationId,
    tag: 'Video information',
    summary,
    description,
    scope: 'info:read',
    query,
    answers: {
      200: {
        description: 'Found.',
        headers: ['RateLimit-Policy', 'RateLimit'],
        content: { 'application/json': answer },
      },
    },
    faults: [
      ...(Object.keys(query.properties).length === 0
        ? []
        : (['MISSING_PARAMETER', 'INVALID_PARAMETER'] as const)),
      ...(mayMiss ? (['NOT_FOUND'] as const) : []),
    ],
  };
}

/** The video information queries as the reference shows them: path, parameters, answer. */
interface InfoQuery<Query extends TObject, Answer extends TObject> {
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

const infoQueries = {
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
