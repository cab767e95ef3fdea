import { useQuery } from '@tanstack/react-query';
import { ActionButton } from '../frame/action-button.tsx';
import { ErrorNote } from '../frame/error-note.tsx';
import { PanelHead } from '../frame/panel-head.tsx';
import { usePerson } from '../frame/person.tsx';
import { RecordTable } from '../frame/record-table.tsx';
import { useReader } from '../language.tsx';
import { files } from '../server.ts';

const order = { error: 0, warning: 1, ok: 2 } as const;

/** What `playmeter doctor` finds, in its words; asked for only by a click, as it takes a while. */
export function Findings() {
  const { t, formats } = useReader();
  const { timeZone } = usePerson();
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['service-findings'],
    queryFn: ({ signal }) => files.manage.serviceFindings({ signal }),
    enabled: false,
  });
  const urgent = data?.findings.toSorted((one, other) => order[one.level] - order[other.level]);
  const levels = { ok: 'service.ok', warning: 'service.warning', error: 'service.error' } as const;
  return (
    <section className="panel" aria-label={t('service.findings')}>
      <PanelHead title={t('service.findings')}>
        <ActionButton isBusy={isFetching} onClick={() => void refetch()}>
          {t('service.examine')}
        </ActionButton>
      </PanelHead>
      <p className="quiet" role="status">
        {isFetching && t('service.examining')}
        {!isFetching && !data && t('service.findings.what')}
        {!isFetching && data && t('service.examined', { at: formats.instant(data.at, timeZone) })}
      </p>
      {error !== null && <ErrorNote error={error} />}
      {urgent && (
        <RecordTable
          caption={t('service.findings')}
          heads={[t('service.finding'), t('service.level')]}
          empty=""
          rows={urgent.map(({ level, what, do: todo }) => ({
            key: what,
            cells: [
              <span key="what" lang="en">
                {what}
                {todo !== '' && <span className="tag">{todo}</span>}
              </span>,
              <span key="level" className={level === 'error' ? 'wrong' : ''}>
                {t(levels[level])}
              </span>,
            ],
          }))}
        />
      )}
    </section>
  );
}
