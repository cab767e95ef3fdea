import Type from 'typebox';
import type { Video } from '../../catalog/catalog.ts';
import { assert } from '../../lib/assert.ts';
import { counted } from '../../lib/values/counted.ts';
import { ThumbnailFields } from '../../wire/library/video-fields.ts';
import {
  AccountVideosRequest,
  type FolderVideosAnswer,
  FolderVideosRequest,
  mostAccessKeys,
  type PackageVideosAnswer,
  PackageVideosRequest,
  VideoDetailRequest,
} from '../../wire/library/video-information.ts';
import {
  NewVideoFields,
  VideoChanges,
  VideoList,
  VideoRecord,
  WholeVideo,
} from '../../wire/management-messages.ts';
import { checkMessage } from '../../wire/message-check.ts';
import { parameterFault, readParameters } from '../../wire/parameters.ts';
import { fieldOptions, isNumeric, optional, required } from '../command-options.ts';
import { type Call, Created, defineOperation, describePaging, type Outcome } from '../operation.ts';
import { accepted, found } from '../refusal-faults.ts';
import {
  readImportedVideo,
  readNewVideo,
  readVideoChanges,
  toNewThumbnail,
} from './video-forms.ts';
import {
  folderVideosAnswer,
  packageVideosAnswer,
  thumbnailsAnswer,
  toFolderVideo,
} from './video-information.ts';

const url = '/manage/v1/videos';
const path = Type.Object({ accessKey: VideoDetailRequest.properties.accessKey });
const one = { url: `${url}/:accessKey`, path };
const answers = { 200: VideoRecord };

export const accessKeyOption = required('accessKey', 'Original key of the video', 'K');
const showVideo = ({ videoId, accessKey, title }: Video | VideoRecord) => ({
  json: { videoId, accessKey },
  lines: [`Video ${videoId} (${accessKey}): ${title}`],
});

export const videos = [
  defineOperation({
    ...{ method: 'GET', url, operationId: 'manageVideos' },
    role: 'analyst',
    isPinned: true,
    summary: 'List videos, with all fields',
    query: AccountVideosRequest,
    answers: { 200: VideoList },
    faults: ['NOT_FOUND'],
    run: async ({ accountId, catalog, query: { folderId, accessKeys, ...query } }) => {
      const isNarrowed = folderId !== undefined || query.keyword !== '';
      const keys = accessKeys === undefined ? undefined : readAccessKeys(accessKeys, isNarrowed);
      const page =
        folderId === undefined
          ? await catalog.videos.listAll(accountId, { ...query, accessKeys: keys })
          : accepted(await catalog.videos.listFolder(accountId, folderId, query));
      const ids = page.videos.map(({ videoId }) => videoId);
      const counts = await catalog.publications.countByVideo(accountId, ids);
      const countOf = ({ videoId }: Video) => ({ packageCount: counts.get(videoId) ?? 0 });
      return {
        list: page.videos.map((video) => ({ ...toRecord(video), ...countOf(video) })),
        paging: describePaging(query, page.totalCount),
      };
    },
    commands: [
      {
        words: 'video list',
        summary: 'List the videos of a folder or package; --json prints what the API returns',
        options: fieldOptions(
          FolderVideosRequest,
          {
            folder: { ...optional('folderId', 'Folder id', 'ID'), read: asGiven },
            package: { description: 'Package id; shows the videoKeys too', valueHint: 'ID' },
          },
          () => asGiven,
        ),
        run: async ({ accountId, catalog }, { package: packageId, ...texts }) => {
          if (packageId === undefined) {
            const { folderId, ...query } = readParameters(FolderVideosRequest, texts);
            const page = accepted(await catalog.videos.listFolder(accountId, folderId, query));
            return showPage(folderVideosAnswer(query, page));
          }
          const request = readParameters(PackageVideosRequest, { packageId, ...texts });
          const { packageId: id, ...query } = request;
          const page = accepted(await catalog.videos.listPackage(accountId, id, query));
          return showPage(packageVideosAnswer(query, page));
        },
      },
    ],
  }),

  defineOperation({
    ...{ method: 'POST', url, operationId: 'addVideo' },
    role: 'manager',
    summary: 'Add a video',
    description:
      'Without an `accessKey` the video gets a random one. An `accessKey` that the account has ' +
      'used before, even for a deleted video, is refused with `409`.',
    body: NewVideoFields,
    answers: { 201: VideoRecord },
    faults: ['NOT_FOUND'],
    audit: ['VIDEO_CREATED'],
    run: addVideo,
    commands: [
      {
        words: 'video add',
        summary: 'Add a video to a folder',
        options: {
          ...fieldOptions(NewVideoFields, {
            folder: required('folderId', 'Folder id', 'ID'),
            title: required('title', 'Title', 'T'),
          }),
          'thumbnail-url': { description: 'URL of the representative thumbnail', valueHint: 'URL' },
        },
        run: async (call, { 'thumbnail-url': url }) => {
          const thumbnails =
            url === undefined ? [] : [toNewThumbnail(checkMessage(ThumbnailFields, { url }))];
          const video = await addVideo(call);
          if (thumbnails.length > 0) {
            const { accountId, catalog } = call;
            accepted(await catalog.thumbnails.replace(accountId, video.accessKey, thumbnails));
          }
          return showVideo(video);
        },
      },
    ],
  }),

  defineOperation({
    ...{ ...one, method: 'GET', operationId: 'manageVideo' },
    role: 'analyst',
    isPinned: true,
    summary: 'Get a video',
    answers,
    run: async (call) => toRecord(await requireVideo(call)),
    commands: [
      {
        words: 'video show',
        summary: 'Show a video with all its fields and thumbnails',
        options: { 'access-key': accessKeyOption },
        run: async (call) => {
          const video = await requireVideo(call);
          const { folderId, tag } = video;
          const said = { ...toFolderVideo(video), folderId, tag };
          const { thumbnails } = thumbnailsAnswer(
            await call.catalog.thumbnails.list(video.videoId),
          );
          const lines = [
            ...Object.entries(said).map(([name, value]) => `${name}\t${value ?? ''}`),
            ...thumbnails.map(({ seq, url }) => `thumbnail ${seq}\t${url}`),
          ];
          return { json: { ...said, thumbnails }, lines };
        },
      },
    ],
  }),

  defineOperation({
    ...{ ...one, method: 'PUT', operationId: 'putVideo' },
    role: 'manager',
    summary: 'Add or replace a video',
    description: 'Fields left out are set as in a new video, except `cdate`, which is kept.',
    body: WholeVideo,
    read: async ({ accountId, catalog, path: { accessKey } }) => {
      const video = await catalog.videos.find(accountId, accessKey);
      return video && toRecord(video);
    },
    answers: { 200: VideoRecord, 201: VideoRecord },
    faults: ['CONFLICT'],
    audit: ['VIDEO_CREATED', 'VIDEO_CHANGED'],
    run: async (call) => {
      const { accountId, catalog, path, body } = call;
      const fields = accepted(readImportedVideo({ ...body, ...path }));
      const [result] = await catalog.videos.putMany(accountId, [fields]);
      assert(result, 'of a video that is put there is a result');
      const { isNew } = accepted(result);
      const record = toRecord(await requireVideo(call));
      return isNew ? new Created(record) : record;
    },
  }),

  defineOperation({
    ...{ ...one, method: 'PATCH', operationId: 'changeVideo' },
    role: 'manager',
    summary: 'Change a video',
    description:
      'Changes only the fields sent. A new `folderId` moves the video; `null` empties a field.',
    body: VideoChanges,
    answers,
    audit: ['VIDEO_CHANGED'],
    run: async ({ accountId, catalog, path, body }) => {
      const changes = accepted(readVideoChanges(body));
      return toRecord(accepted(await catalog.videos.change(accountId, path.accessKey, changes)));
    },
    commands: [
      {
        words: 'video change',
        summary: 'Change the fields of a video; an empty value clears a field',
        options: fieldOptions(
          VideoChanges,
          {
            'access-key': accessKeyOption,
            folder: optional('folderId', 'Id of the folder to move it to', 'ID'),
            title: optional('title', 'Title', 'T'),
          },
          (name, field) => (isNumeric(field) || name === 'tag' ? undefined : readCleared),
        ),
        show: showVideo,
      },
    ],
  }),

  defineOperation({
    ...{ ...one, method: 'DELETE', operationId: 'deleteVideo' },
    role: 'manager',
    summary: 'Delete a video',
    description: 'It is also taken out of every package. Its statistics are kept.',
    answers: { 204: null },
    audit: ['VIDEO_DELETED'],
    run: async ({ accountId, catalog, path: { accessKey } }) => {
      accepted(await catalog.videos.delete(accountId, accessKey));
      return { accessKey };
    },
    commands: [
      {
        words: 'video delete',
        summary: 'Delete a video, also from all packages; its statistics are kept',
        options: { 'access-key': accessKeyOption },
        show: ({ accessKey }) => ({ json: { accessKey }, lines: [`Deleted video ${accessKey}`] }),
      },
    ],
  }),
];

