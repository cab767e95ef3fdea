import { useQuery } from '@tanstack/react-query';
import { ErrorNote } from '../frame/error-note.tsx';
import { Loading } from '../frame/loading.tsx';
import { PanelHead } from '../frame/panel-head.tsx';
import { RecordTable } from '../frame/record-table.tsx';
import { useReader } from '../language.tsx';
import { server } from '../server.ts';

const everyMs = 10_000;
const parts = ['catalog', 'statistics', 'collecting'] as const;

/** Of the node that answers. */
export function Health() {
  const { t } = useReader();
  const { data, error, refetch } = useQuery({
    queryKey: ['service-health'],
    queryFn: ({ signal }) => server.manage.serviceHealth({ signal }),
    refetchInterval: everyMs,
  });
  if (error && !data) return <ErrorNote error={error} retry={refetch} />;
  return (
    <section className="panel" aria-label={t('service.health')}>
      <PanelHead title={t('service.health')} />
      {data === undefined && <Loading />}
      {data && (
        <>
          <p className="quiet">{t('service.node', { version: data.version, role: data.role })}</p>
          <RecordTable
            caption={t('service.health')}
            heads={[t('service.part'), t('service.state')]}
            empty=""
            rows={parts.map((part) => ({
              key: part,
              cells: [
                t(`service.${part}`),
                data[part] === 'ok' ? (
                  t('service.ok')
                ) : (
                  <span key="why" className="wrong" lang="en">
                    {data[part]}
                  </span>
                ),
              ],
            }))}
          />
        </>
      )}
    </section>
  );
}
