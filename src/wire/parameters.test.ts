import Type from 'typebox';
import { expect, test } from 'vitest';
import { checkParameters, readParameters } from './parameters.ts';

const count = Type.Integer({ minimum: 1, maximum: 9 });
const size = Type.Enum(['small', 'large']);
const schema = Type.Object({
  ...{ count, size, name: Type.String({ minLength: 1 }) },
  otherCount: Type.Optional({ ...count, description: 'Described otherwise' }),
  otherSize: Type.Optional({ ...size, description: 'Described otherwise' }),
});
const given = { count: '3', size: 'small', name: 'a' };

test('each parameter is read as its schema says, also where that was copied', () => {
  expect(
    readParameters(schema, { ...given, otherCount: '4', otherSize: 'large', more: '' }),
  ).toEqual({ ...given, count: 3, otherCount: 4, otherSize: 'large' });
  expect(() => readParameters(schema, { ...given, otherCount: 'x', otherSize: 'none' })).toThrow(
    expect.objectContaining({
      code: 'INVALID_PARAMETER',
      errors: [
        { parameter: 'otherCount', detail: 'must be a whole number from 1 to 9' },
        { parameter: 'otherSize', detail: 'must be one of small, large' },
      ],
    }),
  );
});

test('what is well-formed can be checked further, before every error is thrown', () => {
  const { some, errors, whole } = checkParameters(schema, { ...given, count: '0', size: ['a'] });
  expect(some).toEqual({ name: 'a' });
  errors.push({ parameter: 'name', detail: 'is taken' });
  expect(whole).toThrow(
    expect.objectContaining({
      errors: [
        { parameter: 'count', detail: 'must be a whole number from 1 to 9' },
        { parameter: 'size', detail: 'must be given once' },
        { parameter: 'name', detail: 'is taken' },
      ],
    }),
  );
});
