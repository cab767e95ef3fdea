/** What rows show for a dimension. */
import { type AudienceDimensionName, audienceDimension } from '../../vocabulary/dimensions.ts';
import { compareVersions } from './version-order.ts';

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
