/** Videos in packages. `package add`, which takes many from a file or a folder, is cli/package-add.ts. */
import Type, { type Static } from 'typebox';
import type { CatalogParts, PublicationName, PublishedVideo } from '../../catalog/catalog.ts';
import { PackageVideosRequest, VideoDetailRequest } from '../../wire/library/video-information.ts';
import {
  PackageRecord,
  PageRequest,
  PublicationFields,
  PublicationList,
  PublicationRecord,
  WholePublication,
} from '../../wire/management-messages.ts';
import { Created, defineOperation, describePaging, paginate } from '../operation.ts';
import { accepted, found } from '../refusal-faults.ts';
import { packageOption } from './packages.ts';
import { accessKeyOption } from './videos.ts';

const url = '/manage/v1/packages/:packageId/videos';
const inPackage = Type.Object({ packageId: PackageRecord.properties.packageId });
const path = Type.Object({
  ...inPackage.properties,
  accessKey: VideoDetailRequest.properties.accessKey,
});
const { packageId: _, ...listParameters } = PackageVideosRequest.properties;
const one = { url: `${url}/:accessKey`, path };
const answers = { 200: PublicationRecord };
const options = { package: packageOption, 'access-key': accessKeyOption };

export const publications = [
  defineOperation({
    ...{ method: 'GET', url, operationId: 'publications' },
    role: 'analyst',
    isPinned: true,
    summary: 'List the videos in a package, with their keys',
    path: inPackage,
    query: Type.Object(listParameters),
    answers: { 200: PublicationList },
    run: async ({ accountId, catalog, path: { packageId }, query }) => {
      const page = accepted(await catalog.videos.listPackage(accountId, packageId, query));
      return { list: page.videos.map(toRecord), paging: describePaging(query, page.totalCount) };
    },
  }),

  defineOperation({
    method: 'GET',
    url: '/manage/v1/videos/:accessKey/publications',
    operationId: 'videoPublications',
    role: 'analyst',
    isPinned: true,
    summary: 'List the packages that a video is in, with its keys',
    path: Type.Object({ accessKey: path.properties.accessKey }),
    query: PageRequest,
    answers: { 200: PublicationList },
    run: async ({ accountId, catalog, path: { accessKey }, query }) => {
      found(await catalog.videos.find(accountId, accessKey), 'NO_VIDEO');
      const all = await catalog.publications.listOfVideo(accountId, accessKey);
      const list = all.map((publication) => toRecord({ ...publication, accessKey }));
      return paginate(list, query);
    },
  }),

  defineOperation({
    ...{ ...one, method: 'GET', operationId: 'publication' },
    role: 'analyst',
    isPinned: true,
    summary: 'Get a video in a package',
    answers,
    run: async ({ accountId, catalog, path }) =>
      requirePublication(catalog, { accountId, ...path }),
  }),

  defineOperation({
    ...{ ...one, method: 'PUT', operationId: 'publish' },
    role: 'manager',
    summary: 'Put a video into a package',
    description:
      'Returns the `videoKey` under which players report. If the video is already in the ' +
      'package, `serviceAble` changes only if sent; otherwise it defaults to `Y`. A video that ' +
      'was taken out gets its former `videoKey` back.',
    body: WholePublication,
    bodyIsOptional: true,
    read: async ({ accountId, catalog, path: { packageId, accessKey } }) => {
      const video = await catalog.videos.findInPackage(accountId, packageId, accessKey);
      return video && toRecord(video);
    },
    answers: { 200: PublicationRecord, 201: PublicationRecord },
    audit: ['PUBLISHED', 'PUBLICATION_CHANGED'],
    run: async ({ accountId, catalog, path, body: { serviceAble } }) => {
      const name = { accountId, ...path };
      const isNew = (await catalog.publications.find(name)) === undefined;
      accepted(await catalog.publications.publish(name));
      if (serviceAble) accepted(await catalog.publications.setServiceAble(name, serviceAble));
      const publication = await requirePublication(catalog, name);
      return isNew ? new Created(publication) : publication;
    },
  }),

  defineOperation({
    ...{ ...one, method: 'PATCH', operationId: 'changePublication' },
    role: 'manager',
    summary: 'Pause or resume a video in a package',
    description:
      '`serviceAble` `N` pauses the video. Playback reported for a paused video still counts.',
    body: PublicationFields,
    answers,
    audit: ['PUBLICATION_CHANGED'],
    run: async ({ accountId, catalog, path, body: { serviceAble } }) => {
      const name = { accountId, ...path };
      if (serviceAble) accepted(await catalog.publications.setServiceAble(name, serviceAble));
      return requirePublication(catalog, name);
    },
    commands: [
      {
        words: 'package pause',
        summary: 'Pause a video in a package',
        options,
        fixed: { serviceAble: 'N' },
        show: ({ videoKey, serviceAble }) => ({
          json: { videoKey, serviceAble },
          lines: [`${videoKey}: paused`],
        }),
      },
      {
        words: 'package resume',
        summary: 'Resume a paused video',
        options,
        fixed: { serviceAble: 'Y' },
        show: ({ videoKey, serviceAble }) => ({
          json: { videoKey, serviceAble },
          lines: [`${videoKey}: resumed`],
        }),
      },
    ],
  }),

  defineOperation({
    ...{ ...one, method: 'DELETE', operationId: 'retire' },
    role: 'manager',
    summary: 'Remove a video from a package',
    description:
      'Players can no longer report under its `videoKey`, until the video is put into the ' +
      'package again. Its statistics are kept.',
    answers: { 204: null },
    audit: ['PUBLICATION_RETIRED'],
    run: async ({ accountId, catalog, path }) => {
      accepted(await catalog.publications.retire({ accountId, ...path }));
      return path;
    },
    commands: [
      {
        words: 'package remove',
        summary: 'Remove a video from a package; if added again, it gets the same videoKey',
        options,
        show: ({ packageId, accessKey }) => ({
          json: { packageId, accessKey },
          lines: [`Video ${accessKey} is no longer in package ${packageId}`],
        }),
      },
    ],
  }),
];

async function requirePublication({ videos }: CatalogParts, name: PublicationName) {
  const video = await videos.findInPackage(name.accountId, name.packageId, name.accessKey);
  return toRecord(found(video, 'NO_PUBLICATION'));
}

type Described = Pick<PublishedVideo, keyof Static<typeof PublicationRecord>>;

function toRecord({ packageId, videoId, accessKey, videoKey, ...video }: Described) {
  const { serviceAble, publishedAt } = video;
  const of = { packageId, videoId, accessKey, videoKey };
  return { ...of, serviceAble, publishedAt: publishedAt.toISOString() };
}
