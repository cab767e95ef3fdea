import type { Package } from '../../../client/src/index.ts';
import { usePackages } from '../whole-lists.ts';
import { usePackageSearch } from './package-search.tsx';

interface PackageChoiceProps {
  readonly legend: string;
  readonly chosen: readonly number[];
  readonly onChoose: (packageIds: readonly number[]) => void;
}

/** Any of the account's packages; nothing where there is none. */
export function PackageChoice({ legend, chosen, onChoose }: PackageChoiceProps) {
  const { data = [] } = usePackages();
  const isChosen = ({ packageId }: Package) => chosen.includes(packageId);
  const { shown, field } = usePackageSearch(data);
  if (data.length === 0) return null;
  // Those that are chosen stay in sight, whatever is searched.
  const others = data.filter((one) => isChosen(one) && !shown.includes(one));
  return (
    <fieldset className="into">
      <legend>{legend}</legend>
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
