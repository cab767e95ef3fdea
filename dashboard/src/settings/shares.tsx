/** The links that show a view of the dashboard to whoever has them. */
import type { Share } from '../../../client/src/index.ts';
import { ConfirmButton } from '../frame/confirm-button.tsx';
import { TableCsvButton } from '../frame/csv-button.tsx';
import { ErrorNote } from '../frame/error-note.tsx';
import { Link } from '../frame/link.tsx';
import { Loading } from '../frame/loading.tsx';
import { PanelHead } from '../frame/panel-head.tsx';
import { useMay, usePerson } from '../frame/person.tsx';
import { RecordTable } from '../frame/record-table.tsx';
import { tableOf } from '../frame/table-csv.ts';
import { useChange } from '../frame/use-change.ts';
import { useReader } from '../language.tsx';
import { server } from '../server.ts';
import { useShares } from '../whole-lists.ts';
import { useNames } from './use-names.ts';

const csvHeads = [
  ...(['shareId', 'name', 'accessKey', 'packageId', 'filters', 'sdate', 'edate'] as const),
  ...(['lastDays', 'compare', 'origins', 'createdBy', 'createdAt', 'expiresAt'] as const),
] as const;

export function Shares() {
  const { t, formats } = useReader();
  const { timeZone, person } = usePerson();
  const isManager = useMay('manager');
  const { actorName } = useNames();
  const { data, error, refetch } = useShares();
  const revoke = useChange((shareId: number) => server.manage.revokeShare(shareId), 'shares');
  if (error && !data) return <ErrorNote error={error} retry={refetch} />;
  const endOf = ({ expiresAt }: Share) => {
    if (expiresAt === null) return t('shares.forever');
    const end = formats.instant(expiresAt, timeZone);
    return Date.parse(expiresAt) <= Date.now() ? `${end} (${t('shares.over')})` : end;
  };
  const daysOf = ({ sdate, edate, lastDays }: Share) =>
    sdate !== null && edate !== null
      ? formats.range(sdate, edate)
      : t('share.moving', { days: formats.number(lastDays ?? 1) });
  const heads = ['name', 'shows', 'days', 'sites', 'by', 'expires', 'actions'] as const;
  return (
    <section className="panel" aria-label={t('settings.shares')}>
      <PanelHead title={t('settings.shares')}>
        <TableCsvButton name="shares" table={() => tableOf(data ?? [], csvHeads)} />
      </PanelHead>
      <p className="quiet">{t('shares.what')}</p>
      {data === undefined && <Loading />}
      {data && (
        <RecordTable
          caption={t('settings.shares')}
          heads={heads.map((head) => t(`shares.${head}`))}
          empty={t('shares.none')}
          rows={data.map((share) => ({
            key: share.shareId,
            cells: [
              share.name,
              <What key="what" share={share} />,
              daysOf(share),
              share.origins.join(' ') || t('shares.nowhere'),
              actorName(share.createdBy, share.createdByName),
              endOf(share),
              isManager || share.createdBy === `PERSON:${person?.personId}` ? (
                <ConfirmButton
                  key="revoke"
                  of={`${share.name} (${share.shareId})`}
                  question={t('shares.revoke.what')}
                  act={() => revoke.mutateAsync(share.shareId)}
                >
                  {t('shares.revoke')}
                </ConfirmButton>
              ) : (
                ''
              ),
            ],
          }))}
        />
      )}
    </section>
  );
}

/** The page that it shows, with its filters. */
function What({ share: { accessKey, filters } }: { readonly share: Share }) {
  const { t } = useReader();
  const search = filters === null ? '' : `?${new URLSearchParams({ filters })}`;
  const path = accessKey === null ? '/' : `/videos/${encodeURIComponent(accessKey)}`;
  return (
    <>
      <Link href={path + search}>
        {accessKey === null ? t('nav.overview') : t('shares.video', { accessKey })}
      </Link>
      {filters !== null && <code> {filters}</code>}
    </>
  );
}
