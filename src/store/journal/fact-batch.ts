/** Facts encoded for the journal and the store: rows of text, and the slots they touch. */
import { assert } from '../../lib/assert.ts';
import { nextTurn } from '../../lib/tasks/fair-turns.ts';
import { forPortions } from '../../lib/tasks/work-portions.ts';
import { waitCauses, waitOutcomes } from '../../vocabulary/waits.ts';
import type { Attributes, Ceiling, Fact, FactDetails, FactQuality } from '../facts.ts';
import { toldColumnNames, toldDetail, toldFactValue, toldSystem } from '../tables/audience.ts';

/** Encoding a portion takes one or two milliseconds. */
const pace = { size: 1_000, takeTurn: nextTurn };

export interface FactBatch {
  /** The columns of each row, in order. */
  readonly columns: readonly string[];
  /** In ClickHouse's format TabSeparated. */
  readonly rows: Buffer;
  readonly count: number;
  /** Keys are `<account>\t<slot in seconds>`. */
  readonly slots: ReadonlySet<string>;
}

/** Columns that every row has. */
const usualColumns = [
  'accountId',
  'slot',
  'packageId',
  'videoId',
  'view',
  'stretch',
  'plays',
  'playMs',
  'ceiling',
  'startMs',
  'laterMs',
  'position',
  'mediaMs',
  'toldViewer',
  'toldSystem',
] as const;

/** Columns that are empty in most facts, and may be left out. */
const toldDetails = toldColumnNames.filter((name) => name !== 'toldSystem');
const textColumns = ['suspect', ...toldDetails] as const;
type TextColumn = (typeof textColumns)[number];
/** Left out together: where one of them is told, most are. */
const qualityColumns = [
  'waitMs',
  'cause',
  'outcome',
  'mediaBits',
  'frames',
  'droppedFrames',
  'toldMediaHost',
  'toldError',
] as const;

const optionalColumns = [...textColumns, ...qualityColumns] as const;
type OptionalColumn = (typeof optionalColumns)[number];

/** All columns that rows may have. */
export const factColumns: readonly string[] = [...usualColumns, ...optionalColumns];

/** Which columns the facts of a process have filled so far. */
export interface FilledSoFar {
  /** All of these facts and those before them. */
  with(facts: readonly Fact[]): readonly OptionalColumn[];
}

/**
 * Each column costs the store a fortieth of an insert, even if it is empty. The set of columns only
 * grows, so that the rows of many batches have the same columns and go into one insert.
 */
export function createFilledSoFar(): FilledSoFar {
  let filled: readonly OptionalColumn[] = [];
  let otherTexts: readonly TextColumn[] = textColumns;
  let hasQuality = false;
  const add = (columns: readonly OptionalColumn[]) => {
    filled = optionalColumns.filter((name) => filled.includes(name) || columns.includes(name));
  };
  const fill = (fact: Fact): readonly OptionalColumn[] => {
    const found = otherTexts.filter((column) => formatText(fact, column) !== '');
    if (found.length > 0) {
      add(found);
      otherTexts = otherTexts.filter((column) => !found.includes(column));
    }
    return filled;
  };
  return {
    with(facts) {
      const fillOnce = onceForTexts(fill);
      for (const fact of facts) {
        fillOnce(fact);
        if (hasQuality || !fact.quality) continue;
        hasQuality = true;
        add(qualityColumns);
      }
      return filled;
    },
  };
}

/** Facts that share their attributes have the same texts, unless they are set apart. */
function onceForTexts<Value>(make: (fact: Fact) => Value): (fact: Fact) => Value {
  const made = new Map<Attributes | undefined, Value>();
  return (fact) => {
    if (fact.suspect !== '') return make(fact);
    const attributes = fact.details?.attributes;
    const known = made.get(attributes);
    if (known !== undefined) return known;
    const value = make(fact);
    made.set(attributes, value);
    return value;
  };
}

function formatText({ suspect, details }: Fact, column: TextColumn): string {
  if (column === 'suspect') return suspect;
  return details ? toldDetail(column, details.attributes) : '';
}

