/** The measure by hour of the week: one question for each weekday, asked once it is in sight. */
import { keepPreviousData, type UseQueryResult, useQueries } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { PictureButtons } from '../charts/picture-buttons.tsx';
import { TableOf } from '../charts/table-of.tsx';
import type { Formats } from '../formats.ts';
import { AnswerCsvButton } from '../frame/csv-button.tsx';
import { ErrorNote } from '../frame/error-note.tsx';
import { PanelHead } from '../frame/panel-head.tsx';
import { useReader } from '../language.tsx';
import { drawnValue, type Measure, unitOf } from '../measures.ts';
import { type Answer, type Question, query, queryCsv } from '../questions.ts';
import { parametersOf, useView } from '../statistics.ts';
import type { View } from '../view.ts';
import { AboutMeasure } from './about.tsx';
import { useFigures } from './use-figures.ts';
import { usePicture } from './use-picture.ts';

const weekdays = [1, 2, 3, 4, 5, 6, 7];
const hours = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'));
type Cells = readonly (readonly (number | null)[])[];

interface WeekMapProps {
  readonly accessKey?: string;
  /** Of the video that it is about. */
  readonly title?: string;
}

export function WeekMap({ accessKey, title }: WeekMapProps) {
  const { t, formats } = useReader();
  const { view } = useView();
  const [frame, isSeen] = useSeen();
  const { cells, error, isBusy, reread } = useCells(view, accessKey, isSeen);
  const { measure } = view;
  const name = t('week.name', { name: t(`measure.${measure}`) });
  const picture = usePicture(name, `${measure}-week`, title);
  const heads = [t('week.day'), ...hours.map((hour) => writtenHour(hour, formats))];
  return (
    <section className="panel" ref={frame} aria-label={name}>
      <PanelHead title={name} about={<AboutWeek accessKey={accessKey} />}>
        <AnswerCsvButton name={picture.name} ask={() => weekCsv(view, accessKey)} />
        <PictureButtons {...picture} />
      </PanelHead>
      {error && <ErrorNote error={error} retry={reread} />}
      <HourCells cells={isSeen ? cells : []} measure={measure} isBusy={isBusy} />
      <TableOf
        caption={name}
        heads={heads}
        rows={() =>
          cells.map((row, index) => [
            formats.weekday(index + 1),
            ...row.map((value) => formats.measure(value, unitOf[measure])),
          ])
        }
      />
    </section>
  );
}

/** Its hours are of the same views as the figures of the page. */
function AboutWeek({ accessKey }: { readonly accessKey: string | undefined }) {
  const { view } = useView();
  const { data } = useFigures(accessKey);
  return <AboutMeasure measure={view.measure} answer={data} accessKey={accessKey} />;
}

function useCells(view: View, accessKey: string | undefined, enabled: boolean) {
  const { measure } = view;
  return useQueries({
    queries: weekdays.map((weekday) => {
      const parameters = hoursOf(view, weekday, accessKey);
      return {
        queryKey: ['query', parameters],
        queryFn: ({ signal }: { signal: AbortSignal }) => query(parameters, signal),
        placeholderData: keepPreviousData,
        enabled,
      };
    }),
    combine: (results) => ({
      cells: results.map(({ data }) => cellsOf(data, measure)),
      ...togetherOf(results),
    }),
  });
}

/** A weekday that could not be read is no weekday without plays. */
function togetherOf(results: readonly UseQueryResult<Answer>[]) {
  const failed = results.filter(({ error, data }) => error !== null && data === undefined);
  return {
    error: failed[0]?.error,
    isBusy: results.some(({ isFetching, isPlaceholderData, data }) =>
      data === undefined ? isFetching : isPlaceholderData,
    ),
    reread: () => Promise.all(failed.map(({ refetch }) => refetch())),
  };
}

function hoursOf(view: View, weekday: number, accessKey: string | undefined): Question {
  const onDay = { name: 'weekday', operator: '==', values: [String(weekday)] } as const;
  return {
    ...parametersOf({ ...view, compare: 'none' }, [...view.filters, onDay]),
    ...{ accessKey, measures: [view.measure], dimensions: ['hourOfDay'] },
  };
}

/** The interface's CSV of each weekday, one below the other, its number before each line. */
async function weekCsv(view: View, accessKey: string | undefined): Promise<string> {
  const ofDays = await Promise.all(
    weekdays.map((weekday) => queryCsv({ ...hoursOf(view, weekday, accessKey), fill: 'zero' })),
  );
  const lines = ofDays.map((csv) => csv.split('\r\n').slice(0, -1));
  const rows = lines.flatMap(([, ...some], index) =>
    some.map((line) => `${weekdays[index]},${line}\r\n`),
  );
  return [`weekday,${lines[0]?.[0]}\r\n`, ...rows].join('');
}

function cellsOf(answer: Answer | undefined, measure: Measure): (number | null)[] {
  const found = new Map<string | undefined, number | null>(
    answer?.rows.map((row) => [row.hourOfDay, drawnValue(row, measure) ?? null]),
  );
  return hours.map((hour) => found.get(hour) ?? null);
}

interface HourCellsProps {
  readonly cells: Cells;
  readonly measure: Measure;
  readonly isBusy: boolean;
}

function HourCells({ cells, measure, isBusy }: HourCellsProps) {
  const { formats } = useReader();
  const written = (value: number | null) => formats.measure(value, unitOf[measure]);
  const largest = Math.max(0, ...cells.flat().map((value) => value ?? 0));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls needs the keyboard
    <div className="week-scroll" tabIndex={0} aria-busy={isBusy}>
      <svg className="week" viewBox="0 0 780 178" aria-hidden="true" data-chart>
        {hours.map((hour, column) =>
          column % 3 === 0 ? (
            <text key={hour} x={52 + column * 30} y={10}>
              {writtenHour(hour, formats)}
            </text>
          ) : null,
        )}
        {cells.map((row, day) => (
          <g key={weekdays[day]}>
            <text x={0} y={33 + day * 23}>
              {formats.weekday(day + 1)}
            </text>
            {row.map((value, column) => (
              <rect
                key={hours[column]}
                x={50 + column * 30}
                y={18 + day * 23}
                width={28}
                height={21}
                rx={3}
                data-shade={largest > 0 ? Math.ceil(((value ?? 0) / largest) * 8) : 0}
              >
                <title>{`${nameOf(day, column, formats)}: ${written(value)}`}</title>
              </rect>
            ))}
          </g>
        ))}
      </svg>
    </div>
  );
}

/** As the reader's clock has it: 15, or 3 PM. */
function writtenHour(hour: string, formats: Formats): string {
  return formats.time(`2024-01-01T${hour}:00`, 'hour');
}

function nameOf(day: number, column: number, formats: Formats): string {
  return `${formats.weekday(day + 1)} ${writtenHour(hours[column] ?? '', formats)}`;
}

function useSeen() {
  const frame = useRef<HTMLElement>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (frame.current === null) return;
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) setSeen(true);
    });
    observer.observe(frame.current);
    return () => observer.disconnect();
  }, []);
  return [frame, isSeen] as const;
}
