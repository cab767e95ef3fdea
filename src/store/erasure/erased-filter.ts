/**
 * Leaves out what was erased, wherever facts and events enter the store: late beacons, imports and
 * what a journal replays. They are acknowledged, and dropped silently.
 */

import { assert } from '../../lib/assert.ts';
import { findKeptSince } from '../../vocabulary/erasures.ts';
import { viewerOfTold } from '../../vocabulary/viewers.ts';
import type { ErasureBook } from '../facts.ts';
import { batchOfRows, type FactBatch } from '../journal/fact-batch.ts';
import type { RememberedVerdicts } from '../sql/verdicts.ts';
import { isOutage } from '../sums/verdict-changes.ts';
import { slotMs } from '../tables/sums.ts';

/** What is known of a fact or an event; an event names no video and no viewer. */
export interface ErasableRow {
  readonly accountId: number;
  readonly view: string;
  /** Undefined for events: they go with their views. */
  readonly slotStart?: number;
  readonly packageId?: number;
  readonly videoId?: number;
  /** What was told of it. */
  readonly viewer?: string | undefined;
}

export interface ErasedFilter {
  /** The rows that were erased. Nearly always at once, and empty. */
  erased<Row extends ErasableRow>(rows: readonly Row[]): Promise<ReadonlySet<Row>>;
  /** The batch without them. */
  sieve(batch: FactBatch): Promise<FactBatch>;
}

export const erasesNothing: ErasureBook = { erasedUntil: async () => new Map() };

export function createErasedFilter(verdicts: RememberedVerdicts, book: ErasureBook): ErasedFilter {
  /**
   * While they cannot be read the last ones hold: accounts that had nothing erased are collected.
   * The names of the others cannot be looked up then, so their facts wait.
   */
  const readErasures = async () => {
    try {
      return (await verdicts.current()).erasures;
    } catch (error) {
      const last = verdicts.last();
      if (last === undefined || !isOutage(error)) throw error;
      return last.erasures;
    }
  };
  const erased: ErasedFilter['erased'] = async (rows) => {
    const erasures = await readErasures();
    const found = new Set<(typeof rows)[number]>();
    if (!erasures) return found;
    const byAccount = Map.groupBy(rows, ({ accountId }) => accountId);
    for (const [accountId, own] of byAccount) {
      if (!erasures.accounts.has(accountId)) continue;
      const keptSince = findKeptSince(erasures, accountId);
      const until = await book.erasedUntil(accountId, [...new Set(own.flatMap(listNames))]);
      for (const row of own) {
        const { slotStart = 0 } = row;
        const isErased = listNames(row).some((name) => slotStart < (until.get(name) ?? 0));
        if (isErased || (row.slotStart !== undefined && slotStart < keptSince)) found.add(row);
      }
    }
    return found;
  };
  return {
    erased,
    async sieve(batch) {
      const erasures = await readErasures();
      if (!erasures) return batch;
      const accounts = [...batch.slots].map((slot) => Number(slot.slice(0, slot.indexOf('\t'))));
      if (!accounts.some((accountId) => erasures.accounts.has(accountId))) return batch;
      const lines = readLines(batch);
      const found = await erased(lines);
      if (found.size === 0) return batch;
      return createBatch(
        batch,
        lines.filter((line) => !found.has(line)),
      );
    },
  };
}

/** Under which a fact may have been erased; see `Erasures`. */
function listNames({ view, viewer, packageId, videoId }: ErasableRow): string[] {
  const names = [view];
  const known = viewerOfTold(viewer ?? '0');
  if (known !== '0') names.push(known);
  if (packageId === undefined || videoId === undefined) return names;
  names.push(`${packageId} ${videoId}`, `${packageId} 0`, `0 ${videoId}`, '0 0');
  return names;
}

interface Line extends ErasableRow {
  readonly text: string;
  /** As in the slots of a batch. */
  readonly slot: string;
}

function readLines({ columns, rows }: FactBatch): Line[] {
  const at = (column: string) => {
    const index = columns.indexOf(column);
    assert(index >= 0, `rows of facts have the column ${column}`);
    return index;
  };
  const places = {
    ...{ accountId: at('accountId'), slot: at('slot'), view: at('view') },
    ...{ packageId: at('packageId'), videoId: at('videoId') },
    viewer: columns.indexOf('toldViewer'),
  };
  const lines = rows.toString().split('\n').slice(0, -1);
  return lines.map((text) => {
    const values = text.split('\t');
    const value = (name: keyof typeof places) => values[places[name]] ?? '';
    return {
      text,
      slot: `${value('accountId')}\t${value('slot')}`,
      accountId: Number(value('accountId')),
      slotStart: Math.floor((Number(value('slot')) * 1_000) / slotMs) * slotMs,
      view: value('view'),
      packageId: Number(value('packageId')),
      videoId: Number(value('videoId')),
      viewer: places.viewer < 0 ? undefined : value('viewer'),
    };
  });
}

function createBatch({ columns }: FactBatch, lines: readonly Line[]): FactBatch {
  return batchOfRows(columns, Buffer.from(lines.map(({ text }) => `${text}\n`).join('')));
}
