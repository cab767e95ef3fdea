/** Proves that what was erased is gone, and erases it again if asked to. */
import type { Erasure } from '../catalog/catalog.ts';
import type { Upkeep } from './upkeep.ts';

export interface VerifiedErasures {
  /** Receipts that were looked at. */
  readonly checked: number;
  /** Those of which facts are stored. */
  readonly undone: readonly Erasure[];
}

export async function verifyErasures(
  { catalog, eraser }: Upkeep,
  accounts: readonly number[],
  repairs: boolean,
): Promise<VerifiedErasures> {
  const undone: Erasure[] = [];
  let checked = 0;
  for (const accountId of accounts) {
    const all = await catalog.erasures.list(accountId);
    checked += all.length;
    for (const erasure of await eraser.undone(catalog, accountId)) {
      if (repairs) await eraser.repeat(catalog, erasure.receipt);
      undone.push(erasure);
    }
  }
  return { checked, undone };
}
