/**
 * Every measure and dimension that an account can ask for, and since when it is collected: since the
 * account was created; a label, since it was declared.
 */
import type { Catalog } from '../../catalog/catalog.ts';
import type { CountrySource } from '../../vocabulary/country-source.ts';
import {
  type AudienceDimensionName,
  audienceDimension,
  labelPrefix,
  recordedDimensions,
} from '../../vocabulary/dimensions.ts';
import { audienceMeasure, audienceMeasureNames } from '../../vocabulary/measures.ts';
import type { QuerySchema } from '../../wire/questions/audience-messages.ts';

/** The labels of an account, and when each was declared (ms). */
export type LabelTimes = ReadonlyMap<string, number>;

interface Sources {
  readonly catalog: { readonly accounts: Pick<Catalog['accounts'], 'createdAt'> };
  readonly countrySource: CountrySource;
}

export async function describeSchema(
  accountId: number,
  labels: LabelTimes,
  { catalog, countrySource }: Sources,
): Promise<QuerySchema> {
  const createdMs = (await catalog.accounts.createdAt(accountId))?.getTime() ?? 0;
  const since = new Date(createdMs).toISOString();
  const described = (name: AudienceDimensionName, declaredMs = 0) => {
    const { kind, definition, values, askedWith } = audienceDimension(name);
    return {
      name,
      unit: '',
      kind,
      definition,
      additive: false as const,
      ...(values && { values: [...values] }),
      ...(askedWith && { askedWith }),
      ...(name === 'country' && shownSource(countrySource)),
      since: new Date(Math.max(createdMs, declaredMs)).toISOString(),
    };
  };
  return {
    measures: audienceMeasureNames.map((name) => {
      const { unit, definition, additive } = audienceMeasure(name);
      return { name, unit, definition, additive, since };
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
