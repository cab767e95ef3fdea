import type { SuspectDesk } from '../collect/unusual/suspect-desk.ts';
import type { Parts } from './verb.ts';
import { operator } from './with-catalog.ts';

/** Opens the stores for one verb about suspects; the service may be running. */
export async function withSuspects<Value>(
  parts: Parts,
  use: (desk: Pick<SuspectDesk, 'catalog' | 'suspects'>) => Promise<Value>,
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
