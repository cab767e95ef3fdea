/** The measure by hour of the week, asked once it is in sight. */
import { PictureButtons } from '../charts/picture-buttons.tsx';
import { Swatch } from '../charts/swatch.tsx';
import { TableOf } from '../charts/table-of.tsx';
import { useWidth } from '../charts/use-width.ts';
import type { Formats } from '../formats.ts';
import { CsvButton } from '../frame/csv-button.tsx';
import { ErrorNote } from '../frame/error-note.tsx';
import { OldDates } from '../frame/old-dates.tsx';
import { PanelHead } from '../frame/panel-head.tsx';
import { useSeen } from '../frame/use-seen.ts';
import { useReader } from '../language.tsx';
import { type Measure, unitOf } from '../measures.ts';
import { parametersOf, useQuestion, useView } from '../statistics.ts';
import { AboutMeasure } from './about.tsx';
import { useFigures } from './use-figures.ts';
import { usePicture } from './use-picture.ts';
import { hours, type WeekCells, weekCells, weekdays } from './week-cells.ts';

/** Narrower, it scrolls: below it, cells are too small to be hit. */
const leastWidthPx = 680;
const dayPx = 50;
const headPx = 18;
const gapPx = 2;
const leastStepPx = 23;
const mostStepPx = 34;
const mostShade = 8;

interface WeekMapProps {
  readonly accessKey?: string;
  /** Of the video that it is about. */
  readonly title?: string;
}

export function WeekMap({ accessKey, title }: WeekMapProps) {
  const { t, formats } = useReader();
  const { view } = useView();
  const [frame, isSeen] = useSeen<HTMLElement>();
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
      <PanelHead
        title={name}
        about={<AboutWeek accessKey={accessKey} />}
        files={
          <>
            <CsvButton parameters={parameters} name={`${measure}-week`} />
            <PictureButtons {...picture} />
          </>
        }
      />
      {error && !data && <ErrorNote error={error} retry={refetch} />}
      <OldDates of={isPlaceholderData ? data?.asked : undefined} />
      <HourCells
        cells={cells}
        measure={measure}
        isBusy={isPlaceholderData || (data === undefined && isFetching)}
      />
      {cells && <WeekLegend cells={cells} measure={measure} />}
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

/** From nothing to the most of an hour. */
function WeekLegend({ cells, measure }: { readonly cells: WeekCells; readonly measure: Measure }) {
  const { t, formats } = useReader();
  const values = cells.flat();
  const largest = Math.max(0, ...values.map((value) => value ?? 0));
  if (largest === 0) return null;
  const shades = Array.from({ length: mostShade + 1 }, (_, shade) => shade);
  return (
    <p className="shades week-legend">
      <span>{formats.measure(0, unitOf[measure])}</span>
      <span className="swatches" aria-hidden="true">
        {shades.map((shade) => (
          <Swatch key={shade} shade={shade} />
        ))}
      </span>
      <span>{formats.measure(largest, unitOf[measure])}</span>
      {values.includes(null) && (
        <span>
          <Swatch shade={undefined} /> {t('map.noData')}
        </span>
      )}
    </p>
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
  const [frame, widthPx] = useWidth<HTMLDivElement>();
  const written = (value: number | null) => formats.measure(value, unitOf[measure]);
  const largest = Math.max(0, ...(cells ?? []).flat().map((value) => value ?? 0));
  const width = Math.max(leastWidthPx, widthPx);
  const stepX = (width - dayPx) / hours.length;
  const stepY = Math.round(Math.min(mostStepPx, Math.max(leastStepPx, stepX * 0.75)));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls needs the keyboard
    <div ref={frame} className="week-scroll" tabIndex={0} aria-busy={isBusy}>
      <svg
        className="week"
        width={width}
        height={headPx + weekdays.length * stepY}
        aria-hidden="true"
        data-chart
      >
        {hours.map((hour, column) =>
          column % 3 === 0 ? (
            <text key={hour} x={dayPx + 2 + column * stepX} y={10}>
              {writtenHour(hour, formats)}
            </text>
          ) : null,
        )}
        {weekdays.map((weekday, day) => (
          <g key={weekday}>
            <text x={0} y={headPx + stepY / 2 + 4 + day * stepY}>
              {formats.weekday(weekday)}
            </text>
            {hours.map((hour, column) => (
              <HourCell
                key={hour}
                x={dayPx + column * stepX}
                y={headPx + day * stepY}
                width={stepX - gapPx}
                height={stepY - gapPx}
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
  readonly width: number;
  readonly height: number;
  readonly name: string;
  /** Null: there is none; undefined: not read. */
  readonly value: number | null | undefined;
  readonly largest: number;
  readonly written: (value: number | null) => string;
}

/** Empty where there is no value; nothing played has the lightest shade. */
function HourCell({ name, value, largest, written, ...place }: HourCellProps) {
  const shade = largest > 0 ? Math.ceil(((value ?? 0) / largest) * mostShade) : 0;
  const isEmpty = value === null || value === undefined;
  return (
    <rect {...place} rx={3} data-shade={isEmpty ? undefined : shade}>
      {value !== undefined && <title>{`${name}: ${written(value)}`}</title>}
    </rect>
  );
}

/** As the reader's clock has it: 15, or 3 PM. */
function writtenHour(hour: string, formats: Formats): string {
  return formats.time(`2024-01-01T${hour}:00`, 'hour');
}
