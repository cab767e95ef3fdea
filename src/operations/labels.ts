import Type from 'typebox';
import { type CatalogParts, countLimits, type Label } from '../catalog/catalog.ts';
import { LabelFields, LabelList, LabelRecord, WholeLabel } from '../wire/management/labels.ts';
import { PageRequest } from '../wire/management-messages.ts';
import { textReader } from '../wire/message-check.ts';
import { required } from './command-options.ts';
import { defineOperation, paginate } from './operation.ts';
import { accepted, found } from './refusal-faults.ts';

const url = '/manage/v1/labels';
const one = {
  url: `${url}/:labelId`,
  path: Type.Object({ labelId: LabelRecord.properties.labelId }),
};
const answers = { 200: LabelRecord };

const labelOption = required('labelId', 'Label id', 'ID');
const nameOption = (description: string) => ({
  ...required('name', description, 'NAME'),
  read: textReader(
    LabelFields.properties.name,
    'name',
    'must be a letter, then at most 31 letters, digits, - and _',
  ),
});
const showLabel = ({ labelId, name }: Pick<Label, 'labelId' | 'name'>) => ({
  json: { labelId },
  lines: [`Label ${labelId}: ${name}`],
});

export const labels = [
  defineOperation({
    ...{ method: 'GET', url, operationId: 'labels' },
    role: 'manager',
    summary: 'List all labels',
    query: PageRequest,
    answers: { 200: LabelList },
    run: async ({ accountId, catalog, query }) =>
      paginate((await catalog.labels.list(accountId)).map(toRecord), query),
    commands: [
      {
        words: 'label list',
        summary: 'List the labels of an account',
        options: {},
        show: ({ list }) => ({
          json: { labelList: list },
          lines: list.map(({ labelId, name, declaredAt }) =>
            [labelId, name, `since ${declaredAt}`].join('\t'),
          ),
        }),
      },
    ],
  }),

  defineOperation({
    ...{ method: 'POST', url, operationId: 'addLabel' },
    role: 'manager',
    summary: 'Declare a label',
    description:
      'From then on, within a second on all nodes, beacons may report values under this name; ' +
      `others are left out. An account has at most ${countLimits.labels}. One that was used and then ` +
      'deleted still takes a place, and comes back with its values if it is declared again.',
    body: LabelFields,
    answers: { 201: LabelRecord },
    faults: ['CONFLICT'],
    audit: ['LABEL_CREATED'],
    run: async ({ accountId, catalog, body }) =>
      toRecord(accepted(await catalog.labels.create(accountId, body.name))),
    commands: [
      {
        words: 'label create',
        summary: 'Declare a label, under which beacons may report values of your own',
        options: {
          name: nameOption('Its name in beacons: letters, digits, - and _'),
        },
        show: showLabel,
      },
    ],
  }),

  defineOperation({
    ...{ ...one, method: 'GET', operationId: 'label' },
    role: 'manager',
    summary: 'Get a label',
    answers,
    run: async ({ accountId, catalog, path }) =>
      toRecord(await requireLabel(catalog, accountId, path.labelId)),
  }),

  defineOperation({
    ...{ ...one, method: 'PUT', operationId: 'putLabel' },
    role: 'manager',
    summary: 'Rename a label',
    description:
      'Values that were collected under the old name are from then on those of the new name. ' +
      'Senders must use the new name too.',
    body: WholeLabel,
    read: async ({ accountId, catalog, path }) =>
      toRecord(await requireLabel(catalog, accountId, path.labelId)),
    answers,
    faults: ['CONFLICT'],
    audit: ['LABEL_CHANGED'],
    run: async ({ accountId, catalog, path, body }) =>
      toRecord(accepted(await catalog.labels.rename({ accountId, ...path }, body.name))),
    commands: [
      {
        words: 'label change',
        summary: 'Rename a label, with all values that were collected under it',
        options: { label: labelOption, name: nameOption('Its new name in beacons') },
        show: showLabel,
      },
    ],
  }),

  defineOperation({
    ...{ ...one, method: 'DELETE', operationId: 'deleteLabel' },
    role: 'manager',
    summary: 'Delete a label',
    description:
      'Its values are no longer collected, and no longer shown. They are never shown under ' +
      'another name: the place of a label that was used stays taken, for its name alone.',
    answers: { 204: null },
    audit: ['LABEL_DELETED'],
    run: async ({ accountId, catalog, path }) => {
      accepted(await catalog.labels.delete({ accountId, ...path }));
      return path;
    },
    commands: [
      {
        words: 'label delete',
        summary: 'Delete a label; its values are never shown under another name',
        options: { label: labelOption },
        show: ({ labelId }) => ({ json: { labelId }, lines: [`Deleted label ${labelId}`] }),
      },
    ],
  }),
];

async function requireLabel({ labels }: CatalogParts, accountId: number, labelId: number) {
  const all = await labels.list(accountId);
  return found(
    all.find((label) => label.labelId === labelId),
    'NO_LABEL',
  );
}

function toRecord({ labelId, name, declaredAt }: Label) {
  return { labelId, name, declaredAt: declaredAt.toISOString() };
}
