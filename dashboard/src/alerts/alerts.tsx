/** Alerts and reports: who is told of what, and what was sent. */
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Alert, Delivery, Report } from '../../../client/src/index.ts';
import { FilterText } from '../filters/filter-bar.tsx';
import { readFilters } from '../filters/filters.ts';
import { ActionButton } from '../frame/action-button.tsx';
import { ConfirmButton } from '../frame/confirm-button.tsx';
import { ErrorNote } from '../frame/error-note.tsx';
import { Loading } from '../frame/loading.tsx';
import { PanelHead } from '../frame/panel-head.tsx';
import { useMay } from '../frame/person.tsx';
import { RecordTable } from '../frame/record-table.tsx';
import { ShownOnce } from '../frame/shown-once.tsx';
import { useChange } from '../frame/use-change.ts';
import { useReader } from '../language.tsx';
import { type Measure, unitOf } from '../measures.ts';
import { server } from '../server.ts';
import { Deliveries } from './deliveries.tsx';
import { AlertForm, ReportForm } from './rule-form.tsx';

/** As many as an account may have. */
const all = { pageSize: 100 };
/** Undefined: a new one. */
type Opened = { readonly alert: Alert | undefined } | { readonly report: Report | undefined };

export function Alerts() {
  const { t } = useReader();
  const isManager = useMay('manager');
  const [opened, setOpened] = useState<Opened>();
  const [secret, setSecret] = useState<string | null>(null);
  const alerts = useQuery({
    queryKey: ['alerts'],
    queryFn: ({ signal }) => server.manage.alerts(all, { signal }),
  });
  const reports = useQuery({
    queryKey: ['reports'],
    queryFn: ({ signal }) => server.manage.reports(all, { signal }),
  });
  const channels = useQuery({
    queryKey: ['channels'],
    queryFn: ({ signal }) => server.manage.deliveryChannels({ signal }),
  });
  const parts = [alerts, reports, channels];
  const failed = parts.find(({ error, data }) => error && !data);
  if (failed) {
    const retry = () => Promise.all(parts.map(({ refetch }) => refetch()));
    return <ErrorNote error={failed.error} retry={retry} />;
  }
  if (!alerts.data || !reports.data || !channels.data) return <Loading />;
  const nameOf = ({ alertId, reportId }: Delivery) =>
    alertId === null
      ? reports.data.list.find((one) => one.reportId === reportId)?.name
      : alerts.data.list.find((one) => one.alertId === alertId)?.name;
  // Those of analysts go by mail alone.
  const mayAdd = isManager || channels.data.mail;
  const close = () => setOpened(undefined);
  const form = {
    canMail: channels.data.mail,
    onClose: close,
    onDone: (made: string | null) => {
      close();
      setSecret(made);
    },
  };
  return (
    <>
      {!channels.data.mail && (
        <p className="note">{t(isManager ? 'alerts.noMail' : 'alerts.noneByMail')}</p>
      )}
      <AlertTable alerts={alerts.data.list} onOpen={(alert) => setOpened({ alert })}>
        {mayAdd && (
          <button type="button" onClick={() => setOpened({ alert: undefined })}>
            {t('alerts.newAlert')}
          </button>
        )}
      </AlertTable>
      <ReportTable reports={reports.data.list} onOpen={(report) => setOpened({ report })}>
        {mayAdd && (
          <button type="button" onClick={() => setOpened({ report: undefined })}>
            {t('alerts.newReport')}
          </button>
        )}
      </ReportTable>
      {isManager && <Deliveries nameOf={nameOf} />}
      {opened && 'alert' in opened && <AlertForm of={opened.alert} {...form} />}
      {opened && 'report' in opened && <ReportForm of={opened.report} {...form} />}
      {secret !== null && (
        <ShownOnce title={t('alerts.secret')} secret={secret} onClose={() => setSecret(null)} />
      )}
    </>
  );
}

interface AlertTableProps {
  readonly alerts: readonly Alert[];
  readonly onOpen: (alert: Alert) => void;
  readonly children: ReactNode;
}

function AlertTable({ alerts, onOpen, children }: AlertTableProps) {
  const { t } = useReader();
  const describe = useCondition();
  const heads = ['name', 'when', 'to', 'state', 'actions'] as const;
  return (
    <section className="panel" aria-label={t('alerts.alerts')}>
      <PanelHead title={t('alerts.alerts')}>{children}</PanelHead>
      <RecordTable
        caption={t('alerts.alerts')}
        heads={heads.map((head) => t(`alerts.${head}`))}
        empty={t('alerts.none')}
        rows={alerts.map((alert) => ({
          key: alert.alertId,
          cells: [
            alert.name,
            <Filtered key="when" filters={alert.filters}>
              {describe(alert)}
            </Filtered>,
            <Receivers key="to" {...alert} />,
            alert.isPaused
              ? t('alerts.paused')
              : t(alert.isFiring ? 'alerts.firing' : 'alerts.quiet'),
            <RuleActions
              key="actions"
              name={alert.name}
              isPaused={alert.isPaused}
              reread="alerts"
              onEdit={() => onOpen(alert)}
              test={() => server.manage.testAlert(alert.alertId)}
              pause={(isPaused) => server.manage.changeAlert(alert.alertId, { isPaused })}
              remove={() => server.manage.deleteAlert(alert.alertId)}
            />,
          ],
        }))}
      />
    </section>
  );
}

