import { useState } from 'react';
import type { Package, Publication } from '../../../client/src/index.ts';
import { EmbedCode } from '../frame/embed-code.tsx';
import { ErrorNote } from '../frame/error-note.tsx';
import { Link } from '../frame/link.tsx';
import { Loading } from '../frame/loading.tsx';
import { usePackageSearch } from '../frame/package-search.tsx';
import { useChange } from '../frame/use-change.ts';
import { useReader } from '../language.tsx';
import { FirstPlay } from '../overview/first-play.tsx';
import { server } from '../server.ts';
import { usePackages, usePublications } from '../whole-lists.ts';

/** The packages that a video is in, and those that it may be put into. */
export function Publications({ accessKey }: { readonly accessKey: string }) {
  const { t } = useReader();
  const packages = usePackages();
  const publications = usePublications(accessKey);
  // Those that the video is in come first.
  const isIn = ({ packageId }: Package) =>
    publications.data?.some((one) => one.packageId === packageId) ?? false;
  const all = packages.data ?? [];
  const { shown, field } = usePackageSearch([
    ...all.filter(isIn),
    ...all.filter((one) => !isIn(one)),
  ]);
  const error = packages.error ?? publications.error;
  if (!packages.data || !publications.data) {
    return error ? <ErrorNote error={error} /> : <Loading />;
  }
  return (
    <section className="publications" aria-label={t('video.packages')}>
      <h3>{t('video.packages')}</h3>
      {packages.data.length === 0 && (
        <p>
          {t('video.noPackage')} <Link href="/settings/packages">{t('settings.packages')}</Link>
        </p>
      )}
      {field}
      {shown.map((one) => (
        <InPackage
          key={one.packageId}
          accessKey={accessKey}
          inPackage={one}
          publication={publications.data.find(({ packageId }) => packageId === one.packageId)}
        />
      ))}
      {publications.data.length > 0 && <FirstPlay accessKey={accessKey} />}
    </section>
  );
}

interface InPackageProps {
  readonly accessKey: string;
  readonly inPackage: Package;
  readonly publication: Publication | undefined;
}

function InPackage({ accessKey, inPackage, publication }: InPackageProps) {
  const { t } = useReader();
  const { packageId, packageName } = inPackage;
  /** What was chosen last, until the server's word on it is read. */
  const [chosen, setChosen] = useState<boolean>();
  const { mutate, isPending, error } = useChange(
    async (isIn: boolean) => {
      if (isIn) await server.manage.publish(packageId, accessKey);
      else await server.manage.retire(packageId, accessKey);
    },
    ...['publications', 'first-video-key', 'film', 'videos'],
  );
  return (
    <div>
      <label className="check">
        <input
          type="checkbox"
          checked={chosen ?? publication !== undefined}
          aria-disabled={isPending || undefined}
          onChange={({ target }) => {
            if (isPending) return;
            setChosen(target.checked);
            mutate(target.checked, { onSettled: () => setChosen(undefined) });
          }}
        />
        {packageName}
      </label>
      {error && <ErrorNote error={error} />}
      {publication && (
        <>
          <EmbedCode videoKey={publication.videoKey} name={packageName} />
          <a
            href={`/watch/${publication.videoKey}`}
            aria-label={t('action.of', { action: t('guide.watch'), name: packageName })}
          >
            {t('guide.watch')}
          </a>
        </>
      )}
    </div>
  );
}
