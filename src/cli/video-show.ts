import { folderVideoOf, thumbnailsAnswer } from '../catalog/catalog.ts';
import { Fault } from '../wire/faults.ts';
import { accessKeyOption, accountOption, jsonOption } from './options.ts';
import type { Verb } from './verb.ts';
import { withCatalog } from './with-catalog.ts';

export const videoShow: Verb = {
  words: 'video show',
  summary: 'Show all that is said of a video, with its thumbnails',
  options: {
    account: accountOption,
    'access-key': accessKeyOption,
    json: jsonOption,
  },
  run: (given, parts) =>
    withCatalog(parts, async (catalog) => {
      const video = await catalog.videos.find(given.id('account'), given.text('access-key'));
      if (!video) throw new Fault('NOT_FOUND', 'There is no such video');
      const { folderId, tag } = video;
      const said = { ...folderVideoOf(video), folderId, tag };
      const { thumbnails } = thumbnailsAnswer(await catalog.thumbnails.list(video.videoId));
      const lines = [
        ...Object.entries(said).map(([name, value]) => `${name}\t${value ?? ''}`),
        ...thumbnails.map(({ seq, url }) => `thumbnail ${seq}\t${url}`),
      ];
      return { json: { ...said, thumbnails }, lines };
    }),
};
