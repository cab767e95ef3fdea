/** One measure over time, with the period before it in the background. */
import { useEffect } from 'react';
import { Change } from '../frame/change.tsx';
import { changeOf } from '../frame/change-of.ts';
import { useReader } from '../language.tsx';
import type { Unit } from '../measures.ts';
import { bandPath, curvePaths, linePath, type Spot, spotsOf } from './line-path.ts';
import { type ChartMark, Marks, textsAt } from './marks.tsx';
import { chartHeight, labelPlaces, ticksTo } from './scale.ts';
import { useCursor } from './use-cursor.ts';
import { useWidth } from './use-width.ts';

export interface TimePoint {
  /** As the interface names its time. */
  readonly label: string;
  /** For the axis. */
  readonly short: string;
  /** In full. */
  readonly long: string;
  readonly value: number | null;
  readonly before?: number | null | undefined;
  /** When that was, in full. */
  readonly beforeLong?: string | undefined;
  /** Of something else at the same time. */
  readonly other?: number | null | undefined;
  /** From the smallest to the largest value that is usual. */
  readonly usual?: readonly [number, number] | undefined;
}

interface TimeChartProps {
  readonly name: string;
  readonly unit: Unit;
  readonly points: readonly TimePoint[];
  readonly height?: number;
  readonly otherName?: string | undefined;
  /** The last point that has begun is not over yet. */
  readonly isRunning?: boolean;
  /** By default more is better. */
  readonly isBetterLess?: boolean;
  /** What happened. */
  readonly marks?: readonly ChartMark[];
  /** Told where the reader looks. */
  readonly onLook?: (index: number) => void;
}

export const pad = { top: 12, right: 22, bottom: 26, left: 62 };
const labelWidth = 72;

export function TimeChart(props: TimeChartProps) {
  const { name, unit, points, otherName, isRunning = false, isBetterLess = false } = props;
  const { marks = [], onLook } = props;
  const { t, formats } = useReader();
  const [frame, width] = useWidth<HTMLDivElement>();
  const height = props.height ?? chartHeight(width);
  const inner = Math.max(1, width - pad.left - pad.right);
  const step = inner / Math.max(1, points.length - 1);
  const { at, listeners } = useCursor(points.length, (x) => Math.round((x - pad.left) / step));
  useEffect(() => {
    if (at !== undefined) onLook?.(at);
  }, [at, onLook]);
  const largest = Math.max(
    0,
    ...points.flatMap(({ value, before, other, usual }) =>
      [value, before, other, usual?.[1]].map((one) => one ?? 0),
    ),
  );
  const ticks = ticksTo(largest, unit);
  const floor = height - pad.bottom;
  const top = ticks.at(-1) || 1;
  const yOf = (value: number) => floor - (value / top) * (floor - pad.top);
  const xOf = (index: number) => pad.left + index * step;
  const spots = (of: (point: TimePoint) => number | null | undefined) =>
    spotsOf(points.map(of), xOf, yOf);
  const values = spots(({ value }) => value);
  const point = at === undefined ? undefined : points[at];
  const write = (value: number | null | undefined) => formats.measure(value, unit);
  const change = changeOf(point?.value, point?.before);
  const notes = textsAt(marks, at);
  const said = point && [
    `${point.long}: ${write(point.value)}`,
    ...(point.before === undefined
      ? []
      : [`${point.beforeLong ?? t('compare.before')}: ${write(point.before)}`]),
    ...(change === undefined ? [] : [formats.change(change)]),
    ...(otherName === undefined ? [] : [`${otherName}: ${write(point.other)}`]),
    ...notes,
  ];
  const lastBegun = points.findLastIndex(({ value }) => value !== null);
  return (
    <div
      ref={frame}
      className="chart"
      role="slider"
      tabIndex={0}
      aria-label={t('chart.name', { name })}
      aria-valuemin={0}
      aria-valuemax={Math.max(0, points.length - 1)}
      aria-valuenow={at ?? 0}
      aria-valuetext={said?.join(', ') ?? t('chart.how')}
      {...listeners}
    >
      <svg width={width} height={height} aria-hidden="true" data-chart>
        <Grid ticks={ticks} unit={unit} width={width} yOf={yOf} />
        {labelPlaces(points.length, inner / labelWidth).map((index) => (
          <text key={index} x={xOf(index)} y={height - 6} textAnchor="middle">
            {points[index]?.short}
          </text>
        ))}
        <path
          className="usual"
          d={bandPath(
            spots(({ usual }) => usual?.[0]),
            spots(({ usual }) => usual?.[1]),
          )}
        />
        <path className="before" d={linePath(spots(({ before }) => before))} />
        <Drawn spots={values} floor={floor} isRunning={isRunning} />
        <path className="line second" d={linePath(spots(({ other }) => other))} />
        <Marks marks={marks} xOf={xOf} top={pad.top} floor={floor} />
        {at !== undefined && <Cursor x={xOf(at)} floor={floor} spot={values[at]} />}
      </svg>
      {point && (
        <Tip
          {...{ name, point, unit, width, otherName, isBetterLess, notes }}
          isRunning={isRunning && at === lastBegun}
          left={xOf(at ?? 0)}
        />
      )}
    </div>
  );
}

