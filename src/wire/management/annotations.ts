/** /manage/v1/annotations: short texts at a moment or over a span of time. */
import Type, { type Static } from 'typebox';
import {
  annotationKindNames,
  annotationKinds,
  longestAnnotation,
} from '../../vocabulary/annotations.ts';
import { createList, instant, named, orNull, PageRequest } from '../management-messages.ts';
import { accessKeyParameter, packageIdParameter } from '../questions/question-parameters.ts';

const annotationId = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Id of the annotation',
  examples: [1],
});
const kind = Type.Enum(annotationKindNames, {
  description: annotationKindNames
    .map((name) => `\`${name}\`: ${annotationKinds[name]}`)
    .join('. '),
});
const text = Type.String({
  minLength: 1,
  maxLength: longestAnnotation,
  description: 'What happened, on one line',
  examples: ['Newsletter sent'],
});
const at = instant('When it happened, or began');
const ofUntil = 'When it ended; null: it is of one moment';
const ofPackage = 'The package that it is about; null: a video, or the whole account';
const ofVideo = 'The video that it is about; null: a package, or the whole account';

export const AnnotationRecord = Type.Object(
  {
    ...{ annotationId, kind, text, at },
    until: orNull(instant(ofUntil), ofUntil),
    packageId: orNull(packageIdParameter, ofPackage),
    accessKey: orNull(accessKeyParameter, ofVideo),
    createdAt: instant('When it was written'),
    createdBy: Type.String({ description: 'Who wrote it, as in the audit' }),
    createdByName: Type.String({
      description: 'The name of the key, the person or the system user',
    }),
  },
  named('Annotation'),
);
export type AnnotationRecord = Static<typeof AnnotationRecord>;

const until = Type.Optional(orNull(instant(ofUntil), `${ofUntil}. After \`at\``));
export const AnnotationFields = Type.Object(
  {
    kind: Type.Optional({ ...kind, default: 'note' }),
    ...{ text, at, until },
    packageId: Type.Optional(orNull(packageIdParameter, ofPackage)),
    accessKey: Type.Optional(orNull(accessKeyParameter, ofVideo)),
  },
  named('AnnotationFields'),
);
export const AnnotationChanges = Type.Object(
  {
    kind: Type.Optional(kind),
    text: Type.Optional(text),
    at: Type.Optional(at),
    until,
  },
  named('AnnotationChanges'),
);
export type AnnotationChanges = Static<typeof AnnotationChanges>;
export const AnnotationList = createList('AnnotationList', AnnotationRecord);
export const AnnotationListRequest = Type.Object({
  from: Type.Optional(instant('Only those that end after this instant')),
  to: Type.Optional(instant('Only those that begin before this instant')),
  ...PageRequest.properties,
});
