/** Playback that was set apart as unusual: whether it counts, the owner decides. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Suspect } from '../../../client/src/index.ts';
import { ActionButton } from '../frame/action-button.tsx';
import { allPages } from '../frame/all-pages.ts';
import { TableCsvButton } from '../frame/csv-button.tsx';
import { ErrorNote } from '../frame/error-note.tsx';
import { Link } from '../frame/link.tsx';
import { Loading } from '../frame/loading.tsx';
import { Paging, pageIn } from '../frame/paging.tsx';
import { PanelHead } from '../frame/panel-head.tsx';
import { RecordTable } from '../frame/record-table.tsx';
import { tableOf } from '../frame/table-csv.ts';
import { useChange } from '../frame/use-change.ts';
import { useReader } from '../language.tsx';
import { navigate, usePageUrl, withSearch } from '../page-url.ts';
import { server } from '../server.ts';
import { usePackages } from '../whole-lists.ts';
import { recentDays } from './recent-days.ts';

const pageSize = 50;
const mostOfPage = 1_000;

interface Decision {
  readonly suspect: string;
  readonly verdict: 'accepted' | 'refused';
}

export function Suspects() {
  const { t, formats } = useReader();
  const url = usePageUrl();
  const parameters = { ...recentDays(), page: pageIn(url.search), pageSize };
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['suspects', parameters],
    queryFn: ({ signal }) => server.manage.suspects(parameters, { signal }),
    placeholderData: keepPreviousData,
  });
  const decide = useChange(
    ({ suspect, verdict }: Decision) => server.manage.decideSuspect(suspect, verdict),
    ...['suspects', 'query'],
  );
  if (error && !data) return <ErrorNote error={error} retry={refetch} />;
  return (
    <section
      className="panel"
      aria-label={t('settings.suspects')}
      aria-busy={isPlaceholderData || undefined}
    >
      <PanelHead title={t('settings.suspects')}>
        <TableCsvButton name="suspects" table={readTable} />
      </PanelHead>
      <p className="quiet">
        {t('suspects.what')}{' '}
        {data && (
          <span role="status">
            {t('list.count', { count: formats.number(data.paging.totalCount) })}
          </span>
        )}
      </p>
      {decide.error && <ErrorNote error={decide.error} />}
      {data === undefined && <Loading />}
      {data && (
        <>
          <SuspectTable suspects={data.list} isBusy={decide.isPending} onDecide={decide.mutate} />
          <Paging
            paging={data.paging}
            onPage={(page) => navigate(withSearch(url, { page: String(page) }))}
          />
        </>
      )}
    </section>
  );
}

async function readTable() {
  const days = recentDays();
  const all = await allPages((page) =>
    server.manage.suspects({ ...days, page, pageSize: mostOfPage }),
  );
  return tableOf(all, [
    ...(['suspect', 'reason', 'subject', 'video', 'videoTitle', 'day'] as const),
    ...(['plays', 'playMs', 'verdict'] as const),
  ]);
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
      rows={suspects.map(({ suspect, reason, day, plays, playMs, verdict, ...of }) => ({
        key: suspect,
        cells: [
          <span key="reason">
            {t(`apart.${reason}`)}
            <Subject of={{ reason, ...of }} />
          </span>,
          formats.date(day),
          formats.number(plays),
          formats.duration(playMs),
          verdict === null ? t('suspects.open') : t(`verdict.${verdict}`),
          <span key="decide" className="actions">
            {(['accepted', 'refused'] as const).map((choice) => (
              <ActionButton
                key={choice}
                aria-label={t('action.of', {
                  action: t(`decide.${choice}`),
                  name: `${of.videoTitle || of.subject}, ${formats.date(day)}`,
                })}
                isOff={isBusy || verdict === choice}
                onClick={() => onDecide({ suspect, verdict: choice })}
              >
                {t(`decide.${choice}`)}
              </ActionButton>
            ))}
          </span>,
        ],
      }))}
    />
  );
}

/** What is unusual: a video or package by its name; an address or a viewer has a hash alone. */
function Subject({
  of,
}: {
  readonly of: Pick<Suspect, 'reason' | 'subject' | 'video' | 'videoTitle'>;
}) {
  const { reason, subject, video, videoTitle } = of;
  const { data: packages } = usePackages();
  if (reason === 'ACCOUNT') return null;
  if (video !== undefined) {
    return (
      <Link
        className="subject"
        href={`/videos/${encodeURIComponent(video)}`}
        title={videoTitle || video}
        dir="auto"
      >
        {videoTitle || video}
      </Link>
    );
  }
  const inPackage = packages?.find(({ packageId }) => String(packageId) === subject);
  if (reason !== 'UNSIGNED' || inPackage === undefined)
    return <code className="subject">{subject}</code>;
  return (
    <Link className="subject" href="/settings/packages" title={inPackage.packageName} dir="auto">
      {inPackage.packageName}
    </Link>
  );
}
