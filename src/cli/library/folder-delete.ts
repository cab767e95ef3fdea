import { accepted } from '../../operations/refusal-faults.ts';
import { accountOption, jsonOption, requiredOption } from '../runner/options.ts';
import { withCatalog } from '../runner/with-catalog.ts';
import type { Verb } from '../verb.ts';

export const folderDelete: Verb = {
  words: 'folder delete',
  summary: 'Delete an empty folder',
  options: {
    account: accountOption,
    folder: requiredOption('Folder id', 'ID'),
    json: jsonOption,
  },
  run: (given, parts) =>
    withCatalog(parts, async (catalog) => {
      const folderId = given.id('folder');
      accepted(await catalog.folders.delete(given.id('account'), folderId));
      return { json: { folderId }, lines: [`Deleted folder ${folderId}`] };
    }),
};
