import { todayIn } from '../calendar.ts';
import { PictureButtons } from '../charts/picture-buttons.tsx';
import { TableOf } from '../charts/table-of.tsx';
import { TimeChart } from '../charts/time-chart.tsx';
import { Choice } from '../frame/choice.tsx';
import { CsvButton } from '../frame/csv-button.tsx';
import { ErrorNote } from '../frame/error-note.tsx';
import { OldDates } from '../frame/old-dates.tsx';
import { PanelHead } from '../frame/panel-head.tsx';
import { usePerson } from '../frame/person.tsx';
import { Segments } from '../frame/segments.tsx';
import { useReader } from '../language.tsx';
import { isOfQuality, qualityMeasures, unitOf } from '../measures.ts';
import { parametersOf, useQuestion, useView } from '../statistics.ts';
import { intervalsFor, type View } from '../view.ts';
import { AboutMeasure } from './about.tsx';
import { chartPoints } from './chart-points.ts';
import { useFiguresFailed } from './use-figures.ts';
import { usePicture } from './use-picture.ts';

interface MainChartProps {
  readonly accessKey?: string;
  /** Of the video that it is about. */
  readonly title?: string;
}

export function MainChart({ accessKey, title }: MainChartProps) {
  const { t, formats } = useReader();
  const { timeZone } = usePerson();
  const { view, change } = useView();
  const { measure, interval } = view;
  const parameters = chartParameters(view, accessKey);
  const { data, error, refetch, isPending, isPlaceholderData } = useQuestion(parameters);
  const isFailed = useFiguresFailed(accessKey);
  const points = chartPoints(data?.rows ?? [], view, formats, timeZone);
  const unit = unitOf[measure];
  const isCompared = view.compare !== 'none';
  const name = t(`measure.${measure}`);
  // There are more than the figures above it.
  const isChosenHere = isOfQuality(measure);
  const picture = usePicture(name, `${measure}-${interval}`, { title, asked: data?.asked });
  if (error && !data) {
    if (isFailed) return null;
    return (
      <section className="panel" aria-label={t('chart.name', { name })}>
        <PanelHead title={name} />
        <ErrorNote error={error} retry={refetch} />
      </section>
    );
  }
  const heads = [t(`interval.${interval}`), name, ...(isCompared ? [t('compare.before')] : [])];
  return (
    <section
      className="panel"
      aria-label={t('chart.name', { name })}
      aria-busy={isPending || isPlaceholderData}
    >
      <PanelHead
        title={name}
        isTitleHidden={isChosenHere}
        about={<AboutMeasure measure={measure} answer={data} accessKey={accessKey} />}
      >
        {isChosenHere && (
          <Choice
            label={t('chart.measure')}
            value={measure}
            options={qualityMeasures.map((value) => ({ value, name: t(`measure.${value}`) }))}
            onChoose={(chosen) => change({ measure: chosen })}
          />
        )}
        <Segments
          label={t('interval.label')}
          value={interval}
          options={intervalsFor(view).map((value) => ({ value, name: t(`interval.${value}`) }))}
          onChoose={(by) => change({ by })}
        />
        <CsvButton parameters={parameters} name={`${measure}-${interval}`} />
        <PictureButtons
          {...picture}
          keys={[
            { selector: '.line', text: name },
            { selector: '.before', text: t('compare.before') },
          ]}
        />
      </PanelHead>
      <OldDates of={isPlaceholderData ? data?.asked : undefined} />
      <TimeChart
        name={name}
        unit={unit}
        points={points}
        isRunning={data?.asked.edate === todayIn(timeZone)}
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

export function chartParameters(view: View, accessKey?: string) {
  return {
    ...parametersOf(view),
    accessKey,
    measures: [view.measure],
    dimensions: [view.interval],
    fill: 'zero',
    pageSize: 1_000,
  } as const;
}
