/** Every measure and dimension that an account can ask for, and since when it is collected. */
import type { Catalog } from '../../catalog/catalog.ts';
import { type FactReader, tables } from '../../store/facts.ts';
import type { CountrySource } from '../../vocabulary/country-source.ts';
import {
  type AudienceDimensionName,
  audienceDimension,
  labelPrefix,
  recordedDimensions,
} from '../../vocabulary/dimensions.ts';
import type { KnownSince } from '../../vocabulary/known-since.ts';
import { audienceMeasure, audienceMeasureNames } from '../../vocabulary/measures.ts';
import type { QuerySchema } from '../../wire/questions/audience-messages.ts';

/** The labels of an account, and when each was declared (ms). */
export type LabelTimes = ReadonlyMap<string, number>;

interface Sources {
  readonly facts: Pick<FactReader, 'readMany'>;
  readonly catalog: { readonly accounts: Pick<Catalog['accounts'], 'createdAt'> };
  readonly countrySource: CountrySource;
}

export async function describeSchema(
  accountId: number,
  labels: LabelTimes,
  { facts, catalog, countrySource }: Sources,
): Promise<QuerySchema> {
  const createdMs = (await catalog.accounts.createdAt(accountId))?.getTime() ?? 0;
  const applied = await readApplied(facts);
  const sinceOf = (since: KnownSince, atLeastMs = 0) =>
    new Date(Math.max(createdMs, atLeastMs, applied.get(since) ?? 0)).toISOString();
  const described = (name: AudienceDimensionName, declaredMs?: number) => {
    const { kind, definition, values, askedWith, since } = audienceDimension(name);
    return {
      name,
      unit: '',
      kind,
      definition,
      additive: false as const,
      ...(values && { values: [...values] }),
      ...(askedWith && { askedWith }),
      ...(name === 'country' && shownSource(countrySource)),
      since: sinceOf(since, declaredMs),
    };
  };
  return {
    measures: audienceMeasureNames.map((name) => {
      const { unit, definition, additive, since } = audienceMeasure(name);
      return { name, unit, definition, additive, since: sinceOf(since) };
    }),
    dimensions: [
      ...recordedDimensions.map((name) => described(name)),
      ...[...labels].map(([label, declaredMs]) => described(`${labelPrefix}${label}`, declaredMs)),
    ],
  };
}

function shownSource({ description, attribution }: CountrySource) {
  return { source: description, ...(attribution && { attribution }) };
}

/** When this store got each of the migrations that the records name (ms). */
async function readApplied(facts: Sources['facts']): Promise<ReadonlyMap<KnownSince, number>> {
  const all = [
    ...audienceMeasureNames.map((name) => audienceMeasure(name).since),
    ...recordedDimensions.map((name) => audienceDimension(name).since),
  ];
  const rows = await facts.readMany<{ name: KnownSince; atMs: number }>({
    name: 'since when facts know the audience',
    sql: `SELECT name, toUnixTimestamp64Milli(min(at)) AS atMs FROM ${tables.migration.name}
      WHERE name IN {names:Array(String)} GROUP BY name`,
    parameters: { names: [...new Set(all)] },
  });
  return new Map(rows.map(({ name, atMs }) => [name, atMs]));
}
