import type { CatalogMark } from '../../catalog/catalog.ts';

/** Why a catalog does not go with facts that were taken at this mark; undefined if it does. */
export function whyUnfit(mark: CatalogMark, found: CatalogMark): string | undefined {
  if (found.beganAtMs !== mark.beganAtMs) return 'it is another catalog';
  const counts = ['accounts', 'packages', 'videos', 'publications', 'changes'] as const;
  const behind = counts.find((name) => found[name] < mark[name]);
  return behind && `it is older than the backup: it lacks ${behind}`;
}
