/** The order of rows: total, and as a person reads the labels. */
import type { MeasureName } from '../wire/statistics.ts';
import { type DimensionName, type Statistic, statistics } from '../wire/statistics.ts';
import type { Question } from './question.ts';
import type { Sum } from './sum.ts';

const shown: Record<MeasureName, (sum: Sum) => number> = {
  videoCount: (sum) => sum.plays,
  // By what is shown, so that equal seconds are a tie and the own label decides.
  duration: (sum) => Math.floor(sum.playMs / 1_000),
};

export function inOrder(sums: readonly Sum[], question: Question): Sum[] {
  const statistic: Statistic = statistics[question.statistic];
  const byOwnLabel = byLabel(statistic.ownLabel);
  const { sortData } = question;
  const measure = sortData in shown ? shown[sortData as MeasureName] : undefined;
  const byTarget = measure
    ? (one: Sum, other: Sum) => measure(one) - measure(other)
    : byLabel(sortData as DimensionName);
  const sign = question.sortDirection === 'asc' ? 1 : -1;
  return [...sums].sort((one, other) => sign * byTarget(one, other) || byOwnLabel(one, other));
}

function byLabel(name: DimensionName): (one: Sum, other: Sum) => number {
  const compare = name === 'detail' ? compareVersions : compareTexts;
  return (one, other) => compare(one.labels[name] ?? '', other.labels[name] ?? '');
}

/** Numerically part by part, 9 before 10 before 10.15; what is no number comes after, as text. */
export function compareVersions(one: string, other: string): number {
  const left = one.split('.');
  const right = other.split('.');
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const a = left[index];
    const b = right[index];
    if (a === undefined || b === undefined) return a === undefined ? -1 : 1;
    const difference = comparePart(a, b);
    if (difference !== 0) return difference;
  }
  return 0;
}

function comparePart(one: string, other: string): number {
  const isNumber = /^\d+$/;
  const [a, b] = [isNumber.test(one), isNumber.test(other)];
  if (a !== b) return a ? -1 : 1;
  return (a ? Number(one) - Number(other) : 0) || compareTexts(one, other);
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
