import { lazy, Suspense } from 'react';
import { usePerson } from '../frame/person.tsx';
import { useView } from '../statistics.ts';

const ViewersPanel = lazy(() => import('./viewers-panel.tsx'));

/** Of a video; without one, of the package that the page is filtered by, if it is one. */
export function Viewers({ accessKey }: { readonly accessKey?: string }) {
  const { scopes, shared } = usePerson();
  const { view } = useView();
  const filter = view.filters.find(({ name, operator }) => name === 'package' && operator === '==');
  const [only, ...others] = filter?.values ?? [];
  const isOne = accessKey === undefined && others.length === 0 && only !== undefined;
  const packageId = isOne ? Number(only) : undefined;
  if (shared || !scopes.includes('manage')) return null;
  if (accessKey === undefined && !Number.isSafeInteger(packageId)) return null;
  return (
    <Suspense fallback={null}>
      <ViewersPanel key={accessKey ?? packageId} {...{ accessKey, packageId }} />
    </Suspense>
  );
}
