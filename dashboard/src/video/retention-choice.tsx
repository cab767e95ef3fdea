import { useState } from 'react';
import { Choice } from '../frame/choice.tsx';
import { usePerson } from '../frame/person.tsx';
import { useReader } from '../language.tsx';
import { useView } from '../statistics.ts';
import { againstVideo, type RetentionSides } from './retention-sides.ts';
import { VideoSearch } from './video-search.tsx';

interface RetentionChoiceProps {
  readonly accessKey: string;
  readonly sides: RetentionSides;
}

/** In the list of choices: to search for one. */
const anotherVideo = 'another';

/** Of which package the curve is, and what it is compared with. */
export function RetentionChoice({ accessKey, sides }: RetentionChoiceProps) {
  const { t } = useReader();
  const { change } = useView();
  const { scopes } = usePerson();
  const { packages, ofPackage, against, otherVideo, other } = sides;
  const [isSearching, setSearching] = useState(false);
  const choose = (value: string) => {
    setSearching(value === anotherVideo);
    if (value !== anotherVideo) change({ against: value });
  };
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
        value={isSearching ? anotherVideo : against}
        options={[
          { value: '', name: t('compare.none') },
          { value: 'weekdays', name: t('compare.weekdays') },
          { value: 'previous', name: t('compare.previous') },
          { value: 'year', name: t('compare.year') },
          ...(packages.length > 1 ? named.filter(({ value }) => value !== ofPackage) : []),
          ...(otherVideo === undefined ? [] : [{ value: against, name: other?.name ?? '' }]),
          ...(scopes.includes('manage')
            ? [{ value: anotherVideo, name: t('retention.otherVideo') }]
            : []),
        ]}
        onChoose={choose}
      />
      {isSearching && (
        <VideoSearch except={accessKey} onChoose={(key) => choose(againstVideo(key))} />
      )}
    </>
  );
}
