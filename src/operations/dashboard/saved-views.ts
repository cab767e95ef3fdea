import Type from 'typebox';
import { mostSavedViews, type SavedView } from '../../catalog/catalog.ts';
import {
  SavedViewChanges,
  SavedViewFields,
  SavedViewList,
  SavedViewRecord,
} from '../../wire/management/saved-views.ts';
import { PageRequest } from '../../wire/management-messages.ts';
import { optional, required } from '../command-options.ts';
import { defineOperation, paginate } from '../operation.ts';
import { accepted } from '../refusal-faults.ts';

const url = '/manage/v1/views';
const path = Type.Object({ viewId: SavedViewRecord.properties.viewId });
const one = { url: `${url}/:viewId`, path };
const idOption = required('viewId', 'Id of the saved view', 'ID');
const queryOption = optional('query', 'What stands behind the question mark of its URL', 'QUERY');

export const savedViews = [
  defineOperation({
    ...{ method: 'GET', url, operationId: 'savedViews' },
    role: 'analyst',
    isPinned: true,
    summary: 'List saved views',
    description:
      'By name: your own, and those that are shared with the account. Members who see certain ' +
      'packages alone have only their own.',
    query: PageRequest,
    answers: { 200: SavedViewList },
    run: async ({ accountId, catalog, query }) =>
      paginate((await catalog.savedViews.list(accountId)).map(toRecord), query),
    commands: [
      {
        words: 'view list',
        summary: 'List the views of the dashboard that are saved under a name',
        options: {},
        show: ({ list }) => ({
          json: { viewList: list },
          lines: list.map(({ viewId, name, page, query, createdByName, shared }) =>
            [viewId, name, `${page}?${query}`, shared ? 'shared' : createdByName].join('\t'),
          ),
        }),
      },
    ],
  }),

  defineOperation({
    ...{ method: 'POST', url, operationId: 'addSavedView' },
    role: 'analyst',
    isPinned: true,
    summary: 'Save a view',
    description:
      'A page of the dashboard with its period, filters, measure and comparison, under a name. ' +
      'To share it takes the role `manager`. ' +
      `At most ${mostSavedViews} are kept by one person, and as many by the account.`,
    body: SavedViewFields,
    answers: { 201: SavedViewRecord },
    audit: ['VIEW_CREATED'],
    run: async ({ accountId, catalog, body }) => {
      const { name, page, query = '', shared: isShared = false } = body;
      const view = { accountId, name, page, query, isShared };
      return toRecord(accepted(await catalog.savedViews.create(view)));
    },
    commands: [
      {
        words: 'view create',
        summary: 'Save a view of the dashboard, which all members of the account then see',
        options: {
          name: required('name', 'Its name', 'NAME'),
          page: required('page', 'Its page: /, /quality, /videos/KEY', 'PATH'),
          query: queryOption,
        },
        show: ({ viewId }) => ({ json: { viewId }, lines: [String(viewId)] }),
      },
    ],
  }),

  defineOperation({
    ...{ ...one, method: 'PATCH', operationId: 'changeSavedView' },
    role: 'analyst',
    isPinned: true,
    summary: 'Change a saved view',
    description:
      'Omitted members stay as they are. One that is shared needs the role `manager`, and so does ' +
      "sharing it; one that is no longer shared becomes the sender's own.",
    body: SavedViewChanges,
    answers: { 200: SavedViewRecord },
    audit: ['VIEW_CHANGED'],
    run: async ({ accountId, catalog, path, body: { name, page, query, shared } }) => {
      const changes = {
        ...(name !== undefined && { name }),
        ...(page !== undefined && { page }),
        ...(query !== undefined && { query }),
        ...(shared !== undefined && { isShared: shared }),
      };
      return toRecord(accepted(await catalog.savedViews.change({ accountId, ...path }, changes)));
    },
    commands: [
      {
        words: 'view change',
        summary: 'Rename a saved view, or save another page or query under its name',
        options: {
          view: idOption,
          name: optional('name', 'Its name', 'NAME'),
          page: optional('page', 'Its page', 'PATH'),
          query: queryOption,
        },
        show: ({ viewId }) => ({ json: { viewId }, lines: [`Changed view ${viewId}`] }),
      },
    ],
  }),

  defineOperation({
    ...{ ...one, method: 'DELETE', operationId: 'deleteSavedView' },
    role: 'analyst',
    isPinned: true,
    summary: 'Delete a saved view',
    description: 'One that is shared needs the role `manager`.',
    answers: { 204: null },
    audit: ['VIEW_DELETED'],
    run: async ({ accountId, catalog, path }) => {
      accepted(await catalog.savedViews.delete({ accountId, ...path }));
      return path;
    },
    commands: [
      {
        words: 'view delete',
        summary: 'Delete a saved view',
        options: { view: idOption },
        show: ({ viewId }) => ({ json: { viewId }, lines: [`Deleted view ${viewId}`] }),
      },
    ],
  }),
];

function toRecord({ createdAt, personId, ...view }: SavedView): SavedViewRecord {
  const { viewId, name, page, query, createdBy, createdByName } = view;
  const shared = personId === undefined;
  return {
    ...{ viewId, name, page, query, shared },
    ...{ createdAt: createdAt.toISOString(), createdBy, createdByName },
  };
}
