import { accepted } from '../managing/accepted.ts';
import { checkMessage } from '../wire/check-message.ts';
import { FolderFields } from '../wire/video-fields.ts';
import { accountOption, jsonOption, requiredOption } from './options.ts';
import type { Verb } from './verb.ts';
import { withCatalog } from './with-catalog.ts';

export const folderChange: Verb = {
  words: 'folder change',
  summary: 'Rename a folder',
  options: {
    account: accountOption,
    folder: requiredOption('Folder id', 'ID'),
    name: requiredOption('Name of the folder', 'F'),
    json: jsonOption,
  },
  run: (given, parts) =>
    withCatalog(parts, async (catalog) => {
      const fields = checkMessage(FolderFields, { folderName: given.text('name') });
      const folderId = given.id('folder');
      accepted(await catalog.folders.rename(given.id('account'), folderId, fields));
      return { json: { folderId }, lines: [`Folder ${folderId}: ${fields.folderName}`] };
    }),
};
