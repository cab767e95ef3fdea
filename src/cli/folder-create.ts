import { accepted } from '../managing/accepted.ts';
import { checkMessage } from '../wire/check-message.ts';
import { FolderFields } from '../wire/video-fields.ts';
import { accountOption, jsonOption, requiredOption } from './options.ts';
import type { Verb } from './verb.ts';
import { withCatalog } from './with-catalog.ts';

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
