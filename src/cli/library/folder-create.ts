import { accepted } from '../../operations/refusal-faults.ts';
import { FolderFields } from '../../wire/library/video-fields.ts';
import { checkMessage } from '../../wire/message-check.ts';
import { accountOption, jsonOption, requiredOption } from '../runner/options.ts';
import { withCatalog } from '../runner/with-catalog.ts';
import type { Verb } from '../verb.ts';

export const folderCreate: Verb = {
  words: 'folder create',
  summary: 'Create a folder in the media library',
  options: {
    account: accountOption,
    name: requiredOption('Name of the folder', 'F'),
    json: jsonOption,
  },
  run: (given, parts) =>
    withCatalog(parts, async (catalog) => {
      const fields = checkMessage(FolderFields, { folderName: given.text('name') });
      const { folderId } = accepted(await catalog.folders.create(given.id('account'), fields));
      return { json: { folderId }, lines: [`Folder ${folderId}: ${fields.folderName}`] };
    }),
};
