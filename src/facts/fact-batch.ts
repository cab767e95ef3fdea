/** Facts encoded for the journal and the store: rows of text, and the slots they touch. */
import { assert } from '../lib/assert.ts';
import { nextTurn } from '../lib/next-turn.ts';
import { detailColumns } from './attributes.ts';
import type { Ceiling, Fact, FactDetails } from './facts.ts';

/** Encoding them takes one or two milliseconds. */
const factsPerPortion = 1_000;

export interface FactBatch {
  /** The columns of each row, in order. */
  readonly columns: readonly string[];
  /** In ClickHouse's format TabSeparated. */
  readonly rows: Buffer;
  readonly count: number;
  /** Keys are `<account>\t<slot in seconds>`. */
  readonly slots: ReadonlySet<string>;
  /** Those with facts that have a ceiling. */
  readonly shrinkable: ReadonlySet<string>;
}

/** The columns that `encodeFacts` writes, in order. */
export const factColumns: readonly string[] = [
  'accountId',
  'slot',
  'packageId',
  'videoId',
  'os',
  'osVersion',
  'view',
  'stretch',
  'suspect',
  'plays',
  'playMs',
  'ceiling',
  'startMs',
  'laterMs',
  'position',
  'mediaMs',
  'viewer',
  ...detailColumns,
];

export function encodeFacts(facts: readonly Fact[]): FactBatch {
  const slots = new Set<string>();
  const shrinkable = new Set<string>();
  let rows = '';
  for (const fact of facts) {
    // ClickHouse parses a number as an instant only if it has ten digits.
    const slot = `${fact.accountId}\t${String(fact.slotStart / 1_000).padStart(10, '0')}`;
    slots.add(slot);
    if (fact.ceiling) shrinkable.add(slot);
    rows +=
      `${slot}\t${fact.packageId}\t${fact.videoId}\t${escaped(fact.os)}\t` +
      `${escaped(fact.osVersion)}\t${fact.view}\t${fact.stretch}\t` +
      `${escaped(fact.suspect)}\t${fact.plays}\t${fact.playMs}\t` +
      `${fact.ceiling ? storedCeiling(fact.ceiling) : 0}\t` +
      `${fact.details ? valuesOf(fact.details) : noDetails}\n`;
  }
  return { columns: factColumns, rows: Buffer.from(rows), count: facts.length, slots, shrinkable };
}

/** Exact as a number: no view has millions of events. */
function storedCeiling({ ms, known }: Ceiling): number {
  return known * 2 ** 32 + ms;
}

const noDetails = `0\t0\t0\t0\t0${'\t'.repeat(detailColumns.length)}`;

function valuesOf({
  startMs,
  laterMs,
  position,
  mediaMs,
  viewer,
  attributes,
}: FactDetails): string {
  // 0 stands for none, so that a position is larger.
  const stored = position === undefined ? 0 : position + 1;
  let values = `${startMs}\t${laterMs}\t${stored}\t${mediaMs}\t${viewer ?? 0}`;
  for (const column of detailColumns) values += `\t${escaped(attributes[column] ?? '')}`;
  return values;
}

/** The same, but between portions other work has its turn. */
export async function encodeInPortions(facts: readonly Fact[]): Promise<FactBatch> {
  if (facts.length <= factsPerPortion) return encodeFacts(facts);
  const batches: FactBatch[] = [];
  for (let start = 0; start < facts.length; start += factsPerPortion) {
    if (start > 0) await nextTurn();
    batches.push(encodeFacts(facts.slice(start, start + factsPerPortion)));
  }
  return joinBatches(batches);
}

/** A batch of rows encoded earlier, perhaps by another release with other columns. */
export function batchOfRows(columns: readonly string[], rows: Buffer): FactBatch {
  const accountId = columns.indexOf('accountId');
  const slot = columns.indexOf('slot');
  assert(accountId >= 0 && slot >= 0, 'rows of facts name their account and slot');
  const ceiling = columns.indexOf('ceiling');
  const lines = rows.toString().split('\n').slice(0, -1);
  const slots = new Set<string>();
  const shrinkable = new Set<string>();
  for (const line of lines) {
    const values = line.split('\t');
    const touched = `${values[accountId]}\t${values[slot]}`;
    slots.add(touched);
    if (ceiling >= 0 && values[ceiling] !== '0') shrinkable.add(touched);
  }
  return { columns, rows, count: lines.length, slots, shrinkable };
}

/** All must have the same columns. */
export function joinBatches(batches: readonly FactBatch[]): FactBatch {
  const [only] = batches;
  if (only && batches.length === 1) return only;
  const columns = batches[0]?.columns ?? factColumns;
  const slots = new Set<string>();
  const shrinkable = new Set<string>();
  for (const batch of batches) {
    assert(
      batch.columns.join() === columns.join(),
      'batches that are joined have the same columns',
    );
    for (const slot of batch.slots) slots.add(slot);
    for (const slot of batch.shrinkable) shrinkable.add(slot);
  }
  return {
    columns,
    rows: Buffer.concat(batches.map(({ rows }) => rows)),
    count: batches.reduce((sum, { count }) => sum + count, 0),
    slots,
    shrinkable,
  };
}

const special = /[\\\t\n\r]/g;
const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
};

function escaped(text: string): string {
  // Nearly all have none, and are empty besides: looking is cheaper than replacing.
  if (text.search(special) < 0) return text;
  return text.replace(special, (character) => escapes[character] as string);
}