async function addVideo(call: Call<unknown, unknown, NewVideoFields>): Promise<VideoRecord> {
  const { accountId, catalog, body } = call;
  return toRecord(accepted(await catalog.videos.create(accountId, accepted(readNewVideo(body)))));
}

type CallOfVideo = Call<{ readonly accessKey: string }, unknown, unknown>;

export async function requireVideo({ accountId, catalog, path }: CallOfVideo): Promise<Video> {
  return found(await catalog.videos.find(accountId, path.accessKey), 'NO_VIDEO');
}

function toRecord(video: Video): VideoRecord {
  const { videoId, ...information } = toFolderVideo(video);
  const { folderId, tag, encodingSuccess } = video;
  return { videoId, folderId, ...information, tag, encodingSuccess };
}

function readAccessKeys(text: string, isNarrowed: boolean): readonly string[] {
  const keys = text.split(' ').filter((key) => key !== '');
  const refuse = (detail: string) => parameterFault([{ parameter: 'accessKeys', detail }]);
  if (isNarrowed) throw refuse('is given without folderId and keyword');
  if (keys.length === 0 || keys.length > mostAccessKeys) {
    throw refuse(`must have 1 to ${mostAccessKeys} keys, not ${keys.length}`);
  }
  return keys;
}

function showPage(answer: FolderVideosAnswer | PackageVideosAnswer): Outcome {
  const { paging, ...rest } = answer.videoInfoList;
  const videos = 'folderVideoList' in rest ? rest.folderVideoList : rest.videoInfoList;
  const lines = videos.map(({ videoId, accessKey, title, ...more }) =>
    [videoId, accessKey, ...('videoKey' in more ? [more.videoKey] : []), title].join('\t'),
  );
  const { totalCount, page, totalPage } = paging;
  return {
    json: answer,
    lines: [...lines, `${counted(totalCount, 'video')}, page ${page} of ${totalPage}`],
  };
}

/** Of a verb that reads its options as the parameters of a query. */
function asGiven(text: string): string {
  return text;
}

function readCleared(text: string): string | null {
  return text === '' ? null : text;
}
