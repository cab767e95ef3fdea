/** What the service sees of this request: wrong headers of proxies are the commonest mistake. */
import { useQuery } from '@tanstack/react-query';
import { ErrorNote } from '../frame/error-note.tsx';
import { useReader } from '../language.tsx';
import { server } from '../server.ts';

export function WhereFrom() {
  const { t, formats } = useReader();
  const { data, error, refetch } = useQuery({
    queryKey: ['me'],
    queryFn: ({ signal }) => server.manage.me({ signal }),
  });
  if (error && !data) return <ErrorNote error={error} retry={refetch} />;
  if (data === undefined) return null;
  const { address, addressBy, connection, isTrustedProxy, ignoredHeaders, country } = data;
  return (
    <section className="panel fields" aria-label={t('me.title')}>
      <h2>{t('me.title')}</h2>
      <dl>
        <dt>{t('me.address')}</dt>
        <dd>
          <code>{address}</code>{' '}
          {t(`me.by.${addressBy === 'connection' ? 'connection' : 'header'}`)}
        </dd>
        <dt>{t('me.country')}</dt>
        <dd>{country === null ? t('value.unknown') : formats.country(country)}</dd>
        <dt>{t('me.connection')}</dt>
        <dd>
          <code>{connection}</code> {t(isTrustedProxy ? 'me.trusted' : 'me.untrusted')}
        </dd>
      </dl>
      {ignoredHeaders.length > 0 && (
        <p className="note bad">{t('me.ignored', { headers: ignoredHeaders.join(', ') })}</p>
      )}
      {data.attribution !== null && (
        <p className="quiet" lang="en">
          {data.attribution}
        </p>
      )}
    </section>
  );
}
