/** /info: the video information queries. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Static, TObject } from 'typebox';
import {
  type Caller,
  type Catalog,
  foldersAnswer,
  folderVideosAnswer,
  packagesAnswer,
  packageVideosAnswer,
  thumbnailsAnswer,
  videoDetailAnswer,
} from '../catalog/catalog.ts';
import { Fault } from '../wire/faults.ts';
import { readParameters } from '../wire/parameters.ts';
import { authenticate } from './authenticate.ts';
import { type InfoQuery, infoQueries } from './info-queries.ts';
import { documented, type Operation } from './openapi/operation.ts';
import type { RateLimit } from './rate-limit.ts';

interface InfoParts {
  readonly catalog: Catalog;
  readonly rateLimit: RateLimit;
  /** Content host of the videos; default: `publicUrl` or this service's own address. */
  readonly contentUrl: string | undefined;
  readonly publicUrl: string | undefined;
}

type Request = FastifyRequest<{ Querystring: Record<string, string | string[]> }>;

export function addInfoRoutes(app: FastifyInstance, parts: InfoParts): void {
  const { catalog, rateLimit } = parts;

  function add<Query extends TObject, Answer extends TObject>(
    described: InfoQuery<Query, Answer>,
    ask: (query: Static<Query>, caller: Caller, request: Request) => Promise<Static<Answer>>,
  ): void {
    const { path, query } = described;
    app.get(path, documented(operationOf(described)), async (request: Request, reply) => {
      const caller = await authenticate(request, catalog.keys, 'info:read');
      await rateLimit(caller, reply);
      reply.header('cache-control', 'no-store');
      return ask(readParameters(query, request.query), caller, request);
    });
  }

  add(infoQueries.videoDetail, async ({ accessKey, packageId }, { accountId }, request) => {
    const video = await catalog.videos.findInPackage(accountId, packageId, accessKey);
    if (!video) throw new Fault('NOT_FOUND', 'The video is not in that package');
    const thumbnails = await catalog.thumbnails.list(video.videoId);
    return videoDetailAnswer(video, thumbnails, contentUrlOf(parts, request));
  });

  add(infoQueries.folderVideos, async ({ folderId, ...query }, { accountId }) =>
    folderVideosAnswer(query, await catalog.videos.listFolder(accountId, folderId, query)),
  );

  add(infoQueries.packageVideos, async ({ packageId, ...query }, { accountId }) =>
    packageVideosAnswer(query, await catalog.videos.listPackage(accountId, packageId, query)),
  );

  add(infoQueries.packages, async (_query, { accountId }) =>
    packagesAnswer(await catalog.packages.list(accountId)),
  );

  add(infoQueries.folders, async (_query, { accountId }) =>
    foldersAnswer(await catalog.folders.list(accountId)),
  );

  add(infoQueries.thumbnails, async ({ accessKey }, { accountId }) => {
    const video = await catalog.videos.find(accountId, accessKey);
    if (!video) throw new Fault('NOT_FOUND', 'There is no such video');
    return thumbnailsAnswer(await catalog.thumbnails.list(video.videoId));
  });
}

/** Without a slash at its end. Where nothing is configured, the address that was asked at. */
function contentUrlOf({ contentUrl, publicUrl }: InfoParts, request: Request): string {
  const own = publicUrl ?? `${request.protocol}://${request.host}`;
  return (contentUrl ?? `${own.replace(/\/+$/, '')}/content`).replace(/\/+$/, '');
}

function operationOf(described: InfoQuery<TObject, TObject>): Operation {
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
        description: 'The answer.',
        headers: ['RateLimit-Policy', 'RateLimit'],
        content: { 'application/json': answer },
      },
    },
    faults: [
      ...(Object.keys(query.properties).length === 0
        ? []
        : (['MISSING_PARAMETER', 'INVALID_PARAMETER'] as const)),
      ...(mayMiss ? (['NOT_FOUND'] as const) : []),
      'RATE_LIMITED',
    ],
  };
}
