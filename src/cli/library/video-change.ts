import { accepted } from '../../operations/refusal-faults.ts';
import { readVideoChanges } from '../../operations/video-forms.ts';
import { VideoChanges } from '../../wire/library/video-fields.ts';
import { WrongUsage } from '../runner/arguments.ts';
import { accessKeyOption, accountOption, jsonOption, optionalOption } from '../runner/options.ts';
import { withCatalog } from '../runner/with-catalog.ts';
import type { Verb } from '../verb.ts';
import { fieldOptions, readFields } from './field-options.ts';

export const videoChange: Verb = {
  words: 'video change',
  summary: 'Change the fields of a video; an empty value clears a field',
  options: {
    account: accountOption,
    'access-key': accessKeyOption,
    folder: optionalOption('Id of the folder to move it to', 'ID'),
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
      if (Object.keys(changes).length === 0)
        throw new WrongUsage('give at least one option to change');
      const name = [given.id('account'), given.text('access-key')] as const;
      const read = accepted(readVideoChanges(changes));
      const video = accepted(await catalog.videos.change(...name, read));
      const { videoId, accessKey, title } = video;
      return { json: { videoId, accessKey }, lines: [`Video ${videoId} (${accessKey}): ${title}`] };
    }),
};

/** Cleared tags become an empty list, any other cleared field null. */
function emptied(fields: Record<string, string | number>): object {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      value === '' && name !== 'tag' ? null : value,
    ]),
  );
}
