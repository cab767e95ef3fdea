/** The value of a dimension of a fact or of a sum, as text, in SQL. Columns are those of facts. */
import type { DetailColumn } from '../../facts/facts.ts';
import { assert } from '../../lib/assert.ts';
import type { ClockOffset } from '../../lib/time-zone.ts';
import {
  type AudienceDimensionName,
  isLabel,
  labelPrefix,
  type RecordedDimension,
  unknownValue,
} from '../../wire/audience.ts';
import { clockOffset, localTime } from '../local-clock.ts';
import type { DeclaredLabels } from './read-dimension.ts';

export interface LabelContext {
  /** The zone's offsets over the range; `clockParameters` binds them. */
  readonly clock: readonly ClockOffset[];
  readonly labels: DeclaredLabels;
}

/** What the catalog knows of a video is no column. */
export type StoredDimension = Exclude<AudienceDimensionName, 'video' | 'folder'>;

export function labelSql(name: StoredDimension, { clock, labels }: LabelContext): string {
  if (isLabel(name)) {
    const number = labels.get(name.slice(labelPrefix.length));
    assert(number !== undefined, `${name} is declared`);
    return known(`label${number}` as DetailColumn);
  }
  return labelsInSql[name as RecordedStored](localTime(clock), clockOffset(clock));
}

/** The offset as RFC 3339 writes it. */
function offsetText(seconds: string): string {
  return `concat(if(${seconds} < 0, '-', '+'),
  formatDateTime(toDateTime(abs(${seconds}), 'UTC'), '%H:%i'))`;
}

type RecordedStored = Exclude<RecordedDimension, 'video' | 'folder'>;

const labelsInSql: Readonly<Record<RecordedStored, (local: string, offset: string) => string>> = {
  hour: (local, offset) =>
    `concat(formatDateTime(${local}, '%Y-%m-%dT%H:00:00'), ${offsetText(offset)})`,
  date: (local) => `toString(toDate(${local}))`,
  week: (local) => `toString(toMonday(${local}))`,
  month: (local) => `toString(toStartOfMonth(${local}))`,
  year: (local) => `toString(toStartOfYear(${local}))`,
  hourOfDay: (local) => `formatDateTime(${local}, '%H')`,
  weekday: (local) => `toString(toDayOfWeek(${local}))`,
  package: () => 'toString(packageId)',
  os: () => known('os'),
  osVersion: () => known('osVersion'),
  device: () => known('device'),
  browser: () => known('browser'),
  browserVersion: () => known('browserVersion'),
  country: () => known('country'),
  viewerKind: () => viewerKindSql,
  host: () => known('host'),
  page: () => known('page'),
  referrer: () => known('referrer'),
  player: () => known('player'),
};

/** The kind is in the upper two bits. */
const viewerKindSql = "transform(bitShiftRight(viewer, 62), [2, 1], ['named', 'daily'], 'none')";

function known(column: DetailColumn | 'os' | 'osVersion'): string {
  return `if(${column} = '', '${unknownValue}', ${column})`;
}
