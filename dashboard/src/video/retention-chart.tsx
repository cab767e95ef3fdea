import { type KeyboardEvent, useId } from 'react';
import { areaPath, linePath } from '../charts/line-path.ts';
import { chartHeight, momentsTo } from '../charts/scale.ts';
import { useCursor } from '../charts/use-cursor.ts';
import { useWidth } from '../charts/use-width.ts';
import { useReader } from '../language.tsx';
import { areOfTwoVideos, type RetentionCurve, type RetentionPair } from './retention-sides.ts';
import { shareOf } from './share-of.ts';

interface RetentionChartProps {
  readonly curves: RetentionPair;
  /** Where the film is. */
  readonly playedMs: number | undefined;
  readonly onSeek: (ms: number) => void;
}

/** On a phone the film stands below, and is to be in sight. */
const heights = { wide: 360, narrow: 240 };
const narrowPx = 480;
const pad = { top: 12, right: 22, bottom: 24, left: 44 };
const labelWidth = 64;
const secondMs = 1_000;

/**
 * The share of views that saw each part, beside that of a second curve, or beside how often it was
 * watched.
 */
export function RetentionChart({ curves, playedMs, onSeek }: RetentionChartProps) {
  const { t, formats } = useReader();
  const how = useId();
  const [frame, width] = useWidth<HTMLDivElement>();
  const { one, other } = curves;
  const { list, lengthMs } = one.data;
  const height = width < narrowPx ? heights.narrow : Math.max(heights.wide, chartHeight(width));
  const floor = height - pad.bottom;
  const inner = Math.max(1, width - pad.left - pad.right);
  const step = inner / Math.max(1, list.length);
  const xOf = (index: number) => pad.left + (index + 0.5) * step;
  const xAt = (ms: number) => pad.left + (ms / lengthMs) * inner;
  const top = other ? 1 : Math.max(1, ...list.map(({ watched }) => watched));
  const yOf = (value: number) => floor - (value / top) * (floor - pad.top);
  // A part may be longer than a second; of the film, each second is read and gone to.
  const cursorMs = Math.min(secondMs, lengthMs / Math.max(1, list.length));
  const { at, listeners } = useCursor(Math.ceil(lengthMs / cursorMs), (x) =>
    Math.floor(((x - pad.left) / inner) * (lengthMs / cursorMs)),
  );
  const atMs = at === undefined ? undefined : at * cursorMs;
  const seek = () => atMs !== undefined && onSeek(atMs);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      seek();
    } else listeners.onKeyDown(event);
  };
  const spotsOf = (curve: RetentionCurve) =>
    list.map((_, index) => ({ x: xOf(index), y: yOf(shareOf(curve, index)) }));
  const watched = list.map((part, index) => ({ x: xOf(index), y: yOf(part.watched) }));
  const said = useReading(curves, atMs);
  return (
    <div
      ref={frame}
      className="chart seekable"
      role="slider"
      tabIndex={0}
      aria-label={t('retention.name')}
      aria-describedby={how}
      aria-valuemin={0}
      aria-valuemax={Math.round(lengthMs / 1_000)}
      aria-valuenow={Math.round((atMs ?? playedMs ?? 0) / 1_000)}
      aria-valuetext={said ?? formats.position(playedMs ?? 0)}
      {...listeners}
      onKeyDown={onKeyDown}
      onClick={seek}
    >
      <svg width={width} height={height} aria-hidden="true" data-chart>
        <Shares top={top} width={width} yOf={yOf} />
        {areOfTwoVideos(curves) ? (
          <Places y={height - 6} xAt={(share) => pad.left + share * inner} />
        ) : (
          <Moments y={height - 6} lengthMs={lengthMs} most={inner / labelWidth} xAt={xAt} />
        )}
        {!other && (
          <>
            <path className="repeats" d={areaPath(watched, floor)} />
            <path className="watched" d={linePath(watched)} />
          </>
        )}
        <path className="area" d={areaPath(spotsOf(one), floor)} />
        <path className="line" d={linePath(spotsOf(one))} />
        {other && <path className="line second" d={linePath(spotsOf(other))} />}
        {playedMs !== undefined && <Upright x={xAt(playedMs)} floor={floor} at="film" />}
        {atMs !== undefined && <Upright x={xAt(atMs)} floor={floor} at="cursor" />}
      </svg>
      <Legend id={how} curves={curves} said={said} />
    </div>
  );
}

function Legend(props: {
  readonly id: string;
  readonly curves: RetentionPair;
  readonly said: string | undefined;
}) {
  const { t } = useReader();
  const { one, other } = props.curves;
  return (
    <p id={props.id} className="legend">
      <span className="key-audience">{other ? one.name : t('retention.audience')}</span>
      {other ? (
        <span className="key-second">{other.name}</span>
      ) : (
        <span className="key-watched">{t('retention.watched')}</span>
      )}
      <span className="quiet">{props.said ?? t('retention.how')}</span>
    </p>
  );
}

/** What the curves say of the moment that the reader looks at. */
function useReading({ one, other }: RetentionPair, atMs: number | undefined): string | undefined {
  const { t, formats } = useReader();
  if (atMs === undefined) return undefined;
  const { list } = one.data;
  const at = list.findLastIndex(({ fromMs }) => fromMs <= atMs);
  const part = list[at];
  if (part === undefined) return undefined;
  const position = formats.position(atMs);
  const share = formats.share(shareOf(one, at));
  if (other === undefined) {
    return t('retention.at', { position, share, watched: formats.number(part.watched) });
  }
  const otherShare = formats.share(shareOf(other, at));
  if (areOfTwoVideos({ one, other })) {
    const place = formats.share(at / list.length);
    return t('retention.atShare', { place, share, otherShare, one: one.name, other: other.name });
  }
  return t('retention.both', { position, share, otherShare, one: one.name, other: other.name });
}

const quarters = [0, 0.25, 0.5, 0.75, 1];

/** Of two videos, shares of their lengths. */
function Places(props: { readonly y: number; readonly xAt: (share: number) => number }) {
  const { formats } = useReader();
  const { y, xAt } = props;
  return quarters.map((share) => (
    <text key={share} x={xAt(share)} y={y} textAnchor="middle">
      {formats.share(share)}
    </text>
  ));
}

function Moments(props: {
  readonly y: number;
  readonly lengthMs: number;
  readonly most: number;
  readonly xAt: (ms: number) => number;
}) {
  const { formats } = useReader();
  const { y, lengthMs, most, xAt } = props;
  return momentsTo(lengthMs, most).map((ms) => (
    <text key={ms} x={xAt(ms)} y={y} textAnchor="middle">
      {formats.position(ms)}
    </text>
  ));
}

function Upright(props: {
  readonly x: number;
  readonly floor: number;
  readonly at: 'film' | 'cursor';
}) {
  const { x, floor, at } = props;
  return <line className={at} x1={x} x2={x} y1={pad.top} y2={floor} />;
}

function Shares(props: {
  readonly top: number;
  readonly width: number;
  readonly yOf: (value: number) => number;
}) {
  const { formats } = useReader();
  const { top, width, yOf } = props;
  const step = top > 2 ? Math.ceil(top / 4) : 0.5;
  const ticks = Array.from({ length: Math.floor(top / step) + 1 }, (_, index) => index * step);
  return ticks.map((tick) => (
    <g key={tick}>
      <line className="grid" x1={pad.left} x2={width} y1={yOf(tick)} y2={yOf(tick)} />
      <text x={pad.left - 8} y={yOf(tick) + 4} textAnchor="end">
        {formats.share(tick)}
      </text>
    </g>
  ));
}
