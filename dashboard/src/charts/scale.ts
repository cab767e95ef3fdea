/** Round values for an axis, from 0 to at least the largest one. */
import type { Unit } from '../measures.ts';

const minuteMs = 60_000;
const hourMs = 3_600_000;
/** Steps of time that people count in. */
const timeSteps = [1, 2, 5, 10, 15, 30]
  .flatMap((count) => [count * 1_000, count * minuteMs])
  .concat([1, 2, 3, 6, 12].map((count) => count * hourMs))
  .sort((left, right) => left - right);
const wantedTicks = 4;

const leastHeightPx = 248;
const mostHeightPx = 440;

/** On a large screen a chart is taller as well, or its lines would be flat. */
export function chartHeight(widthPx: number): number {
  return Math.round(Math.min(mostHeightPx, Math.max(leastHeightPx, widthPx / 5)));
}

export function ticksTo(largest: number, unit: Unit): number[] {
  const step = stepOf(largest / wantedTicks, unit);
  const count = Math.max(1, Math.ceil(largest / step - 1e-9));
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

function stepOf(least: number, unit: Unit): number {
  if (unit === 'duration') {
    const step = timeSteps.find((one) => one >= least);
    return step ?? roundStep(least / hourMs) * hourMs;
  }
  return unit === 'count' ? Math.max(1, roundStep(least)) : roundStep(least);
}

/** 1, 2, 2.5 or 5 times a power of ten. */
function roundStep(least: number): number {
  if (least <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(least));
  // 2.5 is no number of plays, 25 is.
  const factors = power < 10 && power >= 1 ? [1, 2, 5, 10] : [1, 2, 2.5, 5, 10];
  const factor = factors.find((one) => one * power >= least * (1 - 1e-9)) ?? 10;
  return factor * power;
}

/** Moments of a film for at most about so many labels, evenly apart in steps people count in. */
export function momentsTo(lengthMs: number, most: number): number[] {
  const step = stepOf(lengthMs / Math.max(1, most), 'duration');
  return Array.from({ length: Math.floor(lengthMs / step) + 1 }, (_, index) => index * step);
}

/** The places of about so many labels, evenly apart, the first one included. */
export function labelPlaces(count: number, most: number): number[] {
  const step = Math.max(1, Math.ceil(count / Math.max(1, most)));
  return Array.from({ length: Math.ceil(count / step) }, (_, index) => index * step);
}
