import type { KnownVideo } from '../../catalog/catalog.ts';
import type { ClockOffset } from '../../lib/time/time-zone.ts';
import type {
  AudienceDay,
  AudienceGroupingName,
  FactQuery,
  GroupingName,
} from '../../store/facts.ts';
import type { Conditions } from '../labels/filter-conditions.ts';
import type { CountedDays } from '../ranges/counted-days.ts';
import type { CountedSource } from '../ranges/counted-facts.ts';
import type { Cover, Span } from '../ranges/range-cover.ts';
import type { CountName } from './counts.ts';

/** By which expressions rows are grouped, one or two a dimension. Columns are those of facts. */
export interface GroupKeys {
  /** In the order of the dimensions; `hour` has two, its local start and its offset in seconds. */
  readonly sql: readonly string[];
  readonly parameters: FactQuery['parameters'];
  /** What must hold for a fact to have the keys. */
  readonly conditions: readonly string[];
}

interface Planned {
  readonly accountId: number;
  /** The range, in whole slots. */
  readonly spans: readonly Span[];
  /** The zone's offsets over the range; empty where no time is looked at. */
  readonly clock: readonly ClockOffset[];
  readonly keys: GroupKeys;
  readonly conditions: Conditions;
  readonly counts: readonly CountName[];
}

/** Answered from sums. */
export interface SumsPlan extends Planned {
  readonly source: 'sums';
  readonly grouping: GroupingName;
  /** Empty where all is in `beginnings`. */
  readonly cover: Cover;
  /** What sums do not know: the beginnings of slots, from facts. Undefined where there are none. */
  readonly beginnings?: Beginnings;
  /** See Query; undefined: all. */
  readonly mostListed?: number | undefined;
}

/** Facts of slots that are all cut. */
export interface Beginnings extends CountedSource {
  readonly cut: readonly Span[];
}

/** Answered from the facts themselves. */
export interface FactsPlan extends Planned, CountedSource {
  readonly source: 'facts';
  /** Videos with a length, where a count needs it. */
  readonly lengths: readonly KnownVideo[];
  readonly cut: readonly Span[];
  /** The moment of the question (ms), by which waits that were never ended are taken for left. */
  readonly askedAtMs: number | undefined;
  /** About how many views are told apart, at most: as many as there are plays. */
  readonly distinguished: number;
  /** How often the facts are read, so that views and viewers fit into memory: at least 1. */
  readonly passes: number;
  /** Where regular views are counted by their plays; undefined: all are told apart. */
  readonly regular: RegularViews | undefined;
  /** Days that are read as counts; undefined: none. */
  readonly audienceDays: AudienceDays | undefined;
}

/**
 * What a row is made from: the counts of its value, with the days' own total; the counts of a
 * folder's videos, whose viewers are distinguished day by day; or, for the total, the counts of the
 * one value in the question.
 */
export type RowsOfDays = 'values' | 'folders' | 'one value';

export interface AudienceDays extends CountedDays<PlannedDay> {
  readonly grouping: AudienceGroupingName;
  readonly rowsAre: RowsOfDays;
  /** How many plays the rest has. */
  readonly playsBeside: number;
}

export interface PlannedDay extends AudienceDay {
  /** The hour of UTC at which a date begins by the zone's clock. */
  readonly dateFromHour: number;
}

export interface RegularViews {
  /** Days on which all views without a mark are regular: whole UTC days of the range. */
  readonly days: readonly Span[];
  /** The rest of the range: views with facts there are told apart. */
  readonly unchecked: readonly Span[];
}

export type QueryPlan = SumsPlan | FactsPlan;
