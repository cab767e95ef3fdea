/** Labels the counted rows: names come from the catalog. */
import type { Catalog } from '../../catalog/catalog.ts';
import { nextTurn } from '../../lib/tasks/fair-turns.ts';
import { mapPortions } from '../../lib/tasks/work-portions.ts';
import { remembered } from '../../lib/values/memo.ts';
import {
  type AudienceDimensionName,
  audienceDimension,
  isTime,
  unknownValue,
} from '../../vocabulary/dimensions.ts';
import { findSql, keysPerDimension } from '../labels/dimension-sql.ts';
import { type Label, textOrder, versionOrder } from '../labels/label.ts';
import { type Calendar, type ReadLabel, timeLabels } from '../labels/time-labels.ts';
import type { DeclaredLabels } from '../parse/dimension-parser.ts';
import type { Counts } from '../plan/counts.ts';
import { named } from '../plan/played-videos.ts';

const pace = { size: 2_000, takeTurn: nextTurn };

/** Keys, as the store groups by. */
export interface CountedKeys {
  readonly keys: readonly string[];
  readonly counts: Counts;
}

export interface LabelledCounts {
  /** One a dimension, in their order. */
  readonly labels: readonly Label[];
  readonly counts: Counts;
}

interface About {
  readonly accountId: number;
  readonly dimensions: readonly AudienceDimensionName[];
  readonly calendar: Calendar;
  readonly labels: DeclaredLabels;
  readonly catalog: Pick<Catalog, 'names'> & { readonly videos: Pick<Catalog['videos'], 'known'> };
}

export async function labelRows(
  rows: readonly CountedKeys[],
  about: About,
): Promise<LabelledCounts[]> {
  const readers: { readonly from: number; readonly until: number; readonly read: ReadLabel }[] = [];
  let from = 0;
  for (const name of about.dimensions) {
    const until = from + keysPerDimension(name);
    readers.push({ from, until, read: await createReader(name, rows, from, about) });
    from = until;
  }
  const [only, ...others] = readers;
  const labelsOf: (keys: readonly string[]) => Label[] =
    only && others.length === 0
      ? (keys) => [only.read(keys)]
      : (keys) => readers.map(({ from, until, read }) => read(keys.slice(from, until)));
  return mapPortions(rows, pace, ({ keys, counts }) => ({ counts, labels: labelsOf(keys) }));
}

async function createReader(
  name: AudienceDimensionName,
  rows: readonly CountedKeys[],
  index: number,
  { accountId, calendar, labels, catalog }: About,
): Promise<ReadLabel> {
  if (isTime(name)) {
    const read = timeLabels(name, calendar);
    return name === 'hour' ? read : readOnce(read);
  }
  const sql = findSql(name, labels);
  if (sql.kind === 'coded') {
    const [first] = sql.values;
    return readOnce(([key]) => textLabel(sql.values[Number(key)] ?? first));
  }
  if (sql.kind !== 'content') {
    const isVersion = audienceDimension(name).order === 'version';
    return readOnce(([key = '']) => {
      const label = textLabel(key);
      return isVersion ? { ...label, order: versionOrder(label.order) } : label;
    });
  }
  const ids = [...new Set(rows.map(({ keys }) => Number(keys[index])))];
  switch (name) {
    case 'video': {
      const videos = await named((some) => catalog.videos.known(accountId, some), ids);
      const known = new Map(videos.map((video) => [video.videoId, video]));
      return readOnce(([key]) => {
        const { accessKey = unknownValue, title = '' } = known.get(Number(key)) ?? {};
        return { ...textLabel(accessKey), caption: title };
      });
    }
    case 'package':
      return numbered(await named((some) => catalog.names.packages(accountId, some), ids));
    default:
      return numbered(await named((some) => catalog.names.folders(accountId, some), ids));
  }
}

function textLabel(value: string) {
  return { value, order: textOrder(value), place: value };
}

function numbered(names: readonly { readonly id: number; readonly name: string }[]): ReadLabel {
  const known = new Map(names.map(({ id, name }) => [id, name]));
  return readOnce(([key]) => {
    const value = Number(key);
    return { value, caption: known.get(value) ?? '', order: value, place: value };
  });
}

/** Many rows have the same label. */
function readOnce(read: ReadLabel): ReadLabel {
  return remembered(read, (keys) => keys.join(' '));
}
