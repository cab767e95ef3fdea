import type { Package } from '../../../client/src/index.ts';
import { usePackageSearch } from '../frame/package-search.tsx';
import { useReader } from '../language.tsx';
import { usePackages } from '../whole-lists.ts';

interface ImportPackagesProps {
  readonly chosen: readonly number[];
  readonly onChoose: (packageIds: readonly number[]) => void;
}

/** The packages that imported videos are put into; nothing where there is none. */
export function ImportPackages({ chosen, onChoose }: ImportPackagesProps) {
  const { t } = useReader();
  const { data = [] } = usePackages();
  const isChosen = ({ packageId }: Package) => chosen.includes(packageId);
  const { shown, field } = usePackageSearch(data);
  if (data.length === 0) return null;
  // Those that are chosen stay in sight, whatever is searched.
  const others = data.filter((one) => isChosen(one) && !shown.includes(one));
  return (
    <fieldset className="into">
      <legend>{t('import.packages')}</legend>
      {field}
      {[...others, ...shown].map((one) => (
        <label key={one.packageId} className="check">
          <input
            type="checkbox"
            checked={isChosen(one)}
            onChange={({ target }) =>
              onChoose(
                target.checked
                  ? [...chosen, one.packageId]
                  : chosen.filter((packageId) => packageId !== one.packageId),
              )
            }
          />
          {one.packageName}
        </label>
      ))}
    </fieldset>
  );
}
