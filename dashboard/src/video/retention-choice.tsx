import { Choice } from '../frame/choice.tsx';
import { useReader } from '../language.tsx';
import { useView } from '../statistics.ts';
import type { RetentionSides } from './retention-sides.ts';

/** Of which package the curve is, and what it is compared with. */
export function RetentionChoice({ sides }: { readonly sides: RetentionSides }) {
  const { t } = useReader();
  const { change } = useView();
  const { packages, ofPackage, against } = sides;
  const named = packages.map(({ packageId, name }) => ({ value: String(packageId), name }));
  return (
    <>
      {packages.length > 1 && (
        <Choice
          label={t('retention.package')}
          value={ofPackage}
          options={[{ value: '', name: t('retention.allPackages') }, ...named]}
          onChoose={(value) => change({ package: value })}
        />
      )}
      <Choice
        label={t('retention.against')}
        value={against}
        options={[
          { value: '', name: t('compare.none') },
          { value: 'weekdays', name: t('compare.weekdays') },
          { value: 'previous', name: t('compare.previous') },
          { value: 'year', name: t('compare.year') },
          ...(packages.length > 1 ? named.filter(({ value }) => value !== ofPackage) : []),
        ]}
        onChoose={(value) => change({ against: value })}
      />
    </>
  );
}
