/** /manage/v1/labels: the names under which beacons may report values of an account's own. */
import Type from 'typebox';
import { createList, named } from '../management-messages.ts';

export const labelForm = /^[A-Za-z][A-Za-z0-9_-]{0,31}$/;

const labelId = Type.Integer({
  description: 'Id of the label',
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  examples: [1],
});
const name = Type.String({
  pattern: labelForm.source,
  description: 'Its name in beacons, and in questions after `label.`',
  examples: ['course'],
});
const declaredAt = Type.String({
  description: 'Since when its values are collected',
  format: 'date-time',
  examples: ['2026-11-20T10:15:30.123Z'],
});

export const LabelRecord = Type.Object({ labelId, name, declaredAt }, named('Label'));
export const LabelFields = Type.Object({ name }, named('LabelFields'));
export const WholeLabel = Type.Object(
  {
    name,
    labelId: Type.Optional({ ...labelId, readOnly: true }),
    declaredAt: Type.Optional({ ...declaredAt, readOnly: true }),
  },
  named('WholeLabel'),
);
export const LabelList = createList('LabelList', LabelRecord);
