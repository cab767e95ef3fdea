import { useState } from 'react';
import type { Package } from '../../../client/src/index.ts';
import { useReader } from '../language.tsx';
import { SearchField } from './search-field.tsx';

/** Of more packages, some are shown, and the others are searched. */
const shownPackages = 20;

/** Those that are shown, and what the reader searches the others with; nothing if all are. */
export function usePackageSearch(packages: readonly Package[]) {
  const { t, formats } = useReader();
  const [text, setText] = useState('');
  const wanted = text.trim().toLowerCase();
  const found = packages.filter(
    ({ packageId, packageName }) =>
      packageName.toLowerCase().includes(wanted) || String(packageId) === wanted,
  );
  const field = packages.length > shownPackages && (
    <p className="inline">
      <SearchField label={t('packages.search')} text={text} onChange={setText} />
      <span className="quiet" role="status">
        {t('packages.found', {
          shown: formats.number(Math.min(found.length, shownPackages)),
          count: formats.number(found.length),
        })}
      </span>
    </p>
  );
  return { shown: found.slice(0, shownPackages), field };
}
