/** What became of every beacon, and what each reason means. */
import { useQuery } from '@tanstack/react-query';
import type { LedgerDay } from '../../../client/src/index.ts';
import { TableCsvButton } from '../frame/csv-button.tsx';
import { ErrorNote } from '../frame/error-note.tsx';
import { Loading } from '../frame/loading.tsx';
import { PanelHead } from '../frame/panel-head.tsx';
import { RecordTable } from '../frame/record-table.tsx';
import { wholeTableOf } from '../frame/table-csv.ts';
import { useReader } from '../language.tsx';
import { server } from '../server.ts';
import { recentDays } from './recent-days.ts';

type Counts = Readonly<Record<string, number>>;

export function LedgerPart() {
  const { t } = useReader();
  const { data, error, refetch } = useQuery({
    queryKey: ['ledger'],
    queryFn: ({ signal }) => server.manage.ledger(recentDays(), { signal }),
  });
  if (error && !data) return <ErrorNote error={error} retry={refetch} />;
  if (data === undefined) return <Loading />;
  return (
    <>
      <p className="quiet">{t('ledger.what')}</p>
      <Reasons days={data} />
      <Days days={data} />
    </>
  );
}

function Reasons({ days }: { readonly days: readonly LedgerDay[] }) {
  const { t, formats } = useReader();
  const refused = Object.entries(sum(days.map((day) => day.refused)));
  const apart = Object.entries(sum(days.map((day) => day.setApart)));
  const rows = [
    ...refused.map(([name, count]) => ({ name, count, kind: 'refused' as const })),
    ...apart.map(([name, count]) => ({ name, count, kind: 'setApart' as const })),
  ].filter(({ count }) => count > 0);
  const heads = [t('ledger.reason'), t('ledger.outcome'), t('ledger.beacons')];
  return (
    <section className="panel" aria-label={t('ledger.reasons')}>
      <PanelHead title={t('ledger.reasons')}>
        <TableCsvButton
          name="ledger-reasons"
          table={() => ({
            heads: ['outcome', 'reason', 'beacons'],
            rows: rows.map(({ name, kind, count }) => [kind, name, count]),
          })}
        />
      </PanelHead>
      <RecordTable
        caption={t('ledger.reasons')}
        heads={heads}
        empty={t('ledger.noReasons')}
        rows={rows.map(({ name, count, kind }) => ({
          key: kind + name,
          cells: [
            <span key="reason">
              <code>{name}</code>
              <br />
              {explain(kind, name, t)}
            </span>,
            t(`ledger.${kind}`),
            formats.number(count),
          ],
        }))}
      />
    </section>
  );
}

/** A later service may know reasons that this page does not. */
function explain(
  kind: 'refused' | 'setApart',
  name: string,
  t: ReturnType<typeof useReader>['t'],
): string {
  return kind === 'refused'
    ? t(`refused.${name as keyof LedgerDay['refused']}`)
    : t(`apart.${name as keyof LedgerDay['setApart']}`);
}

function Days({ days }: { readonly days: readonly LedgerDay[] }) {
  const { t, formats } = useReader();
  const total = (counts: Counts) => Object.values(counts).reduce((all, one) => all + one, 0);
  const heads = (['day', 'received', 'counted', 'setApart', 'refused'] as const).map((head) =>
    t(`ledger.${head}`),
  );
  const countsOf = ({ received, counted, setApart, refused }: LedgerDay) => [
    ...[received, counted, total(setApart), total(refused)],
  ];
  return (
    <section className="panel numbers" aria-label={t('ledger.days')}>
      <PanelHead title={t('ledger.days')}>
        <TableCsvButton name="ledger-days" table={() => wholeTableOf(days)} />
      </PanelHead>
      <RecordTable
        caption={t('ledger.days')}
        heads={heads}
        empty={t('ledger.none')}
        rows={days.toReversed().map((day) => ({
          key: day.date,
          cells: [formats.date(day.date), ...countsOf(day).map((count) => formats.number(count))],
        }))}
      />
    </section>
  );
}

function sum(all: readonly Counts[]): Counts {
  const sums: Record<string, number> = {};
  for (const counts of all) {
    for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count;
  }
  return sums;
}
