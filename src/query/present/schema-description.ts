/**
 * Every measure and dimension that an account can ask for, and since when it is collected: since
 * the account was created; a label, since it was declared; quality, since the store keeps it.
 */
import type { Catalog } from '../../catalog/catalog.ts';
import type { FactReader } from '../../store/facts.ts';
import type { CountrySource } from '../../vocabulary/country-source.ts';
import {
  type AudienceDimensionName,
  audienceDimension,
  labelPrefix,
  recordedDimensions,
} from '../../vocabulary/dimensions.ts';
import { audienceMeasure, audienceMeasureNames, isOfQuality } from '../../vocabulary/measures.ts';
import type { QuerySchema } from '../../wire/questions/audience-messages.ts';

/** The labels of an account, and when each was declared (ms). */
export type LabelTimes = ReadonlyMap<string, number>;

interface Sources {
  readonly catalog: { readonly accounts: Pick<Catalog['accounts'], 'createdAt'> };
  readonly facts: Pick<FactReader, 'keepsQualitySince'>;
  readonly countrySource: CountrySource;
}

export async function describeSchema(
  accountId: number,
  labels: LabelTimes,
  { catalog, facts, countrySource }: Sources,
): Promise<QuerySchema> {
  const createdMs = (await catalog.accounts.createdAt(accountId))?.getTime() ?? 0;
  const qualityMs = await facts.keepsQualitySince();
  const since = (ms: number) => new Date(Math.max(createdMs, ms)).toISOString();
  const described = (name: AudienceDimensionName, declaredMs = 0) => {
    const { keptWithQuality, kind, definition, values, askedWith } = audienceDimension(name);
    return {
      name,
      unit: '',
      kind,
      definition,
      additive: false as const,
      ...(values && { values: [...values] }),
      ...(askedWith && { askedWith }),
      ...(name === 'country' && shownSource(countrySource)),
      since: since(keptWithQuality ? qualityMs : declaredMs),
    };
  };
  return {
    measures: audienceMeasureNames.map((name) => {
      const { unit, definition, additive } = audienceMeasure(name);
      return { name, unit, definition, additive, since: since(isOfQuality(name) ? qualityMs : 0) };
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
