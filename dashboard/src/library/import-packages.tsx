import { useQuery } from '@tanstack/react-query';
import { useReader } from '../language.tsx';
import { server } from '../server.ts';

interface ImportPackagesProps {
  readonly chosen: readonly number[];
  readonly onChoose: (packageIds: readonly number[]) => void;
}

/** The packages that imported videos are put into; nothing where there is none. */
export function ImportPackages({ chosen, onChoose }: ImportPackagesProps) {
  const { t } = useReader();
  const { data } = useQuery({
    queryKey: ['packages'],
    queryFn: ({ signal }) => server.manage.packages({ pageSize: 1_000 }, { signal }),
  });
  if (data === undefined || data.list.length === 0) return null;
  return (
    <fieldset className="into">
      <legend>{t('import.packages')}</legend>
      {data.list.map(({ packageId, packageName }) => (
        <label key={packageId} className="check">
          <input
            type="checkbox"
            checked={chosen.includes(packageId)}
            onChange={({ target }) =>
              onChoose(
                target.checked ? [...chosen, packageId] : chosen.filter((one) => one !== packageId),
              )
            }
          />
          {packageName}
        </label>
      ))}
    </fieldset>
  );
}
