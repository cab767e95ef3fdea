/** Proves that what was erased is gone, and erases it again if asked to. */
import type { Erasure } from '../../catalog/catalog.ts';
import type { MaintenanceContext } from '../maintenance-context.ts';

export interface VerifiedErasures {
  /** Receipts that were looked at. */
  readonly checked: number;
  /** Those of which something is stored. */
  readonly undone: readonly Erasure[];
}

export async function verifyErasures(
  { catalog, eraser }: MaintenanceContext,
  accountId: number | undefined,
  repairs: boolean,
): Promise<VerifiedErasures> {
  // Also accounts without facts and sums, which may have events.
  const { erasures } = await catalog.verdicts.current();
  const accounts = accountId === undefined ? (erasures?.accounts ?? []) : [accountId];
  const undone: Erasure[] = [];
  let checked = 0;
  for (const own of accounts) {
    const all = await catalog.erasures.list(own);
    checked += all.length;
    for (const erasure of await eraser.undone(catalog, own)) {
      if (repairs) await eraser.repeat(catalog, erasure.receipt);
      undone.push(erasure);
    }
  }
  return { checked, undone };
}
