import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { accepted } from '../../../operations/refusal-faults.ts';
import { newThumbnailOf } from '../../../operations/video-forms.ts';
import { thumbnailsAnswer } from '../../../operations/video-information.ts';
import { ThumbnailsAnswer, VideoDetailRequest } from '../../../wire/library/video-information.ts';
import { SelectedThumbnail, ThumbnailsBody } from '../../../wire/management-messages.ts';
import { parameterFault } from '../../../wire/parameters.ts';
import { addManageRoute, type ManageParts } from '../management-route.ts';
import { requireVideo } from './video-record.ts';

const url = '/manage/v1/videos/:accessKey/thumbnails';
const path = Type.Object({ accessKey: VideoDetailRequest.properties.accessKey });
const answers = { 200: ThumbnailsAnswer };

export function addThumbnailRoutes(app: FastifyInstance, parts: ManageParts): void {
  const read = { method: 'GET', operationId: 'manageThumbnails' } as const;
  addManageRoute(
    app,
    parts,
    { ...read, url, summary: 'List the thumbnails of a video', path, answers },
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
      summary: 'Replace the thumbnails of a video',
      description:
        'The first one with `selected` represents the video; if none has it, the first of all.',
      path,
      body: ThumbnailsBody,
      answers,
    },
    async ({ caller, catalog, path, body: { thumbnails: given } }) => {
      checkPlaces(given);
      const { thumbnails } = catalog;
      const after = accepted(
        await thumbnails.replace(caller.accountId, path.accessKey, given.map(newThumbnailOf)),
      );
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
      summary: 'Choose the thumbnail that represents a video',
      path,
      body: SelectedThumbnail,
      answers,
    },
    async ({ caller, catalog, path, body: { seq } }) => {
      const after = accepted(
        await catalog.thumbnails.select(caller.accountId, path.accessKey, seq),
      );
      return { status: 200, body: thumbnailsAnswer(after) };
    },
  );
}

/** The list gives the order; a `seq` that contradicts it is refused. */
function checkPlaces(given: readonly { readonly seq?: number }[]): void {
  const errors = given.flatMap(({ seq }, index) => {
    const detail = `must be ${index}, its place in the list`;
    return seq === undefined || seq === index
      ? []
      : [{ parameter: `thumbnails.${index}.seq`, detail }];
  });
  if (errors.length > 0) throw parameterFault(errors);
}
