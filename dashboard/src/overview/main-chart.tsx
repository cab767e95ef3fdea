import { lazy, Suspense, useCallback, useRef } from 'react';
import { chartMarks } from '../annotations/chart-marks.ts';
import { NoteButton } from '../annotations/note-button.tsx';
import { useChartNotes } from '../annotations/use-chart-notes.ts';
import { todayIn } from '../calendar.ts';
import { PictureButtons } from '../charts/picture-buttons.tsx';
import { TableOf } from '../charts/table-of.tsx';
import { TimeChart } from '../charts/time-chart.tsx';
import { Choice } from '../frame/choice.tsx';
import { CsvButton, TableCsvButton } from '../frame/csv-button.tsx';
import { ErrorNote } from '../frame/error-note.tsx';
import { OldDates } from '../frame/old-dates.tsx';
import { PanelHead } from '../frame/panel-head.tsx';
import { usePerson } from '../frame/person.tsx';
import { Segments } from '../frame/segments.tsx';
import { useReader } from '../language.tsx';
import { isBetterLess, isOfQuality, qualityMeasures, unitOf } from '../measures.ts';
import type { Row } from '../questions.ts';
import { useQuestion, useView } from '../statistics.ts';
import { intervalsFor } from '../view.ts';
import { AboutMeasure } from './about.tsx';
import { ChartLegend } from './chart-legend.tsx';
import { chartPoints } from './chart-points.ts';
import { chartQuestion } from './chart-question.ts';
import { useBeside } from './use-beside.ts';
import { useFiguresFailed } from './use-figures.ts';
import { usePicture } from './use-picture.ts';
import { useUsual } from './use-usual.ts';

const NoteList = lazy(() => import('../annotations/note-list.tsx'));

interface MainChartProps {
  readonly accessKey?: string;
  /** Of the video that it is about. */
  readonly title?: string;
}

export function MainChart({ accessKey, title }: MainChartProps) {
  const { t, formats } = useReader();
  const { timeZone, shared } = usePerson();
  const { view, change } = useView();
  const { measure, interval } = view;
  const parameters = chartQuestion(view, accessKey);
  const { data, error, refetch, isPending, isPlaceholderData } = useQuestion(parameters);
  const isFailed = useFiguresFailed(accessKey);
  const beside = useBeside(accessKey);
  const { other, value } = beside;
  const otherRows = other?.rows;
  const usual = useUsual(accessKey, data !== undefined);
  const isCompared = view.compare !== 'none' && other === undefined;
  const points = chartPoints(
    data?.rows ?? [],
    { ...view, isCompared, usual, otherRows },
    formats,
    timeZone,
  );
  const notes = useChartNotes(accessKey);
  const labels = points.map(({ label }) => label);
  const looked = useRef<number>(undefined);
  const look = useCallback((index: number) => {
    looked.current = index;
  }, []);
  /** Where the reader looked last, or the last day. */
  const timeOfNote = () => `${labels[looked.current ?? -1] ?? view.to}T00:00`.slice(0, 16);
  const hasUsual = points.some((point) => point.usual !== undefined);
  const unit = unitOf[measure];
  const isRunning = data?.asked.edate === todayIn(timeZone);
  const name = t(`measure.${measure}`);
  // There are more than the figures above it.
  const isChosenHere = isOfQuality(measure);
  const bothLines = (rows: readonly Row[], others: readonly Row[]) => {
    const values = new Map(others.map((row) => [row[interval], row[measure]]));
    const cells = rows.map((row) => [row[interval], row[measure], values.get(row[interval])]);
    return { heads: [interval, measure, value], rows: cells };
  };
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
  const heads = [
    ...[t(`interval.${interval}`), name],
    ...(isCompared ? [t('compare.before')] : []),
    ...(other ? [t('beside.of', { name, other: other.name })] : []),
    ...(hasUsual ? [t('usual.name')] : []),
  ];
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
        files={
          <>
            {otherRows && data ? (
              <TableCsvButton
                name={`${measure}-${interval}-${view.from}-${view.to}`}
                table={() => bothLines(data.rows, otherRows)}
              />
            ) : (
              <CsvButton parameters={parameters} name={`${measure}-${interval}`} />
            )}
            <PictureButtons
              {...picture}
              keys={[
                { selector: '.line', text: name },
                { selector: '.before', text: t('compare.before') },
                { selector: '.second', text: other?.name ?? '' },
                { selector: '.running', text: t('chart.running') },
                { selector: '.usual', text: t('usual.name') },
              ]}
            />
          </>
        }
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
        {beside.isPossible && beside.options.length > 0 && (
          <Choice
            label={t('beside.label')}
            value={value}
            options={[{ value: '', name: t('beside.none') }, ...beside.options]}
            onChoose={(value) => change({ beside: value })}
          />
        )}
        {!shared && <NoteButton timeOf={timeOfNote} accessKey={accessKey} />}
      </PanelHead>
      <OldDates of={isPlaceholderData ? data?.asked : undefined} />
      {other?.error && <ErrorNote error={other.error} retry={beside.refetch} />}
      <TimeChart
        name={name}
        unit={unit}
        points={points}
        otherName={other?.name}
        isRunning={isRunning}
        isBetterLess={isBetterLess(measure)}
        marks={chartMarks(notes, labels, interval, timeZone)}
        onLook={look}
      />
      <ChartLegend
        name={isChosenHere ? name : (title ?? name)}
        other={other?.name}
        hasBefore={isCompared}
        {...{ hasUsual, isRunning }}
      />
      {notes.length > 0 && (
        <Suspense fallback={null}>
          <NoteList notes={notes} accessKey={accessKey} />
        </Suspense>
      )}
      <TableOf
        caption={name}
        heads={heads}
        rows={() =>
          points.map((point) => [
            point.long,
            formats.measure(point.value, unit),
            ...(isCompared ? [formats.measure(point.before, unit)] : []),
            ...(other ? [formats.measure(point.other, unit)] : []),
            ...(hasUsual ? [formats.between(point.usual, unit)] : []),
          ])
        }
      />
    </section>
  );
}
