import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import type { CatalogParts, Folder } from '../../../catalog/catalog.ts';
import { accepted, found } from '../../../operations/refusal-faults.ts';
import { FolderFields } from '../../../wire/library/video-fields.ts';
import {
  FolderChanges,
  FolderList,
  FolderRecord,
  PageRequest,
  WholeFolder,
} from '../../../wire/management-messages.ts';
import { pageOf } from '../list-page.ts';
import { addManageRoute, type ManageParts } from '../management-route.ts';

const url = '/manage/v1/folders';
const path = Type.Object({ folderId: FolderRecord.properties.folderId });
const answers = { 200: FolderRecord };

export function addFolderRoutes(app: FastifyInstance, parts: ManageParts): void {
  const list = {
    method: 'GET',
    operationId: 'manageFolders',
    summary: 'List all folders',
  } as const;
  addManageRoute(
    app,
    parts,
    { ...list, url, query: PageRequest, answers: { 200: FolderList } },
    async ({ caller, catalog, query }) => {
      const folders = await catalog.folders.list(caller.accountId);
      return { status: 200, body: pageOf(folders.map(recordOf), query) };
    },
  );

  const add = { method: 'POST', operationId: 'addFolder', summary: 'Add a folder' } as const;
  addManageRoute(
    app,
    parts,
    { ...add, url, body: FolderFields, answers: { 201: FolderRecord } },
    async ({ caller, catalog, body }) => ({
      status: 201,
      body: recordOf(accepted(await catalog.folders.create(caller.accountId, body))),
    }),
  );

  addOneFolder(app, parts);
}

function addOneFolder(app: FastifyInstance, parts: ManageParts): void {
  const one = { url: `${url}/:folderId`, path };
  const read = { method: 'GET', operationId: 'manageFolder', summary: 'Get a folder' } as const;
  addManageRoute(app, parts, { ...one, ...read, answers }, async ({ caller, catalog, path }) => ({
    status: 200,
    body: recordOf(await requireFolder(catalog, caller.accountId, path.folderId)),
  }));

  const put = {
    method: 'PUT',
    operationId: 'putFolder',
    summary: 'Replace a folder',
  } as const;
  addManageRoute(
    app,
    parts,
    { ...one, ...put, body: WholeFolder, answers },
    async ({ caller, catalog, path, body }) => ({
      status: 200,
      body: recordOf(accepted(await catalog.folders.rename(caller.accountId, path.folderId, body))),
    }),
  );

  const patch = {
    method: 'PATCH',
    operationId: 'changeFolder',
    summary: 'Change a folder',
  } as const;
  addManageRoute(
    app,
    parts,
    { ...one, ...patch, body: FolderChanges, answers },
    async ({ caller: { accountId }, catalog, path: { folderId }, body }) => {
      const before = await requireFolder(catalog, accountId, folderId);
      const { folderName } = { ...before, ...body };
      const after = accepted(await catalog.folders.rename(accountId, folderId, { folderName }));
      return { status: 200, body: recordOf(after) };
    },
  );

  addManageRoute(
    app,
    parts,
    {
      ...one,
      method: 'DELETE',
      operationId: 'deleteFolder',
      summary: 'Delete an empty folder',
      description: 'Answers `409` if it still holds videos: move or delete them first.',
      answers: { 204: null },
      faults: ['CONFLICT'],
    },
    async ({ caller, catalog, path }) => {
      accepted(await catalog.folders.delete(caller.accountId, path.folderId));
      return { status: 204 };
    },
  );
}

async function requireFolder({ folders }: CatalogParts, accountId: number, folderId: number) {
  return found(await folders.find(accountId, folderId), 'NO_FOLDER');
}

function recordOf({ folderId, folderName }: Folder) {
  return { folderId, folderName };
}