export function Grid(props: {
  readonly ticks: readonly number[];
  readonly unit: Unit;
  readonly width: number;
  readonly yOf: (value: number) => number;
}) {
  const { formats } = useReader();
  return props.ticks.map((tick) => (
    <g key={tick}>
      <line
        className="grid"
        x1={pad.left}
        x2={props.width - 8}
        y1={props.yOf(tick)}
        y2={props.yOf(tick)}
      />
      <text x={pad.left - 10} y={props.yOf(tick) + 4} textAnchor="end">
        {formats.short(tick, props.unit)}
      </text>
    </g>
  ));
}

/** What is not over yet is dashed. */
function Drawn(props: {
  readonly spots: readonly Spot[];
  readonly floor: number;
  readonly isRunning: boolean;
}) {
  const { area, line, running, only } = curvePaths(props.spots, props.floor, props.isRunning);
  return (
    <>
      <path className="area" d={area} />
      <path className="line" d={line} />
      {running !== undefined && <path className="line running" d={running} />}
      {only && <circle className="spot" cx={only.x} cy={only.y} r={4} />}
    </>
  );
}

function Cursor(props: {
  readonly x: number;
  readonly floor: number;
  readonly spot?: Spot | undefined;
}) {
  const { x, floor, spot } = props;
  return (
    <>
      <line className="cursor" x1={x} x2={x} y1={pad.top} y2={floor} />
      {spot && spot.y !== null && <circle className="spot" cx={x} cy={spot.y} r={4} />}
    </>
  );
}

interface TipProps {
  readonly name: string;
  readonly point: TimePoint;
  readonly unit: Unit;
  readonly left: number;
  readonly width: number;
  readonly otherName: string | undefined;
  readonly isRunning: boolean;
  readonly isBetterLess: boolean;
  readonly notes: readonly string[];
}

function Tip(props: TipProps) {
  const { t, formats } = useReader();
  const { name, point, unit, left, width, otherName, isRunning, isBetterLess, notes } = props;
  const { value, before, beforeLong, other, usual, long } = point;
  const side = left > width / 2 ? { right: width - left + 12 } : { left: left + 12 };
  return (
    <div className="tip" style={side} aria-hidden="true">
      <span className="quiet">{name}</span>
      <span className="tip-line">
        <span>
          {long}
          {isRunning && ` · ${t('chart.running')}`}
        </span>
        <strong>{formats.measure(value, unit)}</strong>
      </span>
      {before !== undefined && (
        <>
          <span className="tip-line quiet">
            <span className="key-before">{beforeLong ?? t('compare.before')}</span>
            <span>{formats.measure(before, unit)}</span>
          </span>
          {changeOf(value, before) !== undefined && (
            <span className="tip-line quiet">
              <span>{t('list.change')}</span>
              <Change {...{ value, before, isBetterLess }} />
            </span>
          )}
        </>
      )}
      {otherName !== undefined && (
        <span className="tip-line">
          <span className="key-second">{otherName}</span>
          <span>{formats.measure(other, unit)}</span>
        </span>
      )}
      {usual && (
        <span className="tip-line quiet">
          <span className="key-usual">{t('usual.name')}</span>
          <span>{formats.between(usual, unit)}</span>
        </span>
      )}
      {notes.map((text, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two may say the same
        <span key={index} className="tip-note" dir="auto">
          {text}
        </span>
      ))}
    </div>
  );
}
