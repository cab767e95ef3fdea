import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import type { CatalogParts, PublicationName, PublishedVideo } from '../../catalog/catalog.ts';
import { Fault } from '../../wire/faults.ts';
import {
  PackageRecord,
  PublicationFields,
  PublicationList,
  PublicationRecord,
} from '../../wire/managing.ts';
import { PackageVideosRequest, VideoDetailRequest } from '../../wire/video-information.ts';
import { addManageRoute, type ManageParts } from './manage-route.ts';
import { pagingOf } from './page-of.ts';

const url = '/manage/v1/packages/:packageId/videos';
const inPackage = Type.Object({ packageId: PackageRecord.properties.packageId });
const path = Type.Object({
  ...inPackage.properties,
  accessKey: VideoDetailRequest.properties.accessKey,
});
const { packageId: _, ...listParameters } = PackageVideosRequest.properties;
const one = { url: `${url}/:accessKey`, path };
const answers = { 200: PublicationRecord };

export function addPublicationRoutes(app: FastifyInstance, parts: ManageParts): void {
  addManageRoute(
    app,
    parts,
    {
      method: 'GET',
      url,
      operationId: 'publications',
      summary: 'The videos in a package, with their keys',
      path: inPackage,
      query: Type.Object(listParameters),
      answers: { 200: PublicationList },
    },
    async ({ caller, catalog, path: { packageId }, query }) => {
      const found = await catalog.videos.listPackage(caller.accountId, packageId, query);
      const list = found.videos.map(recordOf);
      return { status: 200, body: { list, paging: pagingOf(query, found.totalCount) } };
    },
  );

  addOnePublication(app, parts);
}

function addOnePublication(app: FastifyInstance, parts: ManageParts): void {
  const read = {
    method: 'GET',
    operationId: 'publication',
    summary: 'A video in a package',
  } as const;
  addManageRoute(app, parts, { ...one, ...read, answers }, async ({ caller, catalog, path }) => ({
    status: 200,
    body: await requirePublication(catalog, { accountId: caller.accountId, ...path }),
  }));

  addManageRoute(
    app,
    parts,
    {
      ...one,
      method: 'PUT',
      operationId: 'publish',
      summary: 'Put a video into a package',
      description:
        'Gives the `videoKey` under which players report. Where it is there already, the key ' +
        'stays, and so does `serviceAble` if it is not given; at first it is `Y`.',
      body: PublicationFields,
      bodyIsOptional: true,
      answers: { 200: PublicationRecord, 201: PublicationRecord },
    },
    async ({ caller: { accountId }, catalog, path, body: { serviceAble } }) => {
      const name = { accountId, ...path };
      const isNew = (await catalog.publications.find(name)) === undefined;
      await catalog.publications.publish(name);
      if (serviceAble) await catalog.publications.setServiceAble(name, serviceAble);
      return { status: isNew ? 201 : 200, body: await requirePublication(catalog, name) };
    },
  );

  addChanges(app, parts);
}

function addChanges(app: FastifyInstance, parts: ManageParts): void {
  addManageRoute(
    app,
    parts,
    {
      ...one,
      method: 'PATCH',
      operationId: 'changePublication',
      summary: 'Pause a video in a package, or let it be served again',
      description: 'Playback that is reported of a paused video is counted.',
      body: PublicationFields,
      answers,
    },
    async ({ caller: { accountId }, catalog, path, body: { serviceAble } }) => {
      const name = { accountId, ...path };
      if (serviceAble) await catalog.publications.setServiceAble(name, serviceAble);
      return { status: 200, body: await requirePublication(catalog, name) };
    },
  );

  addManageRoute(
    app,
    parts,
    {
      ...one,
      method: 'DELETE',
      operationId: 'retire',
      summary: 'Take a video out of a package',
      description: 'Its `videoKey` is retired for good. Its statistics are kept.',
      answers: { 204: null },
    },
    async ({ caller: { accountId }, catalog, path }) => {
      await catalog.publications.retire({ accountId, ...path });
      return { status: 204 };
    },
  );
}

async function requirePublication({ videos }: CatalogParts, name: PublicationName) {
  const video = await videos.findInPackage(name.accountId, name.packageId, name.accessKey);
  if (!video) throw new Fault('NOT_FOUND', 'The video is not in that package');
  return recordOf(video);
}

function recordOf({ packageId, videoId, accessKey, videoKey, serviceAble }: PublishedVideo) {
  return { packageId, videoId, accessKey, videoKey, serviceAble };
}
