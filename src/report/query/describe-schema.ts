/** Every measure and dimension that an account can ask for, and since when it is collected. */
import type { Catalog } from '../../catalog/catalog.ts';
import { type FactReader, tables } from '../../facts/facts.ts';
import {
  type AudienceDimensionName,
  type AudienceMeasureName,
  audienceDimension,
  audienceMeasure,
  audienceMeasureNames,
  labelPrefix,
  recordedDimensions,
} from '../../wire/audience.ts';
import type { QuerySchema } from '../../wire/audience-messages.ts';
import { countryAttribution } from '../../wire/country-attribution.ts';

/** The labels of an account, and when each was declared (ms). */
export type LabelTimes = ReadonlyMap<string, number>;

interface Sources {
  readonly facts: Pick<FactReader, 'readMany'>;
  readonly catalog: { readonly accounts: Pick<Catalog['accounts'], 'createdAt'> };
}

/** The migration since which facts know more than plays, time, video and system. */
const audienceMigration = '0008-audience';

/** What facts have always known. */
const everKnown: ReadonlySet<AudienceMeasureName | AudienceDimensionName> = new Set([
  ...(['plays', 'playMs', 'averagePlayMs', 'views', 'os', 'osVersion'] as const),
]);

export async function describeSchema(
  accountId: number,
  labels: LabelTimes,
  { facts, catalog }: Sources,
): Promise<QuerySchema> {
  const createdMs = (await catalog.accounts.createdAt(accountId))?.getTime() ?? 0;
  const [migrated] = await facts.readMany<{ atMs: number }>({
    name: 'since when facts know the audience',
    sql: `SELECT toUnixTimestamp64Milli(min(at)) AS atMs FROM ${tables.migration.name}
      WHERE name = {name:String}`,
    parameters: { name: audienceMigration },
  });
  const audienceMs = Math.max(createdMs, migrated?.atMs ?? 0);
  const sinceOf = (name: AudienceMeasureName | AudienceDimensionName, kind?: string) => {
    const isKnown = everKnown.has(name) || kind === 'time' || kind === 'content';
    return new Date(isKnown ? createdMs : audienceMs).toISOString();
  };
  return {
    measures: audienceMeasureNames.map((name) => {
      const { unit, definition, additive } = audienceMeasure(name);
      return { name, unit, definition, additive, since: sinceOf(name) };
    }),
    dimensions: [
      ...recordedDimensions.map((name) => ({
        ...described(name),
        since: sinceOf(name, audienceDimension(name).kind),
      })),
      ...[...labels].map(([label, declaredMs]) => ({
        ...described(`${labelPrefix}${label}`),
        since: new Date(Math.max(declaredMs, audienceMs)).toISOString(),
      })),
    ],
  };
}

function described(name: AudienceDimensionName) {
  const { kind, definition, values, askedWith } = audienceDimension(name);
  const { text, url, licence } = countryAttribution;
  return {
    name,
    unit: '',
    kind,
    definition,
    additive: false as const,
    ...(values && { values: [...values] }),
    ...(askedWith && { askedWith }),
    ...(name === 'country' && { attribution: `${text} (${url}), ${licence}` }),
  };
}
