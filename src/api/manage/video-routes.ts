import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { assert } from '../../lib/assert.ts';
import {
  NewVideoFields,
  PutVideoFields,
  VideoChanges,
  VideoList,
  VideoRecord,
} from '../../wire/managing.ts';
import { FolderVideosRequest, VideoDetailRequest } from '../../wire/video-information.ts';
import { addManageRoute, type ManageParts } from './manage-route.ts';
import { pagingOf } from './page-of.ts';
import { requireVideo, videoRecordOf } from './video-record.ts';

const url = '/manage/v1/videos';
const path = Type.Object({ accessKey: VideoDetailRequest.properties.accessKey });
const answers = { 200: VideoRecord };

export function addVideoRoutes(app: FastifyInstance, parts: ManageParts): void {
  addManageRoute(
    app,
    parts,
    {
      method: 'GET',
      url,
      operationId: 'manageVideos',
      summary: 'The videos of a folder, with all that is known of them',
      query: FolderVideosRequest,
      answers: { 200: VideoList },
      faults: ['NOT_FOUND'],
    },
    async ({ caller, catalog, query: { folderId, ...query } }) => {
      const found = await catalog.videos.listFolder(caller.accountId, folderId, query);
      const list = found.videos.map(videoRecordOf);
      return { status: 200, body: { list, paging: pagingOf(query, found.totalCount) } };
    },
  );

  addManageRoute(
    app,
    parts,
    {
      method: 'POST',
      url,
      operationId: 'addVideo',
      summary: 'Add a video',
      description:
        'Without an `accessKey` it is given a random one. One that the account used before, also ' +
        'for a video that was deleted, is refused: `409`.',
      body: NewVideoFields,
      answers: { 201: VideoRecord },
      faults: ['NOT_FOUND'],
    },
    async ({ caller, catalog, body }) => ({
      status: 201,
      body: videoRecordOf(await catalog.videos.create(caller.accountId, body)),
    }),
  );

  addOneVideo(app, parts);
}

function addOneVideo(app: FastifyInstance, parts: ManageParts): void {
  const one = { url: `${url}/:accessKey`, path };
  const read = { method: 'GET', operationId: 'manageVideo', summary: 'A video' } as const;
  addManageRoute(app, parts, { ...one, ...read, answers }, async ({ caller, catalog, path }) => ({
    status: 200,
    body: videoRecordOf(await requireVideo(catalog, caller.accountId, path.accessKey)),
  }));

  addManageRoute(
    app,
    parts,
    {
      ...one,
      method: 'PUT',
      operationId: 'putVideo',
      summary: 'Add a video, or make the one that is there as given',
      description: 'What is left out is as in a new video; only `cdate` then stays as it was.',
      body: PutVideoFields,
      answers: { 200: VideoRecord, 201: VideoRecord },
      faults: ['CONFLICT'],
    },
    async ({ caller: { accountId }, catalog, path: { accessKey }, body }) => {
      const [result] = await catalog.videos.putMany(accountId, [{ ...body, accessKey }]);
      assert(result, 'of a video that is put there is a result');
      if (!result.ok) throw result.reason;
      const video = await requireVideo(catalog, accountId, accessKey);
      return { status: result.value.isNew ? 201 : 200, body: videoRecordOf(video) };
    },
  );

  addManageRoute(
    app,
    parts,
    {
      ...one,
      method: 'PATCH',
      operationId: 'changeVideo',
      summary: 'Change a video',
      description: 'Only what is named. Another `folderId` moves it; `null` empties a field.',
      body: VideoChanges,
      answers,
    },
    async ({ caller, catalog, path, body }) => ({
      status: 200,
      body: videoRecordOf(await catalog.videos.change(caller.accountId, path.accessKey, body)),
    }),
  );

  addManageRoute(
    app,
    parts,
    {
      ...one,
      method: 'DELETE',
      operationId: 'deleteVideo',
      summary: 'Delete a video',
      description: 'Takes it out of every package. Its statistics are kept.',
      answers: { 204: null },
    },
    async ({ caller, catalog, path }) => {
      await catalog.videos.delete(caller.accountId, path.accessKey);
      return { status: 204 };
    },
  );
}
