import { todayIn } from '../calendar.ts';
import { TableOf } from '../charts/table-of.tsx';
import { TimeChart } from '../charts/time-chart.tsx';
import { CsvButton } from '../frame/csv-button.tsx';
import { ErrorNote } from '../frame/error-note.tsx';
import { usePerson } from '../frame/person.tsx';
import { useReader } from '../language.tsx';
import { unitOf } from '../measures.ts';
import { parametersOf, useQuestion, useView } from '../statistics.ts';
import { intervalsFor } from '../view.ts';
import { useChartPoints } from './chart-points.ts';

export function MainChart({ accessKey }: { readonly accessKey?: string }) {
  const { t, formats } = useReader();
  const { timeZone } = usePerson();
  const { view, change } = useView();
  const { measure, interval } = view;
  const parameters = {
    ...parametersOf(view),
    accessKey,
    measures: measure,
    dimensions: interval,
    fill: 'zero',
    pageSize: 1_000,
  } as const;
  const { data, error, refetch, isPlaceholderData } = useQuestion(parameters);
  const points = useChartPoints(data?.list ?? []);
  if (error) return <ErrorNote error={error} retry={refetch} />;
  const unit = unitOf[measure];
  const isCompared = view.compare !== 'none';
  const name = t(`measure.${measure}`);
  const heads = [t(`interval.${interval}`), name, ...(isCompared ? [t('compare.before')] : [])];
  return (
    <section className="panel" aria-label={t('chart.name', { name })} aria-busy={isPlaceholderData}>
      <div className="panel-head">
        <h2>{name}</h2>
        <fieldset className="segments" aria-label={t('interval.label')}>
          {intervalsFor(view).map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={one === interval}
              onClick={() => change({ by: one })}
            >
              {t(`interval.${one}`)}
            </button>
          ))}
        </fieldset>
        <CsvButton parameters={parameters} name={`${measure}-${interval}`} />
      </div>
      <TimeChart
        name={name}
        unit={unit}
        points={points}
        isRunning={view.to === todayIn(timeZone) && measure !== 'averageSeen'}
      />
      <TableOf
        caption={name}
        heads={heads}
        rows={() =>
          points.map(({ long, value, before }) => [
            long,
            formats.measure(value, unit),
            ...(isCompared ? [formats.measure(before, unit)] : []),
          ])
        }
      />
    </section>
  );
}
