import Type from 'typebox';
import { ThumbnailsAnswer, VideoDetailRequest } from '../../wire/library/video-information.ts';
import { SelectedThumbnail, ThumbnailsBody } from '../../wire/management-messages.ts';
import { parameterFault } from '../../wire/parameters.ts';
import { defineOperation } from '../operation.ts';
import { accepted } from '../refusal-faults.ts';
import { toNewThumbnail } from './video-forms.ts';
import { thumbnailsAnswer } from './video-information.ts';
import { requireVideo } from './videos.ts';

const url = '/manage/v1/videos/:accessKey/thumbnails';
const path = Type.Object({ accessKey: VideoDetailRequest.properties.accessKey });
const answers = { 200: ThumbnailsAnswer };

export const thumbnails = [
  defineOperation({
    ...{ method: 'GET', url, operationId: 'manageThumbnails' },
    role: 'analyst',
    isPinned: true,
    summary: 'List the thumbnails of a video',
    path,
    answers,
    run: async (call) => {
      const { videoId } = await requireVideo(call);
      return thumbnailsAnswer(await call.catalog.thumbnails.list(videoId));
    },
  }),

  defineOperation({
    ...{ method: 'PUT', url, operationId: 'putThumbnails' },
    role: 'manager',
    summary: 'Replace the thumbnails of a video',
    description:
      'The first one with `selected` represents the video; if none has it, the first of all.',
    path,
    body: ThumbnailsBody,
    answers,
    audit: ['THUMBNAILS_REPLACED'],
    run: async ({ accountId, catalog, path: { accessKey }, body: { thumbnails: given } }) => {
      checkPlaces(given);
      const wanted = given.map(toNewThumbnail);
      const after = accepted(await catalog.thumbnails.replace(accountId, accessKey, wanted));
      return thumbnailsAnswer(after);
    },
  }),

  defineOperation({
    ...{ method: 'PUT', url: `${url}/selected`, operationId: 'selectThumbnail' },
    role: 'manager',
    summary: 'Choose the thumbnail that represents a video',
    path,
    body: SelectedThumbnail,
    answers,
    audit: ['THUMBNAIL_SELECTED'],
    run: async ({ accountId, catalog, path: { accessKey }, body: { seq } }) =>
      thumbnailsAnswer(accepted(await catalog.thumbnails.select(accountId, accessKey, seq))),
  }),
];

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
