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
      const fields = { folderName: given.text('name') };
      const { folderId } = await catalog.folders.create(given.id('account'), fields);
      return { json: { folderId }, lines: [`Folder ${folderId}: ${fields.folderName}`] };
    }),
};
