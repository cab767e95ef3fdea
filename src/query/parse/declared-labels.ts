import type { Label } from '../../catalog/catalog.ts';
import type { DeclaredLabels } from './dimension-parser.ts';

/** The labels that an account has declared, for its questions. */
export async function declaredLabels(
  labels: { list(accountId: number): Promise<readonly Pick<Label, 'name' | 'number'>[]> },
  accountId: number,
): Promise<DeclaredLabels> {
  const declared = await labels.list(accountId);
  return new Map(declared.map(({ name, number }) => [name, number]));
}
