import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import type { CatalogParts, Label } from '../../../catalog/catalog.ts';
import { accepted, found } from '../../../operations/refusal-faults.ts';
import {
  LabelFields,
  LabelList,
  LabelRecord,
  mostLabels,
  WholeLabel,
} from '../../../wire/management/labels.ts';
import { PageRequest } from '../../../wire/management-messages.ts';
import { pageOf } from '../list-page.ts';
import { addManageRoute, type ManageParts } from '../management-route.ts';

const url = '/manage/v1/labels';
const path = Type.Object({ labelId: LabelRecord.properties.labelId });
const answers = { 200: LabelRecord };

export function addLabelRoutes(app: FastifyInstance, parts: ManageParts): void {
  const list = { method: 'GET', operationId: 'labels', summary: 'List all labels' } as const;
  addManageRoute(
    app,
    parts,
    { ...list, url, query: PageRequest, answers: { 200: LabelList } },
    async ({ caller, catalog, query }) => {
      const labels = await catalog.labels.list(caller.accountId);
      return { status: 200, body: pageOf(labels.map(recordOf), query) };
    },
  );

  addManageRoute(
    app,
    parts,
    {
      method: 'POST',
      url,
      operationId: 'addLabel',
      summary: 'Declare a label',
      description:
        'From then on, within a second on all nodes, beacons may report values under this name; ' +
        `others are left out. An account has at most ${mostLabels}. One that was used and then ` +
        'deleted still takes a place, and comes back with its values if it is declared again.',
      body: LabelFields,
      answers: { 201: LabelRecord },
      faults: ['CONFLICT'],
    },
    async ({ caller, catalog, body }) => ({
      status: 201,
      body: recordOf(accepted(await catalog.labels.create(caller.accountId, body.name))),
    }),
  );

  addOneLabel(app, parts);
}

function addOneLabel(app: FastifyInstance, parts: ManageParts): void {
  const one = { url: `${url}/:labelId`, path };
  const read = { method: 'GET', operationId: 'label', summary: 'Get a label' } as const;
  addManageRoute(app, parts, { ...one, ...read, answers }, async ({ caller, catalog, path }) => ({
    status: 200,
    body: recordOf(await requireLabel(catalog, caller.accountId, path.labelId)),
  }));

  addManageRoute(
    app,
    parts,
    {
      ...one,
      method: 'PUT',
      operationId: 'putLabel',
      summary: 'Rename a label',
      description:
        'Values that were collected under the old name are from then on those of the new name. ' +
        'Senders must use the new name too.',
      body: WholeLabel,
      read: async ({ caller, catalog, path }) =>
        recordOf(await requireLabel(catalog, caller.accountId, path.labelId)),
      answers,
      faults: ['CONFLICT'],
    },
    async ({ caller: { accountId }, catalog, path, body }) => ({
      status: 200,
      body: recordOf(accepted(await catalog.labels.rename({ accountId, ...path }, body.name))),
    }),
  );

  addManageRoute(
    app,
    parts,
    {
      ...one,
      method: 'DELETE',
      operationId: 'deleteLabel',
      summary: 'Delete a label',
      description:
        'Its values are no longer collected, and no longer shown. They are never shown under ' +
        'another name: the place of a label that was used stays taken, for its name alone.',
      answers: { 204: null },
    },
    async ({ caller: { accountId }, catalog, path }) => {
      accepted(await catalog.labels.delete({ accountId, ...path }));
      return { status: 204 };
    },
  );
}

async function requireLabel({ labels }: CatalogParts, accountId: number, labelId: number) {
  const all = await labels.list(accountId);
  return found(
    all.find((label) => label.labelId === labelId),
    'NO_LABEL',
  );
}

function recordOf({ labelId, name, declaredAt }: Label) {
  return { labelId, name, declaredAt: declaredAt.toISOString() };
}
