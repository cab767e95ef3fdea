import { useQuery } from '@tanstack/react-query';
import type { Package, Publication } from '../../../client/src/index.ts';
import { EmbedCode } from '../frame/embed-code.tsx';
import { ErrorNote } from '../frame/error-note.tsx';
import { Link } from '../frame/link.tsx';
import { useChange } from '../frame/use-change.ts';
import { useReader } from '../language.tsx';
import { server } from '../server.ts';

/** The packages that a video is in, and those that it may be put into. */
export function Publications({ accessKey }: { readonly accessKey: string }) {
  const { t } = useReader();
  const packages = useQuery({
    queryKey: ['packages'],
    queryFn: ({ signal }) => server.manage.packages({ pageSize: 1_000 }, { signal }),
  });
  const publications = useQuery({
    queryKey: ['publications', accessKey],
    queryFn: ({ signal }) => server.manage.publicationsOf(accessKey, { signal }),
  });
  const error = packages.error ?? publications.error;
  if (error) return <ErrorNote error={error} />;
  if (!packages.data || !publications.data) return null;
  return (
    <section className="publications" aria-label={t('video.packages')}>
      <h3>{t('video.packages')}</h3>
      {packages.data.list.length === 0 && (
        <p>
          {t('video.noPackage')} <Link href="/settings/packages">{t('settings.packages')}</Link>
        </p>
      )}
      {packages.data.list.map((one) => (
        <InPackage
          key={one.packageId}
          accessKey={accessKey}
          inPackage={one}
          publication={publications.data.find(({ packageId }) => packageId === one.packageId)}
        />
      ))}
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
  const { mutate, variables, isPending, error } = useChange(
    async (isIn: boolean) => {
      if (isIn) await server.manage.publish(packageId, accessKey);
      else await server.manage.retire(packageId, accessKey);
    },
    ...['publications', 'first-video-key', 'film'],
  );
  return (
    <div>
      <label className="check">
        <input
          type="checkbox"
          checked={isPending ? variables : publication !== undefined}
          disabled={isPending}
          onChange={({ target }) => mutate(target.checked)}
        />
        {packageName}
      </label>
      {error && <ErrorNote error={error} />}
      {publication && (
        <>
          <EmbedCode videoKey={publication.videoKey} />
          <a href={`/watch/${publication.videoKey}`}>{t('guide.watch')}</a>
        </>
      )}
    </div>
  );
}
