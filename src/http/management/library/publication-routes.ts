import type { FastifyInstance } from 'fastify';
import Type, { type Static } from 'typebox';
import type { CatalogParts, PublicationName, PublishedVideo } from '../../../catalog/catalog.ts';
import { accepted, found } from '../../../operations/refusal-faults.ts';
import {
  PackageVideosRequest,
  VideoDetailRequest,
} from '../../../wire/library/video-information.ts';
import {
  PackageRecord,
  PageRequest,
  PublicationFields,
  PublicationList,
  PublicationRecord,
  WholePublication,
} from '../../../wire/management-messages.ts';
import { pageOf, pagingOf } from '../list-page.ts';
import { addManageRoute, type ManageParts } from '../management-route.ts';

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
      summary: 'List the videos in a package, with their keys',
      path: inPackage,
      query: Type.Object(listParameters),
      answers: { 200: PublicationList },
    },
    async ({ caller, catalog, path: { packageId }, query }) => {
      const { listPackage } = catalog.videos;
      const page = accepted(await listPackage(caller.accountId, packageId, query));
      const list = page.videos.map(recordOf);
      return { status: 200, body: { list, paging: pagingOf(query, page.totalCount) } };
    },
  );

  addManageRoute(
    app,
    parts,
    {
      method: 'GET',
      url: '/manage/v1/videos/:accessKey/publications',
      operationId: 'videoPublications',
      summary: 'List the packages that a video is in, with its keys',
      path: Type.Object({ accessKey: path.properties.accessKey }),
      query: PageRequest,
      answers: { 200: PublicationList },
    },
    async ({ caller: { accountId }, catalog, path: { accessKey }, query }) => {
      found(await catalog.videos.find(accountId, accessKey), 'NO_VIDEO');
      const all = await catalog.publications.listOfVideo(accountId, accessKey);
      const list = all.map((publication) => recordOf({ ...publication, accessKey }));
      return { status: 200, body: pageOf(list, query) };
    },
  );

  addOnePublication(app, parts);
}

function addOnePublication(app: FastifyInstance, parts: ManageParts): void {
  const read = {
    method: 'GET',
    operationId: 'publication',
    summary: 'Get a video in a package',
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
        'Returns the `videoKey` under which players report. If the video is already in the ' +
        'package, `serviceAble` changes only if sent; otherwise it defaults to `Y`. A video that ' +
        'was taken out gets its former `videoKey` back.',
      body: WholePublication,
      bodyIsOptional: true,
      read: async ({ caller: { accountId }, catalog, path: { packageId, accessKey } }) => {
        const video = await catalog.videos.findInPackage(accountId, packageId, accessKey);
        return video && recordOf(video);
      },
      answers: { 200: PublicationRecord, 201: PublicationRecord },
    },
    async ({ caller: { accountId }, catalog, path, body: { serviceAble } }) => {
      const name = { accountId, ...path };
      const isNew = (await catalog.publications.find(name)) === undefined;
      accepted(await catalog.publications.publish(name));
      if (serviceAble) accepted(await catalog.publications.setServiceAble(name, serviceAble));
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
      summary: 'Pause or resume a video in a package',
      description:
        '`serviceAble` `N` pauses the video. Playback reported for a paused video still counts.',
      body: PublicationFields,
      answers,
    },
    async ({ caller: { accountId }, catalog, path, body: { serviceAble } }) => {
      const name = { accountId, ...path };
      if (serviceAble) accepted(await catalog.publications.setServiceAble(name, serviceAble));
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
      summary: 'Remove a video from a package',
      description:
        'Players can no longer report under its `videoKey`, until the video is put into the ' +
        'package again. Its statistics are kept.',
      answers: { 204: null },
    },
    async ({ caller: { accountId }, catalog, path }) => {
      accepted(await catalog.publications.retire({ accountId, ...path }));
      return { status: 204 };
    },
  );
}

async function requirePublication({ videos }: CatalogParts, name: PublicationName) {
  const video = await videos.findInPackage(name.accountId, name.packageId, name.accessKey);
  return recordOf(found(video, 'NO_PUBLICATION'));
}

type Described = Pick<PublishedVideo, keyof Static<typeof PublicationRecord>>;

function recordOf({ packageId, videoId, accessKey, videoKey, serviceAble }: Described) {
  return { packageId, videoId, accessKey, videoKey, serviceAble };
}
