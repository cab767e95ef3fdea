/** /info: the video information queries. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Static, TObject } from 'typebox';
import type { Caller, Catalog } from '../../catalog/catalog.ts';
import {
  foldersAnswer,
  folderVideosAnswer,
  packagesAnswer,
  packageVideosAnswer,
  thumbnailsAnswer,
  videoDetailAnswer,
} from '../../operations/library/video-information.ts';
import { accepted, found } from '../../operations/refusal-faults.ts';
import { readParameters } from '../../wire/parameters.ts';
import type { Authenticate } from '../authentication/authentication.ts';
import type { RateLimit } from '../limits/rate-limits.ts';
import { documented, type Operation } from '../openapi/operation.ts';
import { type ContentPlace, contentUrlOf } from './content-url.ts';
import { type InfoQuery, infoQueries } from './info-queries.ts';

interface InfoParts extends ContentPlace {
  readonly catalog: Catalog;
  readonly authenticate: Authenticate;
  readonly rateLimit: RateLimit;
}

type Request = FastifyRequest<{ Querystring: Record<string, string | string[]> }>;

export function addInfoRoutes(app: FastifyInstance, parts: InfoParts): void {
  const { catalog, authenticate, rateLimit } = parts;

  function add<Query extends TObject, Answer extends TObject>(
    described: InfoQuery<Query, Answer>,
    ask: (query: Static<Query>, caller: Caller, request: Request) => Promise<Static<Answer>>,
  ): void {
    const { path, query } = described;
    app.get(path, documented(operationOf(described)), async (request: Request, reply) => {
      const caller = await authenticate(request, reply, 'info:read');
      await rateLimit(caller, reply);
      reply.header('cache-control', 'no-store');
      return ask(readParameters(query, request.query), caller, request);
    });
  }

  add(infoQueries.videoDetail, async ({ accessKey, packageId }, { accountId }, request) => {
    const published = await catalog.videos.findInPackage(accountId, packageId, accessKey);
    const video = found(published, 'NO_PUBLICATION');
    const thumbnails = await catalog.thumbnails.list(video.videoId);
    return videoDetailAnswer(video, thumbnails, contentUrlOf(parts, request));
  });

  add(infoQueries.folderVideos, async ({ folderId, ...query }, { accountId }) =>
    folderVideosAnswer(
      query,
      accepted(await catalog.videos.listFolder(accountId, folderId, query)),
    ),
  );

  add(infoQueries.packageVideos, async ({ packageId, ...query }, { accountId }) =>
    packageVideosAnswer(
      query,
      accepted(await catalog.videos.listPackage(accountId, packageId, query)),
    ),
  );

  add(infoQueries.packages, async (_query, { accountId }) =>
    packagesAnswer(await catalog.packages.list(accountId)),
  );

  add(infoQueries.folders, async (_query, { accountId }) =>
    foldersAnswer(await catalog.folders.list(accountId)),
  );

  add(infoQueries.thumbnails, async ({ accessKey }, { accountId }) => {
    const video = found(await catalog.videos.find(accountId, accessKey), 'NO_VIDEO');
    return thumbnailsAnswer(await catalog.thumbnails.list(video.videoId));
  });
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
