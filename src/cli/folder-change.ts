import { accountOption, jsonOption, requiredOption } from './options.ts';
import type { Verb } from './verb.ts';
import { withCatalog } from './with-catalog.ts';

export const folderChange: Verb = {
  words: 'folder change',
  summary: 'Give a folder another name',
  options: {
    account: accountOption,
    folder: requiredOption('Folder, by its number', 'ID'),
    name: requiredOption('Name of the folder', 'F'),
    json: jsonOption,
  },
  run: (given, parts) =>
    withCatalog(parts, async (catalog) => {
      const fields = { folderName: given.text('name') };
      const folderId = given.id('folder');
      await catalog.folders.rename(given.id('account'), folderId, fields);
      return { json: { folderId }, lines: [`Folder ${folderId}: ${fields.folderName}`] };
    }),
};
