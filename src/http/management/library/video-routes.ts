import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { assert } from '../../../lib/assert.ts';
import { accepted } from '../../../operations/refusal-faults.ts';
import {
  readImportedVideo,
  readNewVideo,
  readVideoChanges,
} from '../../../operations/video-forms.ts';
import {
  AccountVideosRequest,
  VideoDetailRequest,
} from '../../../wire/library/video-information.ts';
import {
  NewVideoFields,
  VideoChanges,
  VideoList,
  VideoRecord,
  WholeVideo,
} from '../../../wire/management-messages.ts';
import { pagingOf } from '../list-page.ts';
import { addManageRoute, type ManageParts } from '../management-route.ts';
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
      summary: 'List videos, with all fields',
      query: AccountVideosRequest,
      answers: { 200: VideoList },
      faults: ['NOT_FOUND'],
    },
    async ({ caller, catalog, query: { folderId, ...query } }) => {
      const { accountId } = caller;
      const found =
        folderId === undefined
          ? await catalog.videos.listAll(accountId, query)
          : accepted(await catalog.videos.listFolder(accountId, folderId, query));
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
        'Without an `accessKey` the video gets a random one. An `accessKey` that the account has ' +
        'used before, even for a deleted video, is refused with `409`.',
      body: NewVideoFields,
      answers: { 201: VideoRecord },
      faults: ['NOT_FOUND'],
    },
    async ({ caller, catalog, body }) => ({
      status: 201,
      body: videoRecordOf(
        accepted(await catalog.videos.create(caller.accountId, accepted(readNewVideo(body)))),
      ),
    }),
  );

  addOneVideo(app, parts);
}

const one = { url: `${url}/:accessKey`, path };

function addOneVideo(app: FastifyInstance, parts: ManageParts): void {
  const read = { method: 'GET', operationId: 'manageVideo', summary: 'Get a video' } as const;
  addManageRoute(app, parts, { ...one, ...read, answers }, async ({ caller, catalog, path }) => ({
    status: 200,
    body: videoRecordOf(await requireVideo(catalog, caller.accountId, path.accessKey)),
  }));

  addPut(app, parts);

  addManageRoute(
    app,
    parts,
    {
      ...one,
      method: 'PATCH',
      operationId: 'changeVideo',
      summary: 'Change a video',
      description:
        'Changes only the fields sent. A new `folderId` moves the video; `null` empties a field.',
      body: VideoChanges,
      answers,
    },
    async ({ caller, catalog, path, body }) => ({
      status: 200,
      body: videoRecordOf(
        accepted(
          await catalog.videos.change(
            caller.accountId,
            path.accessKey,
            accepted(readVideoChanges(body)),
          ),
        ),
      ),
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
      description: 'It is also taken out of every package. Its statistics are kept.',
      answers: { 204: null },
    },
    async ({ caller, catalog, path }) => {
      accepted(await catalog.videos.delete(caller.accountId, path.accessKey));
      return { status: 204 };
    },
  );
}

function addPut(app: FastifyInstance, parts: ManageParts): void {
  addManageRoute(
    app,
    parts,
    {
      ...one,
      method: 'PUT',
      operationId: 'putVideo',
      summary: 'Add or replace a video',
      description: 'Fields left out are set as in a new video, except `cdate`, which is kept.',
      body: WholeVideo,
      read: async ({ caller, catalog, path: { accessKey } }) => {
        const video = await catalog.videos.find(caller.accountId, accessKey);
        return video && videoRecordOf(video);
      },
      answers: { 200: VideoRecord, 201: VideoRecord },
      faults: ['CONFLICT'],
    },
    async ({ caller: { accountId }, catalog, path: { accessKey }, body }) => {
      const fields = accepted(readImportedVideo({ ...body, accessKey }));
      const [result] = await catalog.videos.putMany(accountId, [fields]);
      assert(result, 'of a video that is put there is a result');
      const { isNew } = accepted(result);
      const video = await requireVideo(catalog, accountId, accessKey);
      return { status: isNew ? 201 : 200, body: videoRecordOf(video) };
    },
  );
}
