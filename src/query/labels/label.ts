/** What rows show for a dimension. */
import { type AudienceDimensionName, audienceDimension } from '../../vocabulary/dimensions.ts';

export interface Label {
  readonly value: string | number;
  /** For people, beside it. */
  readonly caption?: string | undefined;
  /** What it is ordered by. */
  readonly order: string | number;
  /** What the label of a row of another range must be to stand for the same. */
  readonly place: string | number;
}

export function compareLabels(name: AudienceDimensionName, one: Label, other: Label): number {
  if (one.order === other.order) return compareText(String(one.value), String(other.value));
  if (typeof one.order === 'number' && typeof other.order === 'number') {
    return one.order - other.order;
  }
  const compare = audienceDimension(name).order === 'version' ? compareVersions : compareText;
  return compare(String(one.order), String(other.order));
}

function compareText(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/**
 * Versions by their parts, 9 before 10 before 10.15: numbers by value, also those with more digits
 * than a number has, and anything else after them, as text.
 */
export function compareVersions(one: string, other: string): number {
  const parts = one.split('.');
  const others = other.split('.');
  for (const [index, part] of parts.entries()) {
    const against = others[index];
    if (against === undefined) return 1;
    const order = comparePart(part, against);
    if (order !== 0) return order;
  }
  return parts.length - others.length;
}

function comparePart(one: string, other: string): number {
  const [first, second] = [digitsOf(one), digitsOf(other)];
  if (first === undefined || second === undefined) {
    if (first !== second) return first === undefined ? 1 : -1;
    return compareText(one, other);
  }
  return first.length - second.length || compareText(first, second) || compareText(one, other);
}

/** Without leading zeros; undefined if it is not a number. */
function digitsOf(part: string): string | undefined {
  return /^[0-9]+$/.test(part) ? part.replace(/^0+/, '') : undefined;
}
