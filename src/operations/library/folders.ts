import Type from 'typebox';
import type { CatalogParts, Folder } from '../../catalog/catalog.ts';
import { FolderFields } from '../../wire/library/video-fields.ts';
import {
  FolderChanges,
  FolderList,
  FolderRecord,
  PageRequest,
  WholeFolder,
} from '../../wire/management-messages.ts';
import { required } from '../command-options.ts';
import { defineOperation, paginate } from '../operation.ts';
import { accepted, found } from '../refusal-faults.ts';

const url = '/manage/v1/folders';
const one = {
  url: `${url}/:folderId`,
  path: Type.Object({ folderId: FolderRecord.properties.folderId }),
};
const answers = { 200: FolderRecord };

const folderOption = required('folderId', 'Folder id', 'ID');
const nameOption = required('folderName', 'Name of the folder', 'F');
const showFolder = ({ folderId, folderName }: Pick<Folder, 'folderId' | 'folderName'>) => ({
  json: { folderId },
  lines: [`Folder ${folderId}: ${folderName}`],
});

export const folders = [
  defineOperation({
    ...{ method: 'GET', url, operationId: 'manageFolders' },
    role: 'analyst',
    isPinned: true,
    summary: 'List all folders',
    query: PageRequest,
    answers: { 200: FolderList },
    run: async ({ accountId, catalog, query }) =>
      paginate((await catalog.folders.list(accountId)).map(toRecord), query),
    commands: [
      {
        words: 'folder list',
        summary: 'List the folders of an account',
        options: {},
        show: ({ list }) => ({
          json: {
            folderList: list.map(({ folderId, folderName }) => ({ id: folderId, folderName })),
          },
          lines: list.map(({ folderId, folderName }) => `${folderId}\t${folderName}`),
        }),
      },
    ],
  }),

  defineOperation({
    ...{ method: 'POST', url, operationId: 'addFolder' },
    role: 'manager',
    summary: 'Add a folder',
    body: FolderFields,
    answers: { 201: FolderRecord },
    audit: ['FOLDER_CREATED'],
    run: async ({ accountId, catalog, body }) =>
      toRecord(accepted(await catalog.folders.create(accountId, body))),
    commands: [
      {
        words: 'folder create',
        summary: 'Create a folder in the media library',
        options: { name: nameOption },
        show: showFolder,
      },
    ],
  }),

  defineOperation({
    ...{ ...one, method: 'GET', operationId: 'manageFolder' },
    role: 'analyst',
    isPinned: true,
    summary: 'Get a folder',
    answers,
    run: async ({ accountId, catalog, path }) =>
      toRecord(await requireFolder(catalog, accountId, path.folderId)),
  }),

  defineOperation({
    ...{ ...one, method: 'PUT', operationId: 'putFolder' },
    role: 'manager',
    summary: 'Replace a folder',
    body: WholeFolder,
    answers,
    audit: ['FOLDER_CHANGED'],
    run: async ({ accountId, catalog, path, body }) =>
      toRecord(accepted(await catalog.folders.rename(accountId, path.folderId, body))),
    commands: [
      {
        words: 'folder change',
        summary: 'Rename a folder',
        options: { folder: folderOption, name: nameOption },
        show: showFolder,
      },
    ],
  }),

  defineOperation({
    ...{ ...one, method: 'PATCH', operationId: 'changeFolder' },
    role: 'manager',
    summary: 'Change a folder',
    body: FolderChanges,
    answers,
    audit: ['FOLDER_CHANGED'],
    run: async ({ accountId, catalog, path: { folderId }, body }) => {
      const before = await requireFolder(catalog, accountId, folderId);
      const { folderName } = { ...before, ...body };
      return toRecord(accepted(await catalog.folders.rename(accountId, folderId, { folderName })));
    },
  }),

  defineOperation({
    ...{ ...one, method: 'DELETE', operationId: 'deleteFolder' },
    role: 'manager',
    summary: 'Delete an empty folder',
    description: 'Answers `409` if it still holds videos: move or delete them first.',
    answers: { 204: null },
    faults: ['CONFLICT'],
    audit: ['FOLDER_DELETED'],
    run: async ({ accountId, catalog, path: { folderId } }) => {
      accepted(await catalog.folders.delete(accountId, folderId));
      return { folderId };
    },
    commands: [
      {
        words: 'folder delete',
        summary: 'Delete an empty folder',
        options: { folder: folderOption },
        show: ({ folderId }) => ({ json: { folderId }, lines: [`Deleted folder ${folderId}`] }),
      },
    ],
  }),
];

async function requireFolder({ folders }: CatalogParts, accountId: number, folderId: number) {
  return found(await folders.find(accountId, folderId), 'NO_FOLDER');
}

function toRecord({ folderId, folderName }: Folder) {
  return { folderId, folderName };
}
