import { accountOption, jsonOption } from '../runner/options.ts';
import { withCatalog } from '../runner/with-catalog.ts';
import type { Verb } from '../verb.ts';

export const folderList: Verb = {
  words: 'folder list',
  summary: 'List the folders of an account',
  options: { account: accountOption, json: jsonOption },
  run: (given, parts) =>
    withCatalog(parts, async (catalog) => {
      const folders = await catalog.folders.list(given.id('account'));
      const folderList = folders.map(({ folderId, folderName }) => ({ id: folderId, folderName }));
      const lines = folderList.map(({ id, folderName }) => `${id}\t${folderName}`);
      return { json: { folderList }, lines };
    }),
};
