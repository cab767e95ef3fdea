import { type FormEvent, useId, useState } from 'react';
import type { Folder } from '../../../client/src/index.ts';
import { ActionButton } from '../frame/action-button.tsx';
import { ErrorNote } from '../frame/error-note.tsx';
import { Loading } from '../frame/loading.tsx';
import { usePackageSearch } from '../frame/package-search.tsx';
import { useChange } from '../frame/use-change.ts';
import { useReader } from '../language.tsx';
import { usePackages } from '../whole-lists.ts';
import {
  type KnownVideo,
  type Made,
  type NewVideo,
  type Place,
  type Published,
  publishVideo,
} from './new-video.ts';

interface PlaceStepProps {
  readonly video: NewVideo | KnownVideo;
  readonly folders: readonly Folder[];
  readonly folder: Folder | undefined;
  readonly made: Made;
  readonly onBack: (() => void) | undefined;
  readonly onPublish: (published: Published) => void;
}

/** What lists and figures know of videos, packages and plays. */
const changed = ['videos', 'folders', 'packages', 'publications', 'first-video-key', 'query'];

/** In which package, an old one or one that is made here; and in which folder if there are several. */
export function PlaceStep({ video, folders, folder, made, onBack, onPublish }: PlaceStepProps) {
  const { t } = useReader();
  const id = useId();
  const packages = usePackages();
  const { shown, field } = usePackageSearch(packages.data ?? []);
  const [chosen, setChosen] = useState<number | 'new'>();
  const [name, setName] = useState(t('add.package.usual'));
  const [folderId, setFolderId] = useState(folder?.folderId);
  const { mutateAsync, error, isPending } = useChange(
    (place: Place) => publishVideo(video, place, made),
    ...changed,
  );
  if (!packages.data) {
    return packages.error ? (
      <ErrorNote error={packages.error} retry={packages.refetch} />
    ) : (
      <Loading />
    );
  }
  const packageId = chosen ?? shown[0]?.packageId ?? 'new';
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const wanted = packageId === 'new' ? { packageName: name.trim() } : { packageId };
    const place = { folderId, folderName: t('add.folder.usual'), package: wanted };
    const published = await mutateAsync(place).catch(() => undefined);
    if (published) onPublish(published);
  };
  return (
    <form className="fields" onSubmit={(event) => void submit(event)}>
      <p className="quiet">{t('add.place.what')}</p>
      {field}
      <fieldset>
        <legend className="hidden">{t('add.place')}</legend>
        {shown.map((one) => (
          <label key={one.packageId} className="check">
            <input
              type="radio"
              name="package"
              checked={packageId === one.packageId}
              onChange={() => setChosen(one.packageId)}
            />
            <span dir="auto">{one.packageName}</span>
          </label>
        ))}
        {packages.data.length > 0 && (
          <label className="check">
            <input
              type="radio"
              name="package"
              checked={packageId === 'new'}
              onChange={() => setChosen('new')}
            />
            {t('packages.new')}
          </label>
        )}
      </fieldset>
      {packageId === 'new' && (
        <>
          <label htmlFor={`${id}-name`}>{t('add.package.name')}</label>
          <input
            id={`${id}-name`}
            required
            pattern=".*\S.*"
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        </>
      )}
      {!('isKnown' in video) && folders.length > 1 && (
        <>
          <label htmlFor={`${id}-folder`}>{t('video.folder')}</label>
          <select
            id={`${id}-folder`}
            value={folderId}
            onChange={({ target }) => setFolderId(Number(target.value))}
          >
            {folders.map((one) => (
              <option key={one.folderId} value={one.folderId}>
                {one.folderName}
              </option>
            ))}
          </select>
        </>
      )}
      {error && <ErrorNote error={error} />}
      <div className="actions">
        <ActionButton type="submit" className="primary" isBusy={isPending}>
          {t('isKnown' in video ? 'add.publish' : 'add.do')}
        </ActionButton>
        {onBack && (
          <ActionButton isOff={isPending} onClick={onBack}>
            {t('paging.back')}
          </ActionButton>
        )}
      </div>
    </form>
  );
}
