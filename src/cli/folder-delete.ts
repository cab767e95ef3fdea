import { accountOption, jsonOption, requiredOption } from './options.ts';
import type { Verb } from './verb.ts';
import { withCatalog } from './with-catalog.ts';

export const folderDelete: Verb = {
  words: 'folder delete',
  summary: 'Delete a folder that holds no videos',
  options: {
    account: accountOption,
    folder: requiredOption('Folder, by its number', 'ID'),
    json: jsonOption,
  },
  run: (given, parts) =>
    withCatalog(parts, async (catalog) => {
      const folderId = given.id('folder');
      await catalog.folders.delete(given.id('account'), folderId);
      return { json: { folderId }, lines: [`Folder ${folderId} is deleted`] };
    }),
};
