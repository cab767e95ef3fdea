/**
 * The raw facts of an account as rows of a file: those that count, merged, each stretch's part in a
 * slot once, in a fixed order.
 */
import type { Catalog } from '../../catalog/catalog.ts';
import { assert } from '../../lib/assert.ts';
import {
  type AccountDay,
  boundArray,
  detailColumns,
  type FactReader,
  type RowFormat,
  tables,
  type WrittenRows,
} from '../../store/facts.ts';
import { waitCauses, waitOutcomes } from '../../vocabulary/waits.ts';
import { named as namesOfAll } from '../plan/played-videos.ts';
import { formulaStart } from '../present/csv-text.ts';
import { countedFacts, factColumns, parametersOfCounted } from '../ranges/counted-facts.ts';
import { readOverclaimedSlots } from '../ranges/overclaimed-slots.ts';
import type { Span } from '../ranges/range-cover.ts';
import { slotsWithin } from '../ranges/slot-ranges.ts';

export interface FactSources {
  readonly facts: FactReader;
  readonly catalog: Pick<Catalog, 'videos' | 'names' | 'labels'>;
}

interface FactsToExport {
  readonly accountId: number;
  readonly span: Span;
  readonly format: RowFormat;
  readonly signal: AbortSignal;
}

/** The UTC days (ms) with facts that begin within the span, ascending. */
export async function daysWithFacts(
  facts: FactReader,
  accountId: number,
  span: Span,
): Promise<number[]> {
  const within = slotsWithin([span]);
  const found = await facts.readMany<{ seconds: number }>({
    name: 'list days to export',
    sql: `SELECT DISTINCT toUnixTimestamp(toStartOfDay(slot)) AS seconds FROM ${tables.stretch.name}
WHERE accountId = {accountId:UInt32} AND ${within.sql} ORDER BY seconds`,
    parameters: { accountId, ...within.parameters },
  });
  return found.map(({ seconds }) => seconds * 1_000);
}

/**
 * The days of accounts into which facts came since an instant of the store's clock, and that clock
 * now. Notes are kept for three days; those of a long insert are stamped when it begins.
 */
export async function daysTouchedSince(
  facts: FactReader,
  sinceMs: number,
): Promise<{ readonly storeNowMs: number; readonly days: readonly AccountDay[] }> {
  const [found] = await facts.read<{ storeNowMs: number; days: [number, number][] }>({
    name: 'list days to export again',
    sql: `SELECT toUnixTimestamp64Milli(now64(3)) AS storeNowMs,
groupUniqArray((accountId, toUnixTimestamp(toStartOfDay(slot)))) AS days
FROM ${tables.touched.name} WHERE arrival >= fromUnixTimestamp64Milli({sinceMs:Int64})`,
    parameters: { sinceMs },
  });
  assert(found, 'a list of no rows is a row');
  const days = found.days.map(([accountId, day]) => ({ accountId, day: day * 1_000 }));
  return { storeNowMs: found.storeNowMs, days };
}

/** Between erasures, so that no file has half of one. */
export async function writeFacts(sources: FactSources, asked: FactsToExport): Promise<WrittenRows> {
  let written: WrittenRows | undefined;
  return sources.facts.between(asked.accountId, async () => {
    written?.bytes.destroy();
    written = await writeOnce(sources, asked);
    return written;
  });
}

async function writeOnce(
  { facts, catalog }: FactSources,
  { accountId, span, format, signal }: FactsToExport,
): Promise<WrittenRows> {
  const counting = await facts.countedWithin({ accountId, ...span });
  const source = { accountId, spans: [span], ...counting };
  const overclaimed = await readOverclaimedSlots(facts, source);
  const names = await readNames({ facts, catalog }, accountId, span);
  const labels = await catalog.labels.list(accountId);
  const columns = rowColumns(names, labels);
  const order = tables.stretch.orderBy.filter((name) => !isLeftOut(name));
  // The columns of a row have the names of those that they are made of.
  const sql = `SELECT ${columns.map(([name, value]) => shown(name, value, format)).join(',\n  ')}
FROM (
SELECT ${factColumns.map((name) => `${name} AS own_${name}`).join(', ')}, countedMs AS own_countedMs FROM (
${countedFacts({ ...source, overclaimed })}
))
ORDER BY ${order.map((name) => `own_${name}`).join(', ')}`;
  const parameters = { ...parametersOfCounted({ ...source, overclaimed }), ...names.parameters };
  return facts.write({ name: 'export facts', sql, parameters }, format, signal);
}

