import type { Dimension } from '../filters/dimensions.ts';
import { useSchema } from '../statistics.ts';

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
