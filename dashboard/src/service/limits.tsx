import { useQuery } from '@tanstack/react-query';
import { ErrorNote } from '../frame/error-note.tsx';
import { Loading } from '../frame/loading.tsx';
import { PanelHead } from '../frame/panel-head.tsx';
import { RecordTable } from '../frame/record-table.tsx';
import { useReader } from '../language.tsx';
import { server } from '../server.ts';

/** The limits of requests, and how often they were reached. */
export function Limits() {
  const { t, formats } = useReader();
  const { data, error, refetch } = useQuery({
    queryKey: ['service-limits'],
    queryFn: ({ signal }) => server.manage.serviceLimits({ signal }),
  });
  if (error && !data) return <ErrorNote error={error} retry={refetch} />;
  return (
    <>
      <section className="panel" aria-label={t('service.limits')}>
        <PanelHead title={t('service.limits')} />
        {data === undefined && <Loading />}
        {data && (
          <RecordTable
            caption={t('service.limits')}
            heads={[t('service.limit'), t('service.value'), t('service.setting')]}
            empty=""
            rows={data.settings.map(({ name, value }) => ({
              key: name,
              cells: [t(`limit.${name}`), formats.number(value), <code key="name">{name}</code>],
            }))}
          />
        )}
      </section>
      {data && (
        <section className="panel" aria-label={t('service.reached')}>
          <PanelHead title={t('service.reached')} />
          <RecordTable
            caption={t('service.reached')}
            heads={[t('service.limit'), t('service.requests')]}
            empty={t('service.notReached')}
            rows={data.reached.map(({ limit, requests }) => ({
              key: limit,
              cells: [
                <span key="limit" lang="en">
                  {limit}
                </span>,
                formats.number(requests),
              ],
            }))}
          />
        </section>
      )}
    </>
  );
}
