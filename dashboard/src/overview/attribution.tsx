import { useSchema } from '../statistics.ts';
import type { Dimension } from './dimensions.ts';

/** Beside countries, whose database asks that its maker is named. */
export function Attribution({ dimension }: { readonly dimension: Dimension }) {
  const { data } = useSchema();
  const found = data?.dimensions.find(({ name }) => name === dimension.name);
  if (found?.attribution === undefined) return null;
  return (
    <p className="attribution" lang="en">
      {found.attribution}
    </p>
  );
}
