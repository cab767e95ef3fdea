import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { thumbnailsAnswer } from '../../catalog/catalog.ts';
import { SelectedThumbnail, ThumbnailsBody } from '../../wire/managing.ts';
import { ThumbnailsAnswer, VideoDetailRequest } from '../../wire/video-information.ts';
import { addManageRoute, type ManageParts } from './manage-route.ts';
import { requireVideo } from './video-record.ts';

const url = '/manage/v1/videos/:accessKey/thumbnails';
const path = Type.Object({ accessKey: VideoDetailRequest.properties.accessKey });
const answers = { 200: ThumbnailsAnswer };

export function addThumbnailRoutes(app: FastifyInstance, parts: ManageParts): void {
  const read = { method: 'GET', operationId: 'manageThumbnails' } as const;
  addManageRoute(
    app,
    parts,
    { ...read, url, summary: 'The thumbnails of a video', path, answers },
    async ({ caller, catalog, path }) => {
      const { videoId } = await requireVideo(catalog, caller.accountId, path.accessKey);
      return { status: 200, body: thumbnailsAnswer(await catalog.thumbnails.list(videoId)) };
    },
  );

  addManageRoute(
    app,
    parts,
    {
      method: 'PUT',
      url,
      operationId: 'putThumbnails',
      summary: 'Make the thumbnails of a video as given',
      description:
        'The first that is `selected` stands for the video; where none is, the first of all.',
      path,
      body: ThumbnailsBody,
      answers,
    },
    async ({ caller, catalog, path, body: { thumbnails: given } }) => {
      const { thumbnails } = catalog;
      const after = await thumbnails.replace(caller.accountId, path.accessKey, given);
      return { status: 200, body: thumbnailsAnswer(after) };
    },
  );

  addManageRoute(
    app,
    parts,
    {
      method: 'PUT',
      url: `${url}/selected`,
      operationId: 'selectThumbnail',
      summary: 'Choose the thumbnail that stands for a video',
      path,
      body: SelectedThumbnail,
      answers,
    },
    async ({ caller, catalog, path, body: { seq } }) => {
      const after = await catalog.thumbnails.select(caller.accountId, path.accessKey, seq);
      return { status: 200, body: thumbnailsAnswer(after) };
    },
  );
}
