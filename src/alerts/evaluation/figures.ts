/** What an alert's condition is judged by, from the facts. */
import { assert } from '../../lib/assert.ts';
import type { Curves } from '../../query/curve-service.ts';
import type { DeclaredLabels } from '../../query/parse/dimension-parser.ts';
import { type Filter, pinFilters, readFilters } from '../../query/parse/filter-parser.ts';
import { readQuery } from '../../query/parse/query-parser.ts';
import type { QueryService } from '../../query/query-service.ts';
import { Fault } from '../../vocabulary/faults.ts';
import { audienceMeasure } from '../../vocabulary/measures.ts';
import type { DropTerms, SilenceTerms, ThresholdTerms } from '../../wire/management/alerts.ts';
import { parameterFault } from '../../wire/parameters.ts';
import type { QueryRow } from '../../wire/questions/audience-messages.ts';
import type { Figures } from './condition.ts';
import { daysBefore, type Interval } from './intervals.ts';

/** Whose statistics are read. */
export interface Asker {
  readonly accountId: number;
  readonly timeZone: string;
  readonly labels: DeclaredLabels;
  /** To which the rule is pinned; undefined: nothing. */
  readonly packageIds?: readonly number[] | undefined;
}

export interface Statistics {
  readonly queryService: Pick<QueryService, 'askWhole'>;
  readonly curves: Pick<Curves, 'playback'>;
}

const daysOfWeek = 7;
const hourMs = 3_600_000;

export async function readMeasured(
  terms: ThresholdTerms | DropTerms,
  interval: Interval,
  asker: Asker,
  { queryService }: Statistics,
): Promise<Figures> {
  const { measure, per } = terms;
  const { day, hour } = interval;
  const weeks = terms.kind === 'drop' ? terms.weeks : 0;
  const ask = async (keptWeeks: number) => {
    const parameters = {
      ...{ sdate: daysBefore(day, keptWeeks * daysOfWeek), edate: day, measures: measure },
      dimensions: per === 'day' ? 'date' : 'hour',
      ...(terms.filters === null ? {} : { filters: terms.filters }),
    };
    const query = readQuery(parameters, asker);
    // Beside the conditions of the rule, which may be as many as a question takes.
    const filters = [...query.filters, ...filterOfHour(hour)];
    return { keptWeeks, rows: (await queryService.askWhole({ ...query, filters })).rows };
  };
  const { keptWeeks, rows } = await firstKept(
    Array.from({ length: weeks + 1 }, (_, erased) => () => ask(weeks - erased)),
  );
  const rowOn = (date: string) => {
    const start = hour === undefined ? date : `${date}T${hour}`;
    return rows.find((row) => readStart(row).startsWith(start));
  };
  const own = hour === undefined ? rowOn(day) : rows.find((row) => isWithin(row, interval));
  return {
    value: valueIn(own, measure),
    before: Array.from({ length: weeks }, (_, week) =>
      week < keptWeeks ? valueIn(rowOn(daysBefore(day, (week + 1) * daysOfWeek)), measure) : null,
    ),
  };
}

/**
 * The first question that what is kept can answer: of the time before, single views may be erased
 * while those of its own are not, and no rule is to wait for them.
 */
export async function firstKept<Answer>(
  questions: readonly (() => Promise<Answer> | Answer)[],
): Promise<Answer> {
  const [ask, ...others] = questions;
  assert(ask, 'there is a question');
  try {
    return await ask();
  } catch (error) {
    const isErased = error instanceof Fault && error.code === 'INVALID_PARAMETER';
    if (!isErased || others.length === 0) throw error;
    return firstKept(others);
  }
}

function filterOfHour(hour: string | undefined): Filter[] {
  return hour === undefined ? [] : [{ dimension: 'hourOfDay', operator: '==', values: [hour] }];
}

/** An hour that comes twice has two rows, of which this is one. */
function isWithin(row: QueryRow, { fromMs }: Interval): boolean {
  const startMs = Date.parse(readStart(row));
  return startMs <= fromMs && fromMs < startMs + hourMs;
}

export async function readSilence(
  { filters }: SilenceTerms,
  span: { readonly fromMs: number; readonly untilMs: number },
  asker: Asker,
  { curves }: Statistics,
): Promise<Figures> {
  const read = readFilters(filters ?? '', asker.labels, asker.timeZone);
  if (filters !== null && !read.ok) {
    throw parameterFault([{ parameter: 'filters', detail: read.reason }]);
  }
  const ofRule = filters !== null && read.ok ? read.value : [];
  const conditions = [...ofRule, ...pinFilters(asker.packageIds)];
  const { data } = await curves.playback({ ...asker, ...span, filters: conditions });
  return { isPlaying: data };
}

function readStart(row: QueryRow): string {
  return String(row.hour ?? row.date);
}

/** Without a row nothing was counted. */
function valueIn(row: QueryRow | undefined, measure: ThresholdTerms['measure']): number | null {
  const value = row?.[measure];
  if (typeof value === 'number') return value;
  return audienceMeasure(measure).nullable ? null : 0;
}
