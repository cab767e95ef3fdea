/** What was sent, to whom, and what became of it. */
import { useQuery } from '@tanstack/react-query';
import type { Delivery } from '../../../client/src/index.ts';
import { ActionButton } from '../frame/action-button.tsx';
import { TableCsvButton } from '../frame/csv-button.tsx';
import { ErrorNote } from '../frame/error-note.tsx';
import { Loading } from '../frame/loading.tsx';
import { PanelHead } from '../frame/panel-head.tsx';
import { usePerson } from '../frame/person.tsx';
import { RecordTable } from '../frame/record-table.tsx';
import { tableOf } from '../frame/table-csv.ts';
import { useChange } from '../frame/use-change.ts';
import { type MessageName, useReader } from '../language.tsx';
import { server } from '../server.ts';

const shownRows = 50;
const waitingMs = 3_000;
const csvHeads = [
  ...(['deliveryId', 'messageId', 'alertId', 'reportId', 'channel', 'receiver', 'type'] as const),
  ...(['state', 'attempts', 'createdAt', 'attemptedAt', 'nextAttemptAt'] as const),
  ...(['status', 'error'] as const),
] as const;

interface DeliveriesProps {
  /** Undefined if it was deleted. */
  readonly nameOf: (delivery: Delivery) => string | undefined;
}

const typeNames: Readonly<Record<Delivery['type'], MessageName>> = {
  'alert.firing': 'message.alert.firing',
  'alert.resolved': 'message.alert.resolved',
  'alert.test': 'message.alert.test',
  'report.ready': 'message.report.ready',
};

export function Deliveries({ nameOf }: DeliveriesProps) {
  const { t, formats } = useReader();
  const { timeZone } = usePerson();
  const { data, error, refetch } = useQuery({
    queryKey: ['deliveries'],
    queryFn: ({ signal }) => server.manage.deliveries({ pageSize: shownRows }, { signal }),
    refetchInterval: ({ state }) =>
      state.data?.list.some((one) => one.state === 'waiting') && waitingMs,
  });
  const again = useChange((id: number) => server.manage.replayDelivery(id), 'deliveries', 'audit');
  if (error && !data) return <ErrorNote error={error} retry={refetch} />;
  const at = (instant: string | null) =>
    instant === null ? '' : formats.instant(instant, timeZone);
  const outcomeOf = ({ state, attemptedAt, nextAttemptAt }: Delivery) => {
    if (state === 'delivered') return t('deliveries.delivered', { time: at(attemptedAt) });
    if (state === 'failed') return t('deliveries.failed');
    return t('deliveries.waiting', { time: at(nextAttemptAt) });
  };
  const heads = ['at', 'of', 'type', 'to', 'state', 'actions'] as const;
  return (
    <section className="panel" aria-label={t('deliveries.title')}>
      <PanelHead title={t('deliveries.title')}>
        <TableCsvButton
          name="deliveries"
          table={async () =>
            tableOf((await server.manage.deliveries({ pageSize: 1_000 })).list, csvHeads)
          }
        />
      </PanelHead>
      {again.error !== null && <ErrorNote error={again.error} />}
      {data === undefined && <Loading />}
      {data && (
        <RecordTable
          caption={t('deliveries.title')}
          heads={heads.map((head) => t(`deliveries.${head}`))}
          empty={t('deliveries.none')}
          rows={data.list.map((one) => ({
            key: one.deliveryId,
            cells: [
              at(one.createdAt),
              nameOf(one) ?? t('deliveries.deleted'),
              t(typeNames[one.type]),
              <bdi key="to" className="subject" title={one.receiver}>
                {one.receiver}
              </bdi>,
              <span key="state">
                {outcomeOf(one)}
                {one.error !== null && (
                  <span className="tag">
                    <span lang="en">{one.error}</span>,{' '}
                    {t('deliveries.attempts', { count: formats.number(one.attempts) })}
                  </span>
                )}
              </span>,
              nameOf(one) === undefined ? (
                ''
              ) : (
                <ActionButton
                  key="again"
                  className="plain"
                  isBusy={again.isPending && again.variables === one.deliveryId}
                  aria-label={t('action.of', {
                    action: t('deliveries.again'),
                    name: `${nameOf(one)} (${one.deliveryId})`,
                  })}
                  onClick={() => again.mutate(one.deliveryId)}
                >
                  {t('deliveries.again')}
                </ActionButton>
              ),
            ],
          }))}
        />
      )}
    </section>
  );
}
