/** How many there are in each of many ranges, one beside the other, with marks at single values. */
import { useReader } from '../language.tsx';
import { chartHeight, labelPlaces, ticksTo } from './scale.ts';
import { Grid, pad } from './time-chart.tsx';
import { useCursor } from './use-cursor.ts';
import { useWidth } from './use-width.ts';

export interface Bar {
  /** Its range, in words. */
  readonly name: string;
  readonly count: number;
  /** At its left edge; by default nothing. */
  readonly label?: string | undefined;
}

export interface Mark {
  /** In bars from the left. */
  readonly place: number;
  readonly text: string;
}

interface HistogramProps {
  readonly name: string;
  readonly bars: readonly Bar[];
  /** From the left; at most two. */
  readonly marks: readonly Mark[];
  /** What is said and shown of a bar. */
  readonly describe: (bar: Bar) => string;
}

const labelWidth = 44;
const gapPx = 2;
const markHeadPx = 34;
/** About, of the text of a mark. */
const letterPx = 8;

export function Histogram({ name, bars, marks, describe }: HistogramProps) {
  const { t } = useReader();
  const [frame, width] = useWidth<HTMLDivElement>();
  const height = chartHeight(width);
  const inner = Math.max(1, width - pad.left - pad.right);
  const step = inner / Math.max(1, bars.length);
  const { at, listeners } = useCursor(bars.length, (x) => Math.floor((x - pad.left) / step));
  const ticks = ticksTo(Math.max(1, ...bars.map(({ count }) => count)), 'count');
  const floor = height - pad.bottom;
  const yOf = (count: number) =>
    floor - (count / (ticks.at(-1) ?? 1)) * (floor - pad.top - markHeadPx);
  const xOf = (place: number) => pad.left + place * step;
  const labelled = bars.flatMap(({ label }, index) =>
    label === undefined ? [] : [{ label, index }],
  );
  const shownLabels = labelPlaces(labelled.length, inner / labelWidth);
  const bar = at === undefined ? undefined : bars[at];
  return (
    <div
      ref={frame}
      className="chart"
      role="slider"
      tabIndex={0}
      aria-label={name}
      aria-valuemin={0}
      aria-valuemax={Math.max(0, bars.length - 1)}
      aria-valuenow={at ?? 0}
      aria-valuetext={bar ? describe(bar) : t('chart.how')}
      {...listeners}
    >
      <svg width={width} height={height} aria-hidden="true" data-chart>
        <Grid ticks={ticks} unit="count" width={width} yOf={yOf} />
        {bars.map(({ name, count }, index) => (
          <rect
            key={name}
            className={index === at ? 'column at' : 'column'}
            x={xOf(index) + gapPx / 2}
            width={Math.max(1, step - gapPx)}
            y={yOf(count)}
            height={floor - yOf(count)}
          />
        ))}
        {shownLabels.map((place) => {
          const { label, index = 0 } = labelled[place] ?? {};
          return (
            <text key={index} x={xOf(index)} y={height - 6} textAnchor="middle">
              {label}
            </text>
          );
        })}
        {marks.map(({ place, text }, index) => {
          const x = xOf(place);
          const textPx = text.length * letterPx;
          const isEnd = index === 0 ? x > textPx : width - x < textPx;
          return (
            <g key={text}>
              <line className="mark" x1={x} x2={x} y1={pad.top - 8 + index * 16} y2={floor} />
              <text
                className="mark-text"
                x={isEnd ? x - 6 : x + 6}
                y={pad.top + 2 + index * 16}
                textAnchor={isEnd ? 'end' : 'start'}
              >
                {text}
              </text>
            </g>
          );
        })}
      </svg>
      {bar && <Tip text={describe(bar)} left={xOf(at ?? 0)} width={width} />}
    </div>
  );
}

function Tip({ text, left, width }: Readonly<Record<'left' | 'width', number>> & { text: string }) {
  const side = left > width / 2 ? { right: width - left + 12 } : { left: left + 24 };
  return (
    <div className="tip" style={side} aria-hidden="true">
      <strong>{text}</strong>
    </div>
  );
}
