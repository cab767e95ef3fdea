/** Where a person is signed in, and how they end it. */
import type { SessionRecord } from '../../../client/src/index.ts';
import { ConfirmButton } from '../frame/confirm-button.tsx';
import { ErrorNote } from '../frame/error-note.tsx';
import { Loading } from '../frame/loading.tsx';
import { PanelHead } from '../frame/panel-head.tsx';
import { usePerson } from '../frame/person.tsx';
import { RecordTable } from '../frame/record-table.tsx';
import { useChange } from '../frame/use-change.ts';
import { useReader } from '../language.tsx';
import { server } from '../server.ts';
import { useWholeList } from '../whole-lists.ts';

export function Sessions() {
  const { t, formats } = useReader();
  const { timeZone } = usePerson();
  const { data, error, refetch } = useWholeList('own-sessions', server.manage.ownSessions);
  const end = useChange(async (ids: readonly number[]) => {
    for (const id of ids) await server.manage.endOwnSession(id);
  }, 'own-sessions');
  if (error && !data) return <ErrorNote error={error} retry={refetch} />;
  const others = (data ?? []).filter(({ isThis }) => !isThis).map(({ sessionId }) => sessionId);
  const placeOf = ({ address, country }: SessionRecord) =>
    country === null ? address : `${formats.country(country)} (${address})`;
  const heads = ['device', 'place', 'used', 'since', 'actions'] as const;
  return (
    <section className="panel" aria-label={t('me.sessions')}>
      <PanelHead title={t('me.sessions')}>
        {others.length > 0 && (
          <ConfirmButton question={t('sessions.others.what')} act={() => end.mutateAsync(others)}>
            {t('sessions.others')}
          </ConfirmButton>
        )}
      </PanelHead>
      {data === undefined && <Loading />}
      {data && (
        <RecordTable
          caption={t('me.sessions')}
          heads={heads.map((head) => t(`sessions.${head}`))}
          empty=""
          rows={data.map((session) => ({
            key: session.sessionId,
            cells: [
              <span key="device">
                {session.device === 'Unknown' ? t('value.unknown') : session.device}
                {session.isThis && <span className="tag">{t('sessions.this')}</span>}
              </span>,
              placeOf(session),
              formats.instant(session.usedAt, timeZone),
              formats.instant(session.createdAt, timeZone),
              session.isThis ? (
                ''
              ) : (
                <ConfirmButton
                  key="end"
                  of={`${session.device} (${session.sessionId})`}
                  question={t('sessions.end.what')}
                  act={() => end.mutateAsync([session.sessionId])}
                >
                  {t('sessions.end')}
                </ConfirmButton>
              ),
            ],
          }))}
        />
      )}
    </section>
  );
}
