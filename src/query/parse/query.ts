import type { AudienceDimensionName } from '../../vocabulary/dimensions.ts';
import type { AudienceMeasureName } from '../../vocabulary/measures.ts';
import type { CompareKind } from '../../wire/questions/audience-messages.ts';
import type { Span } from '../ranges/range-cover.ts';
import type { DeclaredLabels } from './dimension-parser.ts';
import type { Filter } from './filter-parser.ts';

/** First and last day, yyyy-mm-dd in the question's zone, both included. */
export interface DayRange {
  readonly firstDay: string;
  readonly lastDay: string;
}

export interface SortBy {
  readonly name: AudienceMeasureName | AudienceDimensionName;
  readonly isDescending: boolean;
  /** Of a measure: values of as many whole units are equal; default: as they are. */
  readonly perUnit?: number;
}

/** A question of the audience, checked and with every default filled in. */
export interface Query extends DayRange {
  readonly accountId: number;
  readonly timeZone: string;
  readonly measures: readonly AudienceMeasureName[];
  readonly dimensions: readonly AudienceDimensionName[];
  /** All must hold; package and video are among them. */
  readonly filters: readonly Filter[];
  readonly labels: DeclaredLabels;
  /** As asked for; `rowOrder` completes it. */
  readonly sort: readonly SortBy[];
  readonly compare: CompareKind | undefined;
  readonly fillZero: boolean;
  readonly pageSize: number;
  /** What all rows show besides, by its name; default nothing. */
  readonly given?: Readonly<Record<string, string>>;
  /**
   * How many values of its only dimension have rows, those played most: the others are one,
   * `Other`. Default: all have one, or the question is refused.
   */
  readonly mostListed?: number;
  /** The moment (ms) that its answer shows; measures of quality need it. */
  readonly askedAtMs?: number;
  /** Whether its range is the one that another question's is compared with; default no. */
  readonly isCompared?: boolean;
  /** So much later are the weeks, months and years of slots, for a comparison; default 0. */
  readonly shiftDays?: number;
  /** Slots of which only the beginning counts, each up to an instant (ms); default none. */
  readonly cut?: readonly Span[];
}
