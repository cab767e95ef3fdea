import Type from 'typebox';
import type { Annotation } from '../../catalog/catalog.ts';
import { countLimits } from '../../catalog/catalog.ts';
import { assert } from '../../lib/assert.ts';
import { annotationKindNames } from '../../vocabulary/annotations.ts';
import { checkInstants, requireInstants, toDate } from '../../wire/instants.ts';
import {
  AnnotationChanges,
  AnnotationFields,
  AnnotationList,
  AnnotationListRequest,
  AnnotationRecord,
} from '../../wire/management/annotations.ts';
import { optional, readDayOrInstant, readId, required } from '../command-options.ts';
import { defineOperation, paginate } from '../operation.ts';
import { accepted, found } from '../refusal-faults.ts';

const url = '/manage/v1/annotations';
const path = Type.Object({ annotationId: AnnotationRecord.properties.annotationId });
const one = { url: `${url}/:annotationId`, path };
const idOption = required('annotationId', 'Annotation id', 'ID');

const fields = {
  kind: optional('kind', 'What it tells of', annotationKindNames.join('|')),
  at: {
    ...optional('at', 'When it happened, or began: a day (UTC), or an instant', 'DATE'),
    read: (text: string) => readDayOrInstant('at', text, 0),
  },
  until: {
    ...optional('until', 'When it ended; default: it is of one moment', 'DATE'),
    read: (text: string) => readDayOrInstant('until', text, 0),
  },
} as const;

export const annotations = [
  defineOperation({
    ...{ method: 'GET', url, operationId: 'annotations' },
    role: 'analyst',
    isPinned: true,
    summary: 'List annotations',
    description:
      'By time. Members who see certain packages alone have those of these packages, and of the ' +
      'videos in them.',
    query: AnnotationListRequest,
    check: (some) => checkInstants(some, ['from', 'to']),
    answers: { 200: AnnotationList },
    run: async ({ accountId, catalog, query: { from, to, ...page } }) => {
      const span = { from: toDate(from), to: toDate(to) };
      const all = await catalog.annotations.list(accountId, span);
      return paginate(all.map(toRecord), page);
    },
    commands: [
      {
        words: 'annotation list',
        summary: 'List what was written beside the statistics of an account',
        options: {},
        show: ({ list }) => ({ json: { annotationList: list }, lines: list.map(describe) }),
      },
    ],
  }),

  defineOperation({
    ...{ method: 'POST', url, operationId: 'addAnnotation' },
    role: 'manager',
    summary: 'Write an annotation',
    description:
      'It stands in the charts of the dashboard at its time, and goes with its video or package. ' +
      `An account has at most ${countLimits.annotations}.`,
    body: AnnotationFields,
    answers: { 201: AnnotationRecord },
    faults: ['NOT_FOUND'],
    audit: ['ANNOTATION_CREATED'],
    run: async ({ accountId, catalog, body }) => {
      const { kind = 'note', text, packageId, accessKey } = body;
      const { at, until } = readTimes(body);
      assert(at, 'it was checked');
      const made = await catalog.annotations.create({
        ...{ accountId, kind, text, at, until },
        packageId: packageId ?? undefined,
        accessKey: accessKey ?? undefined,
      });
      return toRecord(accepted(made));
    },
    commands: [
      {
        words: 'annotation create',
        summary: 'Write what happened at a moment, or over a span of time, beside the statistics',
        options: {
          text: required('text', 'What happened', 'TEXT'),
          ...{ ...fields, at: { ...fields.at, required: true } },
          package: { ...optional('packageId', 'The package it is about', 'ID'), read: readId },
          'access-key': optional('accessKey', 'The video it is about', 'K'),
        },
        show: ({ annotationId }) => ({ json: { annotationId }, lines: [String(annotationId)] }),
      },
    ],
  }),

  defineOperation({
    ...{ ...one, method: 'GET', operationId: 'annotation' },
    role: 'analyst',
    isPinned: true,
    summary: 'Get an annotation',
    answers: { 200: AnnotationRecord },
    run: async ({ accountId, catalog, path }) =>
      toRecord(found(await catalog.annotations.find({ accountId, ...path }), 'NO_ANNOTATION')),
  }),

  defineOperation({
    ...{ ...one, method: 'PATCH', operationId: 'changeAnnotation' },
    role: 'manager',
    summary: 'Change an annotation',
    description: 'Omitted members stay as they are. What it is about stays the same.',
    body: AnnotationChanges,
    answers: { 200: AnnotationRecord },
    audit: ['ANNOTATION_CHANGED'],
    run: async ({ accountId, catalog, path, body }) => {
      const { kind, text } = body;
      const { at, until } = readTimes(body);
      const changed = await catalog.annotations.change(
        { accountId, ...path },
        {
          ...(kind !== undefined && { kind }),
          ...(text !== undefined && { text }),
          ...(at && { at }),
          ...('until' in body && { until }),
        },
      );
      return toRecord(accepted(changed));
    },
    commands: [
      {
        words: 'annotation change',
        summary: 'Change the text or the time of an annotation',
        options: {
          annotation: idOption,
          text: optional('text', 'What happened', 'TEXT'),
          ...fields,
        },
        show: ({ annotationId }) => ({
          json: { annotationId },
          lines: [`Changed annotation ${annotationId}`],
        }),
      },
    ],
  }),

  defineOperation({
    ...{ ...one, method: 'DELETE', operationId: 'deleteAnnotation' },
    role: 'manager',
    summary: 'Delete an annotation',
    answers: { 204: null },
    audit: ['ANNOTATION_DELETED'],
    run: async ({ accountId, catalog, path }) => {
      accepted(await catalog.annotations.delete({ accountId, ...path }));
      return path;
    },
    commands: [
      {
        words: 'annotation delete',
        summary: 'Delete an annotation',
        options: { annotation: idOption },
        show: ({ annotationId }) => ({
          json: { annotationId },
          lines: [`Deleted annotation ${annotationId}`],
        }),
      },
    ],
  }),
];

function readTimes({ at, until }: Pick<AnnotationChanges, 'at' | 'until'>) {
  requireInstants({ at, until }, ['at', 'until']);
  return { at: toDate(at), until: toDate(until) };
}

function describe({ annotationId, at, until, kind, text, packageId, accessKey }: AnnotationRecord) {
  const ofPackage = packageId === null ? 'account' : `package ${packageId}`;
  const target = accessKey === null ? ofPackage : `video ${accessKey}`;
  const time = until === null ? at : `${at} to ${until}`;
  return [annotationId, time, kind, target, text].join('\t');
}

function toRecord(annotation: Annotation): AnnotationRecord {
  const { annotationId, kind, text, at, until, packageId, accessKey } = annotation;
  const { createdAt, createdBy, createdByName } = annotation;
  return {
    ...{ annotationId, kind, text, at: at.toISOString(), until: until?.toISOString() ?? null },
    ...{ packageId: packageId ?? null, accessKey: accessKey ?? null },
    ...{ createdAt: createdAt.toISOString(), createdBy, createdByName },
  };
}