/** `filled`: the columns beside the usual ones, all that these facts need. */
export function encodeFacts(
  facts: readonly Fact[],
  filled: readonly OptionalColumn[] = optionalColumns,
): FactBatch {
  const columns = [...usualColumns, ...filled];
  const texts = textColumns.filter((column) => filled.includes(column));
  const hasQuality = filled.includes('cause');
  const slots = new Set<string>();
  let rows = '';
  const textsOfFact = onceForTexts((fact) => formatTexts(fact, texts));
  // Neighbours are mostly of one slot, and those of one request of one sender.
  let last: Fact | undefined;
  let slot = '';
  let system = '';
  for (const fact of facts) {
    if (last?.slotStart !== fact.slotStart || last.accountId !== fact.accountId) {
      // ClickHouse parses a number as an instant only if it has ten digits.
      slot = `${fact.accountId}\t${String(fact.slotStart / 1_000).padStart(10, '0')}`;
      slots.add(slot);
    }
    if (
      last?.os !== fact.os ||
      last.osVersion !== fact.osVersion ||
      last.systemRank !== fact.systemRank
    ) {
      system = escaped(toldSystem(fact.os, fact.osVersion, fact.systemRank));
    }
    rows +=
      `${slot}\t${fact.packageId}\t${fact.videoId}\t${fact.view}\t` +
      `${fact.stretch}\t${fact.plays}\t${fact.playMs}\t` +
      `${fact.ceiling ? storedCeiling(fact.ceiling) : 0}\t` +
      `${fact.details ? formatNumbers(fact.details) : noNumbers}\t${system}${textsOfFact(fact)}` +
      `${hasQuality ? formatQuality(fact.quality) : ''}\n`;
    last = fact;
  }
  return { columns, rows: Buffer.from(rows), count: facts.length, slots };
}

function formatTexts(fact: Fact, filled: readonly TextColumn[]): string {
  let texts = '';
  for (const column of filled) texts += `\t${escaped(formatText(fact, column))}`;
  return texts;
}

/** Exact as a number: no view has millions of events. */
function storedCeiling({ ms, known }: Ceiling): number {
  return known * 2 ** 32 + ms;
}

const noNumbers = '0\t0\t0\t0\t0';

function formatNumbers({ startMs, laterMs, position, mediaMs, viewer }: FactDetails): string {
  // 0 stands for none, so that a position is larger.
  const stored = position === undefined ? 0 : position + 1;
  return `${startMs}\t${laterMs}\t${stored}\t${mediaMs}\t${viewer ?? 0}`;
}

const noQuality = '\t0\t0\t0\t0\t0\t0\t\t';

function formatQuality(quality: FactQuality | undefined): string {
  if (quality === undefined) return noQuality;
  const { wait, mediaBits = 0, frames = 0, droppedFrames = 0, mediaHost } = quality;
  const ofWait = wait
    ? `${wait.waitMs}\t${waitCauses[wait.cause]}\t${waitOutcomes[wait.outcome]}`
    : '0\t0\t0';
  return (
    `\t${ofWait}\t${mediaBits}\t${frames}\t${droppedFrames}` +
    `\t${escaped(toldFactValue(mediaHost))}\t${escaped(toldFactValue(wait?.error))}`
  );
}

/** The same, with the columns filled so far; between portions other work has its turn. */
export async function encodeInPortions(
  facts: readonly Fact[],
  filledSoFar: FilledSoFar,
): Promise<FactBatch> {
  if (facts.length <= pace.size) return encodeFacts(facts, filledSoFar.with(facts));
  await forPortions(facts, pace, (portion) => {
    filledSoFar.with(portion);
  });
  const filled = filledSoFar.with([]);
  const batches: FactBatch[] = [];
  await forPortions(facts, pace, (portion) => {
    batches.push(encodeFacts(portion, filled));
  });
  return joinBatches(batches);
}

/** A batch of rows encoded earlier, perhaps by another release with other columns. */
export function batchOfRows(columns: readonly string[], rows: Buffer): FactBatch {
  const accountId = columns.indexOf('accountId');
  const slot = columns.indexOf('slot');
  assert(accountId >= 0 && slot >= 0, 'rows of facts name their account and slot');
  const lines = rows.toString().split('\n').slice(0, -1);
  const slots = new Set<string>();
  for (const line of lines) {
    const values = line.split('\t');
    slots.add(`${values[accountId]}\t${values[slot]}`);
  }
  return { columns, rows, count: lines.length, slots };
}

/** One batch for each set of columns. */
export function joinByColumns(batches: readonly FactBatch[]): FactBatch[] {
  return [...Map.groupBy(batches, ({ columns }) => columns.join()).values()].map(joinBatches);
}

/** All must have the same columns. */
export function joinBatches(batches: readonly FactBatch[]): FactBatch {
  const [only] = batches;
  if (only && batches.length === 1) return only;
  const columns = batches[0]?.columns ?? factColumns;
  const slots = new Set<string>();
  for (const batch of batches) {
    assert(
      batch.columns.join() === columns.join(),
      'batches that are joined have the same columns',
    );
    for (const slot of batch.slots) slots.add(slot);
  }
  return {
    columns,
    rows: Buffer.concat(batches.map(({ rows }) => rows)),
    count: batches.reduce((sum, { count }) => sum + count, 0),
    slots,
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
