import { expect, test } from 'vitest';
import { audienceDimension, audienceDimensions, recordedDimensions } from './dimensions.ts';
import { audienceMeasure, audienceMeasureNames } from './measures.ts';

test.each(audienceMeasureNames)('%s is null only where it divides', (name) => {
  const { nullable, definition } = audienceMeasure(name);
  expect(definition.includes('null')).toBe(nullable === true);
});

test.each(recordedDimensions)('the example of %s is one of its values', (name) => {
  const { example, values, order } = audienceDimension(name);
  expect(values ?? [example]).toContain(example);
  expect(typeof example).toBe(order === 'number' ? 'number' : 'string');
});

test('a label is a dimension of the audience', () => {
  expect(audienceDimension('label.plan')).toMatchObject({ kind: 'audience', order: 'text' });
  expect(Object.keys(audienceDimensions)).not.toContain('label.plan');
});
