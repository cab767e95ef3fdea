import type { QuarantineReview } from '../../collect/abuse/quarantine-review.ts';
import { operator } from '../runner/with-catalog.ts';
import type { Parts } from '../verb.ts';

/** Opens the stores for one verb about suspects; the service may be running. */
export async function withSuspects<Value>(
  parts: Parts,
  use: (desk: Pick<QuarantineReview, 'catalog' | 'suspects'>) => Promise<Value>,
): Promise<Value> {
  const { catalog, suspects, close } = await parts.openSuspects();
  try {
    return await use({
      catalog: catalog.as(operator()),
      suspects,
    });
  } finally {
    await close();
  }
}