interface ReportTableProps {
  readonly reports: readonly Report[];
  readonly onOpen: (report: Report) => void;
  readonly children: ReactNode;
}

function ReportTable({ reports, onOpen, children }: ReportTableProps) {
  const { t } = useReader();
  const heads = ['name', 'what', 'to', 'state', 'actions'] as const;
  const nameOf = (measure: string) => t(`measure.${measure as Measure}`);
  return (
    <section className="panel" aria-label={t('alerts.reports')}>
      <PanelHead title={t('alerts.reports')}>{children}</PanelHead>
      <RecordTable
        caption={t('alerts.reports')}
        heads={heads.map((head) => t(`alerts.${head}`))}
        empty={t('alerts.noReports')}
        rows={reports.map((report) => ({
          key: report.reportId,
          cells: [
            report.name,
            <Filtered key="what" filters={report.filters}>
              {`${t(`alerts.says.every.${report.every}`)}: `}
              {report.measures.split(',').map(nameOf).join(', ')}
            </Filtered>,
            <Receivers key="to" {...report} />,
            t(report.isPaused ? 'alerts.paused' : 'alerts.active'),
            <RuleActions
              key="actions"
              name={report.name}
              isPaused={report.isPaused}
              reread="reports"
              onEdit={() => onOpen(report)}
              test={() => server.manage.testReport(report.reportId)}
              pause={(isPaused) => server.manage.changeReport(report.reportId, { isPaused })}
              remove={() => server.manage.deleteReport(report.reportId)}
            />,
          ],
        }))}
      />
    </section>
  );
}

function Filtered({
  filters,
  children,
}: {
  readonly filters: string | null;
  readonly children: ReactNode;
}) {
  return (
    <>
      {children}
      {readFilters(filters ?? '').map((filter) => (
        <span key={JSON.stringify(filter)} className="tag">
          <FilterText filter={filter} />
        </span>
      ))}
    </>
  );
}

function Receivers({ url, mailTo }: Pick<Alert, 'url' | 'mailTo'>) {
  return [...(url === null ? [] : [url]), ...mailTo].map((one) => (
    <bdi key={one} className="subject" title={one}>
      {one}
    </bdi>
  ));
}

/** What an alert waits for, in words. */
function useCondition(): (alert: Alert) => string {
  const { t, formats } = useReader();
  return ({ kind, measure, per, above, below, percent, minutes }) => {
    if (kind === 'silence')
      return t('alerts.says.silence', { minutes: formats.number(minutes ?? 0) });
    const name = measure ?? 'plays';
    const values = { measure: t(`measure.${name}`), per: t(`alerts.says.${per ?? 'day'}`) };
    if (kind === 'drop') {
      return t('alerts.says.drop', { ...values, percent: formats.share((percent ?? 0) / 100) });
    }
    const limit = formats.measure(above ?? below, unitOf[name]);
    return t(above === null ? 'alerts.says.below' : 'alerts.says.above', { ...values, limit });
  };
}

interface RuleActionsProps {
  readonly name: string;
  readonly isPaused: boolean;
  readonly reread: 'alerts' | 'reports';
  readonly onEdit: () => void;
  readonly test: () => Promise<unknown>;
  readonly pause: (isPaused: boolean) => Promise<unknown>;
  readonly remove: () => Promise<unknown>;
}

function RuleActions(props: RuleActionsProps) {
  const { name, isPaused, reread, onEdit, test, pause, remove } = props;
  const { t } = useReader();
  const testing = useChange(test, 'deliveries', 'audit');
  const pausing = useChange(pause, reread, 'audit');
  const removing = useChange(remove, reread, 'deliveries', 'audit');
  const error = testing.error ?? pausing.error;
  const called = (action: string) => t('action.of', { action, name });
  const pauseText = t(isPaused ? 'alerts.resume' : 'alerts.pause');
  return (
    <>
      <span className="actions wrapping">
        <button
          type="button"
          className="plain"
          aria-label={called(t('alerts.edit'))}
          onClick={onEdit}
        >
          {t('alerts.edit')}
        </button>
        <ActionButton
          className="plain"
          isBusy={testing.isPending}
          aria-label={called(t('alerts.test'))}
          onClick={() => testing.mutate(undefined)}
        >
          {t('alerts.test')}
        </ActionButton>
        <ActionButton
          className="plain"
          isBusy={pausing.isPending}
          aria-label={called(pauseText)}
          onClick={() => pausing.mutate(!isPaused)}
        >
          {pauseText}
        </ActionButton>
        <ConfirmButton
          of={name}
          question={t('alerts.delete.what')}
          act={() => removing.mutateAsync(undefined)}
        >
          {t('form.delete')}
        </ConfirmButton>
      </span>
      <span role="status" className="tag">
        {testing.isSuccess ? t('alerts.tested') : ''}
      </span>
      {error !== null && <ErrorNote error={error} />}
    </>
  );
}
