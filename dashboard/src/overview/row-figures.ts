/** What a list says beside the value of a row: its share of the whole, and how it changed. */
import { drawnValue, leastViewsOfShare, type Measure, valueOfNothing } from '../measures.ts';
import type { Answer, Row } from '../questions.ts';

/** `new`: there was nothing before; `unsure`: before, too few plays to compare with. */
export type RowChange = 'new' | 'unsure' | { readonly before: number };

export interface RowFigures {
  readonly value: number | null | undefined;
  /** Undefined of an average, and where the whole is nothing. */
  readonly share: number | undefined;
  /** Undefined if nothing is compared. */
  readonly change: RowChange | undefined;
}

/** Plays are asked for as well: they say how much a change rests on. */
export function listMeasures(measure: Measure): [Measure, ...Measure[]] {
  return measure === 'plays' ? [measure] : [measure, 'plays'];
}

/** Of viewers too, who may be in several rows: a row has this share of all of them. */
export function hasShare(measure: Measure): boolean {
  return valueOfNothing(measure) === 0;
}

export function rowFigures(row: Row, totals: Answer['totals'], measure: Measure): RowFigures {
  const value = drawnValue(row, measure);
  const whole = totals[measure];
  const isShared = hasShare(measure) && typeof value === 'number' && !!whole;
  return {
    value,
    share: isShared ? value / whole : undefined,
    change: changeOfRow(row, totals, measure),
  };
}

function changeOfRow(row: Row, totals: Answer['totals'], measure: Measure): RowChange | undefined {
  if (row.previous === undefined) return undefined;
  const playsBefore = row.previous?.plays ?? 0;
  // Where nothing at all was played before, every row would be new.
  const wasAnything = (totals.previous?.plays ?? 0) > 0;
  if (playsBefore === 0) return wasAnything ? 'new' : 'unsure';
  const before = drawnValue(row.previous, measure);
  const isFew = playsBefore < leastViewsOfShare;
  return isFew || !before || typeof drawnValue(row, measure) !== 'number' ? 'unsure' : { before };
}
