import type { Label } from '../../catalog/catalog.ts';
import { accept, type Result, refuse } from '../../lib/result.ts';
import {
  type AudienceDimensionName,
  labelPrefix,
  type RecordedDimension,
  recordedDimensions,
} from '../../vocabulary/dimensions.ts';

/** The labels of an account: the number of each, which is that of its column. */
export type DeclaredLabels = ReadonlyMap<string, number>;

/** The labels that an account has declared, for its questions. */
export async function declaredLabels(
  labels: { list(accountId: number): Promise<readonly Pick<Label, 'name' | 'number'>[]> },
  accountId: number,
): Promise<DeclaredLabels> {
  const declared = await labels.list(accountId);
  return new Map(declared.map(({ name, number }) => [name, number]));
}

/** A refusal lists what there is. */
export function readDimension(
  name: string,
  labels: DeclaredLabels,
): Result<AudienceDimensionName, string> {
  if (recordedDimensions.includes(name as RecordedDimension)) {
    return accept(name as RecordedDimension);
  }
  const isDeclared = name.startsWith(labelPrefix) && labels.has(name.slice(labelPrefix.length));
  if (isDeclared) return accept(name as AudienceDimensionName);
  const declared = [...labels.keys()].map((label) => labelPrefix + label);
  const known = [...recordedDimensions, ...declared];
  return refuse(`has no dimension "${name}"; there are ${known.join(', ')}`);
}
