import { accepted } from '../../operations/refusal-faults.ts';
import { FolderFields } from '../../wire/library/video-fields.ts';
import { checkMessage } from '../../wire/message-check.ts';
import { accountOption, jsonOption, requiredOption } from '../runner/options.ts';
import { withCatalog } from '../runner/with-catalog.ts';
import type { Verb } from '../verb.ts';

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
