import { accepted } from '../../operations/refusal-faults.ts';
import { readNewVideo } from '../../operations/video-forms.ts';
import { NewVideoFields, ThumbnailFields } from '../../wire/library/video-fields.ts';
import { checkMessage } from '../../wire/message-check.ts';
import { accountOption, jsonOption, optionalOption, requiredOption } from '../runner/options.ts';
import { withCatalog } from '../runner/with-catalog.ts';
import type { Verb } from '../verb.ts';
import { fieldOptions, readFields } from './field-options.ts';

export const videoAdd: Verb = {
  words: 'video add',
  summary: 'Add a video to a folder',
  options: {
    account: accountOption,
    folder: requiredOption('Folder id', 'ID'),
    title: requiredOption('Title', 'T'),
    ...fieldOptions(NewVideoFields),
    'thumbnail-url': optionalOption('URL of the representative thumbnail', 'URL'),
    json: jsonOption,
  },
  run: (given, parts) =>
    withCatalog(parts, async (catalog) => {
      const accountId = given.id('account');
      const thumbnails = given.has('thumbnail-url') ? [{ url: given.text('thumbnail-url') }] : [];
      for (const thumbnail of thumbnails) checkMessage(ThumbnailFields, thumbnail);
      const named = { folderId: given.id('folder'), title: given.text('title') };
      const fields = accepted(readNewVideo({ ...named, ...readFields(NewVideoFields, given) }));
      const video = accepted(await catalog.videos.create(accountId, fields));
      const { videoId, accessKey, title } = video;
      accepted(await catalog.thumbnails.replace(accountId, accessKey, thumbnails));
      return { json: { videoId, accessKey }, lines: [`Video ${videoId} (${accessKey}): ${title}`] };
    }),
};
