import { VideoChanges } from '../wire/video-fields.ts';
import { WrongUsage } from './arguments.ts';
import { fieldOptions, readFields } from './field-options.ts';
import { accessKeyOption, accountOption, jsonOption, optionalOption } from './options.ts';
import type { Verb } from './verb.ts';
import { withCatalog } from './with-catalog.ts';

export const videoChange: Verb = {
  words: 'video change',
  summary: 'Change what is said of a video; an empty text takes a field away',
  options: {
    account: accountOption,
    'access-key': accessKeyOption,
    folder: optionalOption('Folder to move it to, by its number', 'ID'),
    title: optionalOption('Title', 'T'),
    ...fieldOptions(VideoChanges),
    json: jsonOption,
  },
  run: (given, parts) =>
    withCatalog(parts, async (catalog) => {
      const changes = {
        ...(given.has('folder') ? { folderId: given.id('folder') } : {}),
        ...(given.has('title') ? { title: given.text('title') } : {}),
        ...emptied(readFields(VideoChanges, given)),
      };
      if (Object.keys(changes).length === 0) throw new WrongUsage('nothing was given to change');
      const accountId = given.id('account');
      const video = await catalog.videos.change(accountId, given.text('access-key'), changes);
      const { videoId, accessKey, title } = video;
      return { json: { videoId, accessKey }, lines: [`Video ${videoId} (${accessKey}): ${title}`] };
    }),
};

/** Tags are empty where there are none; everything else is null. */
function emptied(fields: Record<string, string | number>): object {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      value === '' && name !== 'tag' ? null : value,
    ]),
  );
}
