/** Whether the condition of an alert holds: the one place where that is decided. */
import { assert } from '../../lib/assert.ts';
import type { AlertTerms, DropTerms, ThresholdTerms } from '../../wire/management/alerts.ts';

/** What was found; null where there is nothing to divide by. */
export interface Figures {
  /** Of the measure; of silence undefined. */
  readonly value?: number | null;
  /** The measure in the weeks before, for a drop; null too where single views were erased. */
  readonly before?: readonly (number | null)[];
  /** Whether anything played, for silence. */
  readonly isPlaying?: boolean;
}

/** Undefined: the figures do not show it, and the alert stays as it is. */
export function holds(terms: AlertTerms, figures: Figures): boolean | undefined {
  switch (terms.kind) {
    case 'threshold':
      return isBeyond(terms, figures.value ?? null);
    case 'drop':
      return isDropped(terms, figures);
    case 'silence':
      return figures.isPlaying === undefined ? undefined : !figures.isPlaying;
  }
}

/** The average of the weeks before; null if none of them has any. */
export function findExpected({ before = [] }: Figures): number | null {
  const known = before.filter((value) => value !== null);
  if (known.length === 0) return null;
  return known.reduce((sum, value) => sum + value, 0) / known.length;
}

function isBeyond({ above, below }: ThresholdTerms, value: number | null): boolean | undefined {
  if (value === null) return undefined;
  if (above !== null) return value > above;
  assert(below !== null, 'a threshold has a bound');
  return value < below;
}

function isDropped({ percent, atLeast }: DropTerms, figures: Figures): boolean | undefined {
  const { value = null } = figures;
  const expected = findExpected(figures);
  if (value === null || expected === null) return undefined;
  // Whole numbers as far as they go: 90 of 100 is lower by 10 %.
  return expected > 0 && expected >= atLeast && value * 100 <= expected * (100 - percent);
}
