import { expect, test } from 'vitest';
import { audienceDimension, recordedDimensions } from '../../vocabulary/dimensions.ts';
import { audienceMeasure, audienceMeasureNames, isOfQuality } from '../../vocabulary/measures.ts';
import { describeSchema } from './schema-description.ts';

const created = Date.UTC(2026, 0, 1);
const declared = Date.UTC(2026, 2, 1);
const qualitySince = Date.UTC(2026, 1, 1);
const source = { description: 'a database', attribution: 'its makers' };
const text = (ms: number) => new Date(ms).toISOString();

interface Given {
  readonly createdMs?: number;
  readonly isKnown?: boolean;
  readonly countrySource?: { readonly description: string; readonly attribution?: string };
}

async function described({ createdMs = created, isKnown = true, countrySource = source }: Given) {
  const schema = await describeSchema(
    7,
    new Map([
      ['plan', declared],
      ['old', 1],
    ]),
    {
      facts: { keepsQualitySince: async () => qualitySince },
      catalog: { accounts: { createdAt: async () => (isKnown ? new Date(createdMs) : undefined) } },
      countrySource,
    },
  );
  const dimension = (name: string) => schema.dimensions.find((one) => one.name === name);
  return { schema, dimension };
}

test('every measure and dimension, and the labels of the account', async () => {
  const { schema } = await described({});
  expect(schema.measures.map(({ name }) => name)).toEqual(audienceMeasureNames);
  expect(schema.dimensions.map(({ name }) => name)).toEqual([
    ...recordedDimensions,
    'label.plan',
    'label.old',
  ]);
  const [plays] = schema.measures;
  const { unit, definition, additive } = audienceMeasure('plays');
  expect(plays).toEqual({ name: 'plays', unit, definition, additive, since: text(created) });
});

test('what a dimension is described by', async () => {
  const { dimension } = await described({});
  const shown = (name: 'osVersion' | 'weekday' | 'country') => {
    const { kind, definition } = audienceDimension(name);
    return { name, unit: '', kind, definition, additive: false };
  };
  const since = text(created);
  expect(dimension('weekday')).toEqual({
    ...{ ...shown('weekday'), since },
    values: ['1', '2', '3', '4', '5', '6', '7'],
  });
  expect(dimension('osVersion')).toEqual({ ...shown('osVersion'), askedWith: 'os', since });
  expect(dimension('country')).toEqual({
    ...{ ...shown('country'), since },
    ...{ source: 'a database', attribution: 'its makers' },
  });
  const other = await described({ countrySource: { description: 'GEO_HEADER' } });
  expect(other.dimension('country')).toMatchObject({ source: 'GEO_HEADER' });
  expect(other.dimension('country')).not.toHaveProperty('attribution');
});

test('since when: quality is kept, or the account was there after that', async () => {
  const sinceOf = ({ schema, dimension }: Awaited<ReturnType<typeof described>>) => [
    ...schema.measures.filter(({ name }) => isOfQuality(name)).map(({ since }) => since),
    ...['streamType', 'connection', 'mediaHost', 'error'].map((name) => dimension(name)?.since),
  ];
  expect(new Set(sinceOf(await described({})))).toEqual(new Set([text(qualitySince)]));
  const late = await described({ createdMs: declared });
  expect(new Set(sinceOf(late))).toEqual(new Set([text(declared)]));
});

test('since when: the account and the label were there', async () => {
  const { dimension } = await described({});
  expect(dimension('label.plan')?.since).toBe(text(declared));
  const late = await described({ createdMs: declared });
  expect(late.dimension('label.old')?.since).toBe(text(declared));
  const unknown = await described({ isKnown: false });
  expect(unknown.dimension('os')?.since).toBe(text(0));
});
