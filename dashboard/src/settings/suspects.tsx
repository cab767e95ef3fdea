/** Playback that was set apart as unusual: whether it counts, the owner decides. */
import { useQuery } from '@tanstack/react-query';
import type { Suspect } from '../../../client/src/index.ts';
import { ErrorNote } from '../frame/error-note.tsx';
import { RecordTable } from '../frame/record-table.tsx';
import { useChange } from '../frame/use-change.ts';
import { useReader } from '../language.tsx';
import { server } from '../server.ts';
import { recentDays } from './recent-days.ts';

interface Decision {
  readonly suspect: string;
  readonly verdict: 'accepted' | 'refused';
}

export function Suspects() {
  const { t } = useReader();
  const { data, error, refetch } = useQuery({
    queryKey: ['suspects'],
    queryFn: ({ signal }) => server.manage.suspects(recentDays(), { signal }),
  });
  const decide = useChange(
    ({ suspect, verdict }: Decision) => server.manage.decideSuspect(suspect, verdict),
    ...['suspects', 'query'],
  );
  if (error) return <ErrorNote error={error} retry={refetch} />;
  return (
    <section className="panel" aria-label={t('settings.suspects')}>
      <p className="quiet">{t('suspects.what')}</p>
      {decide.error && <ErrorNote error={decide.error} />}
      {data && <SuspectTable suspects={data} isBusy={decide.isPending} onDecide={decide.mutate} />}
    </section>
  );
}

interface SuspectTableProps {
  readonly suspects: readonly Suspect[];
  readonly isBusy: boolean;
  readonly onDecide: (decision: Decision) => void;
}

function SuspectTable({ suspects, isBusy, onDecide }: SuspectTableProps) {
  const { t, formats } = useReader();
  const heads = ['reason', 'day', 'plays', 'time', 'verdict', 'decide'] as const;
  return (
    <RecordTable
      caption={t('settings.suspects')}
      heads={heads.map((head) => t(`suspects.${head}`))}
      empty={t('suspects.none')}
      rows={suspects.map(({ suspect, reason, subject, day, plays, playMs, verdict }) => ({
        key: suspect,
        cells: [
          <span key="reason">
            {t(`apart.${reason}`)}
            <br />
            <code>{subject}</code>
          </span>,
          formats.date(day),
          formats.number(plays),
          formats.duration(playMs),
          verdict === null ? t('suspects.open') : t(`verdict.${verdict}`),
          <span key="decide" className="actions">
            {(['accepted', 'refused'] as const).map((choice) => (
              <button
                key={choice}
                type="button"
                disabled={isBusy || verdict === choice}
                onClick={() => onDecide({ suspect, verdict: choice })}
              >
                {t(`decide.${choice}`)}
              </button>
            ))}
          </span>,
        ],
      }))}
    />
  );
}
