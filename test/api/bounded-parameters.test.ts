/** Whatever a request can bring has a bound, in routes that are added later as well. */
import { describe, expect, test } from 'vitest';
import { listRoutes } from '../../src/http/app.ts';

/**
 * Texts and lists without a bound of their own, and what bounds them. Whoever adds one here knows
 * that nothing is looked up by it more than once.
 */
const boundedOtherwise: Readonly<Record<string, string>> = {
  'body text/plain': 'the bytes of a body; read as what is described beside it',
  'body application/cmcd': 'the bytes of a body, the number of lines and the length of each',
  'body application/octet-stream': 'as application/cmcd',
  'body application/json/beacons/*/page': 'the bytes of a body; cut to what is kept',
  'body application/json/beacons/*/referrer': 'the bytes of a body; cut to what is kept',
  'body application/json/beacons/*/labels/*': 'the bytes of a body; longer ones are left out',
  'path videoKey': 'the bytes of a request line; looked up once',
  'query data': 'the bytes of a request line; never read',
};

interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly readOnly?: boolean;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
}

/** The places in a message at which there may be any number of characters or items. */
function unboundedIn(schema: Schema, place: string): string[] {
  const { type, anyOf = [], items, properties = {}, patternProperties = {} } = schema;
  // What is only answered is ignored.
  if (schema.readOnly) return [];
  const { additionalProperties: others } = schema;
  const named = Object.entries(properties);
  const further = Object.values(patternProperties);
  if (typeof others === 'object') further.push(others);
  const isUnbounded =
    (type === 'string' && !isBoundedText(schema)) ||
    (type === 'array' && schema.maxItems === undefined) ||
    (further.length > 0 && schema.maxProperties === undefined);
  return [
    ...(isUnbounded ? [place] : []),
    ...anyOf.flatMap((one) => unboundedIn(one, place)),
    ...(items ? unboundedIn(items, `${place}/*`) : []),
    ...named.flatMap(([name, one]) => unboundedIn(one, `${place}/${name}`)),
    ...further.flatMap((one) => unboundedIn(one, `${place}/*`)),
  ];
}

function isBoundedText({ maxLength, format, pattern, ...schema }: Schema): boolean {
  if (maxLength !== undefined || schema.enum !== undefined || 'const' in schema) return true;
  if (format === 'date' || format === 'date-time') return true;
  // Whole, and no part of it repeats without an end.
  return pattern !== undefined && /^\^.*\$$/.test(pattern) && !/[*+](?![^[]*\])|,\}/.test(pattern);
}

function unboundedOf({ operation }: (typeof described)[number]): string[] {
  const { path, query, headers, body } = operation;
  const parameters = Object.entries({ path, query, header: headers }).flatMap(([where, schema]) =>
    Object.entries((schema as Schema | undefined)?.properties ?? {}).map(
      ([name, one]) => [`${where} ${name}`, one] as const,
    ),
  );
  const bodies = Object.entries(body ?? {}).map(
    ([type, schema]) => [`body ${type}`, schema as Schema] as const,
  );
  return [...parameters, ...bodies].flatMap(([place, schema]) => unboundedIn(schema, place));
}

const { described } = await listRoutes();

test.each(described)('$method $url takes nothing without a bound', (route) => {
  expect(unboundedOf(route).filter((place) => !(place in boundedOtherwise))).toEqual([]);
});

test('what is bounded otherwise is still there', () => {
  const found = new Set(described.flatMap(unboundedOf));
  expect(Object.keys(boundedOtherwise).filter((place) => !found.has(place))).toEqual([]);
});

describe('what has no bound is found', () => {
  test.each<[string, Schema, string[]]>([
    ['a text', { type: 'string' }, ['it']],
    ['a list', { type: 'array', items: { type: 'integer' } }, ['it']],
    ['a text in a list', { type: 'array', maxItems: 2, items: { type: 'string' } }, ['it/*']],
    ['names of members', { type: 'object', additionalProperties: { type: 'integer' } }, ['it']],
    ['a pattern of any length', { type: 'string', pattern: '^[a-z]+$' }, ['it']],
    ['a pattern with a length', { type: 'string', pattern: '^[a-z+]{1,9}$' }, []],
    ['one of several', { anyOf: [{ type: 'null' } as Schema, { type: 'string' }] }, ['it']],
  ])('%s', (_what, schema, places) => {
    expect(unboundedIn(schema, 'it')).toEqual(places);
  });
});