/** Columns that counted facts do not have. */
function isLeftOut(column: string): boolean {
  return column === 'accountId' || column === 'suspect';
}

type Value = readonly [sql: string, isText?: boolean];

function rowColumns(
  names: Awaited<ReturnType<typeof readNames>>,
  labels: readonly { readonly number: number; readonly name: string }[],
): [string, Value][] {
  const text = (column: string): Value => [`toString(own_${column})`, true];
  const number = (column: string): Value => [`own_${column}`];
  const named = (column: string, codes: Readonly<Record<string, number>>): Value => {
    const names = Object.keys(codes).map((name) => `'${name}'`);
    return [
      `transform(own_${column}, [${Object.values(codes).join(', ')}], [${names.join(', ')}], '')`,
    ];
  };
  const details = detailColumns.filter((column) => !column.startsWith('label'));
  return [
    ['slot', ["toDateTime64(own_slot, 3, 'UTC')"]],
    ['package', number('packageId')],
    ['packageName', [names.packageName, true]],
    ['video', [names.video, true]],
    ['os', text('os')],
    ['osVersion', text('osVersion')],
    ['view', ['toString(own_view)']],
    ['stretch', number('stretch')],
    ['plays', number('plays')],
    ['playMs', number('playMs')],
    ['countedMs', number('countedMs')],
    [
      'startedAt',
      ["if(own_startMs = 0, NULL, fromUnixTimestamp64Milli(toInt64(own_startMs), 'UTC'))"],
    ],
    ['laterMs', number('laterMs')],
    ['position', ['if(own_position = 0, NULL, own_position - 1)']],
    ['mediaMs', number('mediaMs')],
    ['viewer', ["if(own_viewer = 0, '', toString(own_viewer))"]],
    ...details.map((column): [string, Value] => [column, text(column)]),
    ['waitMs', number('waitMs')],
    ['cause', named('cause', waitCauses)],
    ['outcome', named('outcome', waitOutcomes)],
    ['error', text('error')],
    ['mediaHost', text('mediaHost')],
    ...(['mediaBits', 'frames', 'droppedFrames'] as const).map((column): [string, Value] => [
      column,
      number(column),
    ]),
    ...labels.map(({ number: label, name }): [string, Value] => [
      `label.${name}`,
      text(`label${label}`),
    ]),
  ];
}

/** In CSV, text that a spreadsheet would take for a formula gets a quote before it. */
function shown(name: string, [sql, isText]: Value, format: RowFormat): string {
  const isRisky = isText && format.startsWith('csv');
  const start = formulaStart.replaceAll('\\', '\\\\');
  const value = isRisky ? `replaceRegexpOne(${sql}, '${start}', '\\'\\\\0')` : sql;
  return `${value} AS \`${name}\``;
}

/** SQL for what the facts have only as a number. */
async function readNames({ facts, catalog }: FactSources, accountId: number, span: Span) {
  const within = slotsWithin([span]);
  const found = await facts.readMany<{ packageId: number; videoId: number }>({
    name: 'list names to export',
    sql: `SELECT DISTINCT packageId, videoId FROM ${tables.stretch.name}
WHERE accountId = {accountId:UInt32} AND ${within.sql} ORDER BY packageId, videoId`,
    parameters: { accountId, ...within.parameters },
  });
  const videoIds = [...new Set(found.map(({ videoId }) => videoId))];
  const packageIds = [...new Set(found.map(({ packageId }) => packageId))];
  const videos = await namesOfAll((some) => catalog.videos.known(accountId, some), videoIds);
  const packages = await namesOfAll((some) => catalog.names.packages(accountId, some), packageIds);
  const ofVideos = boundNames(
    'videos',
    videos.map(({ videoId, accessKey }) => [videoId, accessKey]),
  );
  const ofPackages = boundNames(
    'packages',
    packages.map(({ id, name }) => [id, name]),
  );
  return {
    video: `transform(own_videoId, ${ofVideos.ids}, ${ofVideos.names}, '')`,
    packageName: `transform(own_packageId, ${ofPackages.ids}, ${ofPackages.names}, '')`,
    parameters: { ...ofVideos.parameters, ...ofPackages.parameters },
  };
}

function boundNames(name: string, named: readonly (readonly [id: number, name: string])[]) {
  const ids = boundArray(
    `${name}Ids`,
    'UInt32',
    named.map(([id]) => id),
  );
  const names = boundArray(
    `${name}Names`,
    'String',
    named.map(([, text]) => text),
  );
  return {
    ids: ids.sql,
    names: names.sql,
    parameters: { ...ids.parameters, ...names.parameters },
  };
}
