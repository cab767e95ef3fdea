import { assert } from '../../lib/assert.ts';
import { mostImportLines, VideosImport, VideosImported } from '../../wire/library/video-import.ts';
import { parameterFault } from '../../wire/parameters.ts';
import { defineOperation } from '../operation.ts';
import { found } from '../refusal-faults.ts';

export const videoImports = [
  defineOperation({
    ...{ method: 'PUT', url: '/manage/v1/imports', operationId: 'importVideos' },
    role: 'manager',
    summary: 'Add or replace many videos from CSV',
    description:
      'Rows are stored in portions of at most 50; a bad row is listed and does not stop the ' +
      'others. Sending the same again changes nothing, so send it again if no answer came. The ' +
      'imports of an account are done one after the other: at most 2 wait for the one before.',
    body: VideosImport,
    answers: { 200: VideosImported },
    faults: ['NOT_FOUND'],
    audit: ['VIDEOS_IMPORTED', 'VIDEO_CREATED', 'VIDEO_CHANGED', 'FOLDER_CREATED', 'PUBLISHED'],
    serve: async ({ accountId, catalog, service, body }) => {
      const { csv, folderId, packageId } = body;
      if (csv.split('\n', mostImportLines + 2).length > mostImportLines + 1) {
        const detail = 'may have 10,000 lines after the header at most';
        throw parameterFault([{ parameter: 'csv', detail }]);
      }
      if (folderId !== undefined) {
        found(await catalog.folders.find(accountId, folderId), 'NO_FOLDER');
      }
      if (packageId !== undefined) {
        found(await catalog.packages.find(accountId, packageId), 'NO_PACKAGE');
      }
      const account = await catalog.accounts.find(accountId);
      assert(account, 'the account of the key exists');
      return service.importVideos(catalog, { accountId, timeZone: account.timeZone, ...body });
    },
  }),
];
