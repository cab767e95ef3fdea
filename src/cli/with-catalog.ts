import type { Catalog } from '../catalog/catalog.ts';
import type { Parts } from './verb.ts';

/** Opens the catalog for the length of one verb; the service may be running meanwhile. */
export async function withCatalog<Value>(
  parts: Parts,
  use: (catalog: Catalog) => Promise<Value>,
): Promise<Value> {
  const catalog = await parts.openCatalog();
  try {
    return await use(catalog);
  } finally {
    await catalog.close();
  }
}
