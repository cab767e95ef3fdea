/** What became of every beacon, and what each reason means. */
import { useQuery } from '@tanstack/react-query';
import type { LedgerDay } from '../../../client/src/index.ts';
import { TableCsvButton } from '../frame/csv-button.tsx';
import { ErrorNote } from '../frame/error-note.tsx';
import { Loading } from '../frame/loading.tsx';
import { PanelHead } from '../frame/panel-head.tsx';
import { RecordTable } from '../frame/record-table.tsx';
import { tableOf, wholeTableOf } from '../frame/table-csv.ts';
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
      <Others days={data} />
      <FullDimensions days={data} />
    </>
  );
}

function Reasons({ days }: { readonly days: readonly LedgerDay[] }) {
  const { t, formats } = useReader();
  const explain = useExplanation();
  const refused = Object.entries(sum(days.map((day) => day.refused)));
  const apart = Object.entries(sum(days.map((day) => day.setApart)));
  const { erased = 0 } = sum(days.map((day) => ({ erased: day.erased })));
  const rows = [
    ...refused.map(([name, count]) => {
      return { name, count, kind: 'refused' as const, text: `refused.${name}` };
    }),
    ...apart.map(([name, count]) => {
      return { name, count, kind: 'setApart' as const, text: `apart.${name}` };
    }),
    { name: 'ERASED', count: erased, kind: 'erased' as const, text: 'erased.ERASED' },
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
        rows={rows.map(({ name, count, kind, text }) => ({
          key: kind + name,
          cells: [
            <span key="reason">
              <code>{name}</code>
              <br />
              {explain(text)}
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
function useExplanation() {
  const { t, textIfAny } = useReader();
  return (name: string) => textIfAny(name) ?? t('ledger.unknown');
}

function Days({ days }: { readonly days: readonly LedgerDay[] }) {
  const { t, formats } = useReader();
  const total = (counts: Counts) => Object.values(counts).reduce((all, one) => all + one, 0);
  const heads = (['day', 'received', 'counted', 'erased', 'setApart', 'refused'] as const).map(
    (head) => t(`ledger.${head}`),
  );
  const countsOf = ({ received, counted, erased, setApart, refused }: LedgerDay) => [
    ...[received, counted, erased, total(setApart), total(refused)],
  ];
  return (
    <section className="panel numbers" aria-label={t('ledger.days')}>
      <PanelHead title={t('ledger.days')}>
        <TableCsvButton name="ledger-days" table={() => wholeTableOf(days.map(ofBeacons))} />
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

/** What was left out or put off, and is no beacon of its own. */
function Others({ days }: { readonly days: readonly LedgerDay[] }) {
  const { t, formats } = useReader();
  const explain = useExplanation();
  const counts = sum(
    days.map(({ labelsLeftOut, unavailable, limitedRequests }) => ({
      ...{ LABELS: labelsLeftOut, UNAVAILABLE: unavailable, ...limitedRequests },
    })),
  );
  const rows = Object.entries(counts).filter(([, count]) => count > 0);
  if (rows.length === 0) return null;
  return (
    <section className="panel" aria-label={t('ledger.others')}>
      <PanelHead title={t('ledger.others')} />
      <RecordTable
        caption={t('ledger.others')}
        heads={[t('ledger.reason'), t('ledger.count')]}
        empty=""
        rows={rows.map(([name, count]) => ({
          key: name,
          cells: [explain(`limited.${name}`), formats.number(count)],
        }))}
      />
    </section>
  );
}

/** What is not of beacons has a table of its own. */
function ofBeacons({ fullDimensions: _, ...day }: LedgerDay) {
  return day;
}

/** Of which new values found no place. */
function FullDimensions({ days }: { readonly days: readonly LedgerDay[] }) {
  const { t, textIfAny, formats } = useReader();
  const full = days
    .toReversed()
    .flatMap(({ date, fullDimensions }) => fullDimensions.map((one) => ({ date, ...one })));
  if (full.length === 0) return null;
  const nameOf = (dimension: string) =>
    textIfAny(`dimension.${dimension}`) ?? dimension.replace(/^label\./, '');
  const heads = (['day', 'dimension', 'since', 'named', 'other'] as const).map((head) =>
    t(`ledger.${head}`),
  );
  return (
    <section className="panel numbers" aria-label={t('ledger.full')}>
      <PanelHead title={t('ledger.full')}>
        <TableCsvButton
          name="ledger-full-dimensions"
          table={() => tableOf(full, ['date', 'dimension', 'since', 'named', 'other'])}
        />
      </PanelHead>
      <p className="quiet">{t('ledger.full.what')}</p>
      <RecordTable
        caption={t('ledger.full')}
        heads={heads}
        empty=""
        rows={full.map(({ date, dimension, since, named, other }) => ({
          key: `${date} ${dimension}`,
          cells: [
            formats.date(date),
            nameOf(dimension),
            formats.clock(since, 'UTC'),
            formats.number(named),
            formats.number(other),
          ],
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
