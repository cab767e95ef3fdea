import Type from 'typebox';
import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { checkParameters, parseQuery, readParameters } from './parameters.ts';

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

test('an empty optional parameter is as if absent, a required one is not', () => {
  const limit = Type.Integer({ minimum: 1, default: 30 });
  const withDefault = Type.Object({ ...schema.properties, limit });
  const sent = { ...given, otherCount: '', otherSize: '', limit: '' };
  expect(readParameters(withDefault, sent)).toEqual({ ...given, count: 3, limit: 30 });
  expect(() => readParameters(schema, { ...given, name: '' })).toThrow(
    expect.objectContaining({ errors: [{ parameter: 'name', detail: 'must not be empty' }] }),
  );
  expect(
    checkParameters(withDefault, sent, 'refused').errors.map((error) => error.parameter),
  ).toEqual(['otherCount', 'otherSize', 'limit']);
});

const badlyEncoded = 'is not percent-encoded UTF-8: write % as %25';

test.each([
  ['name=100%', badlyEncoded],
  ['name=%zz', badlyEncoded],
  ['name=a+%E', badlyEncoded],
  ['name=%FF', badlyEncoded],
  ['name=%ED%A0%80', badlyEncoded],
  ['name=%zz&name=a', 'must be given once'],
])('%s %s', (text, detail) => {
  const query = { ...parseQuery(text), count: '1', size: 'small' };
  expect(() => readParameters(schema, query)).toThrow(
    expect.objectContaining({ errors: [{ parameter: 'name', detail }] }),
  );
});

test('a text may have as many characters as its schema says, and each of them counts once', () => {
  const short = Type.Object({ name: Type.String({ maxLength: 2 }) });
  for (const name of ['ab', '한국', '😀😀', '한😀']) {
    expect(readParameters(short, parseQuery(`name=${encodeURIComponent(name)}`))).toEqual({ name });
    expect(Value.Check(short, { name })).toBe(true);
  }
  for (const name of ['abc', '한국어', '😀😀😀', 'a😀b', '😀😀😀😀😀']) {
    const detail = 'must not be longer than 2 characters';
    expect(() => readParameters(short, { name })).toThrow(
      expect.objectContaining({ errors: [{ parameter: 'name', detail }] }),
    );
    expect(Value.Check(short, { name })).toBe(false);
  }
});

test('what is not asked for may be encoded as it likes', () => {
  const query = parseQuery('count=1&size=small&name=a+b%20%25zz=%ED%95%9C&more=%zz&%zz=1');
  expect(readParameters(schema, query)).toEqual({ count: 1, size: 'small', name: 'a b %zz=한' });
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
