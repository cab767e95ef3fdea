/** The measure by hour of the week, asked once it is in sight. */
import { useEffect, useRef, useState } from 'react';
import { PictureButtons } from '../charts/picture-buttons.tsx';
import { TableOf } from '../charts/table-of.tsx';
import type { Formats } from '../formats.ts';
import { CsvButton } from '../frame/csv-button.tsx';
import { ErrorNote } from '../frame/error-note.tsx';
import { OldDates } from '../frame/old-dates.tsx';
import { PanelHead } from '../frame/panel-head.tsx';
import { useReader } from '../language.tsx';
import { type Measure, unitOf } from '../measures.ts';
import { parametersOf, useQuestion, useView } from '../statistics.ts';
import { AboutMeasure } from './about.tsx';
import { useFigures } from './use-figures.ts';
import { usePicture } from './use-picture.ts';
import { hours, type WeekCells, weekCells, weekdays } from './week-cells.ts';

interface WeekMapProps {
  readonly accessKey?: string;
  /** Of the video that it is about. */
  readonly title?: string;
}

export function WeekMap({ accessKey, title }: WeekMapProps) {
  const { t, formats } = useReader();
  const { view } = useView();
  const [frame, isSeen] = useSeen();
  const { measure } = view;
  const parameters = {
    ...parametersOf({ ...view, compare: 'none' }),
    accessKey,
    measures: [measure],
    dimensions: ['hourOfWeek'],
    fill: 'zero',
    pageSize: weekdays.length * hours.length,
  } as const;
  const week = useQuestion(parameters, { enabled: isSeen });
  const { data, error, refetch, isFetching, isPlaceholderData } = week;
  const isOfMeasure = data?.asked.measures.includes(measure);
  const cells = weekCells(isOfMeasure ? data?.rows : undefined, measure);
  const name = t('week.name', { name: t(`measure.${measure}`) });
  const picture = usePicture(name, `${measure}-week`, { title, asked: data?.asked });
  const heads = [t('week.day'), ...hours.map((hour) => writtenHour(hour, formats))];
  return (
    <section className="panel" ref={frame} aria-label={name}>
      <PanelHead title={name} about={<AboutWeek accessKey={accessKey} />}>
        <CsvButton parameters={parameters} name={`${measure}-week`} />
        <PictureButtons {...picture} />
      </PanelHead>
      {error && !data && <ErrorNote error={error} retry={refetch} />}
      <OldDates of={isPlaceholderData ? data?.asked : undefined} />
      <HourCells
        cells={cells}
        measure={measure}
        isBusy={isPlaceholderData || (data === undefined && isFetching)}
      />
      <TableOf
        caption={name}
        heads={heads}
        rows={() =>
          weekdays.map((weekday, day) => [
            formats.weekday(weekday),
            ...hours.map((_, hour) => formats.measure(cells?.[day]?.[hour], unitOf[measure])),
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

interface HourCellsProps {
  /** Undefined: not read. */
  readonly cells: WeekCells | undefined;
  readonly measure: Measure;
  readonly isBusy: boolean;
}

function HourCells({ cells, measure, isBusy }: HourCellsProps) {
  const { formats } = useReader();
  const written = (value: number | null) => formats.measure(value, unitOf[measure]);
  const largest = Math.max(0, ...(cells ?? []).flat().map((value) => value ?? 0));
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
        {weekdays.map((weekday, day) => (
          <g key={weekday}>
            <text x={0} y={33 + day * 23}>
              {formats.weekday(weekday)}
            </text>
            {hours.map((hour, column) => (
              <HourCell
                key={hour}
                x={50 + column * 30}
                y={18 + day * 23}
                name={`${formats.weekday(weekday)} ${writtenHour(hour, formats)}`}
                value={cells?.[day]?.[column]}
                {...{ largest, written }}
              />
            ))}
          </g>
        ))}
      </svg>
    </div>
  );
}

interface HourCellProps {
  readonly x: number;
  readonly y: number;
  readonly name: string;
  /** Null: there is none; undefined: not read. */
  readonly value: number | null | undefined;
  readonly largest: number;
  readonly written: (value: number | null) => string;
}

/** Empty where there is no value; nothing played has the lightest shade. */
function HourCell({ x, y, name, value, largest, written }: HourCellProps) {
  const shade = largest > 0 ? Math.ceil(((value ?? 0) / largest) * 8) : 0;
  const isEmpty = value === null || value === undefined;
  return (
    <rect {...{ x, y, width: 28, height: 21, rx: 3 }} data-shade={isEmpty ? undefined : shade}>
      {value !== undefined && <title>{`${name}: ${written(value)}`}</title>}
    </rect>
  );
}

/** As the reader's clock has it: 15, or 3 PM. */
function writtenHour(hour: string, formats: Formats): string {
  return formats.time(`2024-01-01T${hour}:00`, 'hour');
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
