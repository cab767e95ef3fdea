import { found } from '../../operations/refusal-faults.ts';
import { folderVideoOf, thumbnailsAnswer } from '../../operations/video-information.ts';
import { accessKeyOption, accountOption, jsonOption } from '../runner/options.ts';
import { withCatalog } from '../runner/with-catalog.ts';
import type { Verb } from '../verb.ts';

export const videoShow: Verb = {
  words: 'video show',
  summary: 'Show a video with all its fields and thumbnails',
  options: {
    account: accountOption,
    'access-key': accessKeyOption,
    json: jsonOption,
  },
  run: (given, parts) =>
    withCatalog(parts, async (catalog) => {
      const name = [given.id('account'), given.text('access-key')] as const;
      const video = found(await catalog.videos.find(...name), 'NO_VIDEO');
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
