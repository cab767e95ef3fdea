/** Facts in the form in which they are kept and stored: rows of text, and the slots they touch. */
import type { StretchFact } from './facts.ts';

export interface FactBatch {
  /** In the engine's TabSeparated form, the columns in the order of table `stretch`. */
  readonly rows: Buffer;
  readonly count: number;
  /** By `<account>\t<slot in seconds>`. */
  readonly slots: ReadonlySet<string>;
}

export function encodeFacts(facts: readonly StretchFact[]): FactBatch {
  const slots = new Set<string>();
  let rows = '';
  for (const fact of facts) {
    // The engine takes a number for an instant only where it has ten digits.
    const slot = `${fact.accountId}\t${String(fact.slotStart / 1_000).padStart(10, '0')}`;
    slots.add(slot);
    rows +=
      `${slot}\t${fact.packageId}\t${fact.videoId}\t${escaped(fact.os)}\t` +
      `${escaped(fact.osVersion)}\t${fact.view}\t${fact.stretch}\t${fact.plays}\t${fact.playMs}\n`;
  }
  return { rows: Buffer.from(rows), count: facts.length, slots };
}

/** A batch of rows that were encoded before. */
export function batchOfRows(rows: Buffer): FactBatch {
  const lines = rows.toString().split('\n').slice(0, -1);
  const slots = new Set(lines.map((line) => line.split('\t', 2).join('\t')));
  return { rows, count: lines.length, slots };
}

export function joinBatches(batches: readonly FactBatch[]): FactBatch {
  const slots = new Set<string>();
  for (const batch of batches) for (const slot of batch.slots) slots.add(slot);
  return {
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
  return text.replace(special, (character) => escapes[character] as string);
}
