/** Which days of a range are read from their counts, and what is read from facts. */

import { dayMs } from '../../lib/time/utc-day.ts';
import {
  type AudienceDay,
  type FactQuery,
  type FactReader,
  noView,
  tables,
  viewHash,
  viewNumber,
} from '../../store/facts.ts';
import { Fault } from '../../vocabulary/faults.ts';
import { joined } from './local-days.ts';
import { overlaps, type Span } from './range-cover.ts';
import { slotsWithin } from './slot-ranges.ts';

export interface CountedDays<Day extends AudienceDay = AudienceDay> {
  /** Whole UTC days of the range. */
  readonly days: readonly Day[];
  /** The rest of the range, which is read from facts. */
  readonly rest: readonly Span[];
  /** What of it is of days without counts, whose views may be on counted days as well. */
  readonly uncounted: readonly Span[];
}

interface PlannedRange {
  readonly accountId: number;
  readonly spans: readonly Span[];
}

/** Which UTC days (ms) have any facts in some spans. */
export type DaysWithFacts = (spans: readonly Span[]) => Promise<number[]>;

/** `known`: all counted days of the range, with those at its ends, of which it has a part. */
export async function besideDays<Day extends AudienceDay>(
  spans: readonly Span[],
  { known, days }: { readonly known: readonly AudienceDay[]; readonly days: readonly Day[] },
  daysWithFacts: DaysWithFacts,
): Promise<CountedDays<Day>> {
  const others = withoutDays(spans, toSpans(days));
  // Days without facts have no counts either, and nothing that may be elsewhere as well.
  const unknown = withoutDays(others, toSpans(known));
  const uncounted = unknown.length > 0 ? await partsWithFacts(unknown, daysWithFacts) : [];
  const rest = withoutDays(others, withoutDays(unknown, uncounted));
  return { days, rest, uncounted };
}

/** All counted days of a range, with those at its ends, of which it has a part. */
export function knownDays(
  { accountId, spans }: PlannedRange,
  facts: Pick<FactReader, 'audienceDays'>,
): Promise<readonly AudienceDay[]> {
  const fromMs = spans[0]?.fromMs ?? 0;
  const untilMs = spans.at(-1)?.untilMs ?? fromMs;
  return facts.audienceDays({
    accountId,
    fromMs: Math.floor(fromMs / dayMs) * dayMs,
    untilMs: Math.ceil(untilMs / dayMs) * dayMs,
  });
}

/** Whether any views of the days are counted by themselves. */
export function hasMarks({ days }: Pick<CountedDays, 'days'>): boolean {
  return days.some(({ marks }) => marks > 0);
}

/** The days, each run of them as one. */
export function toSpans(days: readonly Pick<AudienceDay, 'day'>[]): Span[] {
  return joined(days.map(({ day }) => ({ fromMs: day, untilMs: day + dayMs })));
}

/** `days` are whole within the spans; both ascending. */
export function withoutDays(spans: readonly Span[], days: readonly Span[]): Span[] {
  return spans.flatMap((span) => {
    const left: Span[] = [];
    let fromMs = span.fromMs;
    for (const day of overlaps([span], days)) {
      if (fromMs < day.fromMs) left.push({ fromMs, untilMs: day.fromMs });
      fromMs = day.untilMs;
    }
    return fromMs < span.untilMs ? [...left, { fromMs, untilMs: span.untilMs }] : left;
  });
}

/** Whether a UTC day (ms) is in the range as a whole. */
export function isWholeDay(day: number, spans: readonly Span[]): boolean {
  const [within] = overlaps([{ fromMs: day, untilMs: day + dayMs }], joined(spans));
  return within?.fromMs === day && within.untilMs === day + dayMs;
}

async function partsWithFacts(
  spans: readonly Span[],
  daysWithFacts: DaysWithFacts,
): Promise<Span[]> {
  const days = (await daysWithFacts(spans)).map((day) => ({ fromMs: day, untilMs: day + dayMs }));
  return overlaps(spans, joined(days));
}

export async function daysOfFacts(
  { accountId, spans }: PlannedRange,
  facts: Pick<FactReader, 'readMany'>,
): Promise<number[]> {
  const { sql, parameters } = slotsWithin(spans);
  const rows = await facts.readMany<{ at: number }>({
    name: 'find days with facts',
    sql: `SELECT DISTINCT toUnixTimestamp(toStartOfDay(slot)) AS at FROM ${tables.stretch.name}
WHERE accountId = {accountId:UInt32} AND ${sql}
ORDER BY at`,
    parameters: { accountId, ...parameters },
  });
  return rows.map(({ at }) => at * 1_000);
}

/** The condition that a row beside the days is of them, and of the planned counting of its day. */
export const isOfCounting = `accountId = {accountId:UInt32}
  AND slot >= {daysFrom:UInt32} AND slot < {daysUntil:UInt32}
  AND toUnixTimestamp64Milli(countedAt) = ${ofDay('countedAt', 'Int64')}`;

/** As many `days` as were planned, unless some were counted again meanwhile. */
export const selectDaysRead = `SELECT count() AS days FROM ${tables.audienceDay.name} FINAL
WHERE grouping = 'total' AND ${isOfCounting}`;

/** What is planned for the day of a row: from an array beside the days. */
export function ofDay(name: string, type: string): string {
  return `transform(toUnixTimestamp(toStartOfDay(slot)),
  {countedDays:Array(UInt32)}, {${name}:Array(${type})}, to${type}(0))`;
}

export function parametersOfDays({
  days,
  uncounted,
}: Pick<CountedDays, 'days' | 'uncounted'>): FactQuery['parameters'] {
  const seconds = days.map(({ day }) => day / 1_000);
  return {
    countedDays: seconds,
    countedAt: days.map(({ countedAtMs }) => countedAtMs),
    daysFrom: Math.min(...seconds),
    daysUntil: Math.max(...seconds) + 86_400,
    ...slotsWithin(toSpans(days), 'day').parameters,
    ...slotsWithin(uncounted, 'uncounted').parameters,
  };
}

/**
 * Conditions of facts on counted days: whether their views, which have no mark, may be on days
 * without counts as well, and whether they are. `mayBe` reads little but days, packages and videos.
 * `further` holds for facts and rows of counted days alike.
 */
export function againSql(uncounted: readonly Span[], further = '') {
  const within = (value: string) => `(${selectUncounted(value, uncounted)}${further})`;
  const hashes = (columns: string) =>
    `SELECT ${columns} FROM ${within(`packageId, videoId, ${viewNumber} AS viewNumber`)}`;
  // Some ten million hashes: whether one is of the same video is asked of few.
  const places = `SELECT slot, packageId, videoId FROM (
    SELECT slot, packageId, videoId, arrayJoin(groupArray(hash)) AS found FROM (
      SELECT slot, packageId, videoId, arrayJoin(viewHashes) AS hash
      FROM ${tables.audienceSeen.name} WHERE ${isOfCounting} AND view = ${noView}${further})
    WHERE hash IN (${hashes(viewHash)})
    GROUP BY slot, packageId, videoId)
  WHERE (packageId, videoId, found) IN (${hashes(`packageId, videoId, ${viewHash}`)})`;
  return {
    mayBe: `(toStartOfDay(slot), packageId, videoId) IN (${places})`,
    is: `${viewNumber} IN ${within(viewNumber)}`,
  };
}

/** Values of facts on days without counts. */
export function selectUncounted(value: string, uncounted: readonly Span[]): string {
  return selectWithin(value, uncounted, 'uncounted');
}

/** Values of facts, as they lie. `name` begins the parameters of the spans. */
export function selectWithin(value: string, spans: readonly Span[], name = ''): string {
  return `SELECT ${value} FROM ${tables.stretch.name}
  WHERE accountId = {accountId:UInt32} AND ${slotsWithin(spans, name).sql}`;
}

/**
 * Rows of `audience_seen` (schema.ts), also under a further condition after ` AND `: `isTogether`
 * where views are side by side; views of other rows are marked. TRICKY: not by FINAL, which holds
 * as many rows at once as if they were small.
 */
export const selectSeen = (further = '') => `SELECT *, view = ${noView} AS isTogether
FROM ${tables.audienceSeen.name}
WHERE ${isOfCounting}${further}
LIMIT 1 BY videoId, slot, packageId, view, portion`;

/** Whether rows are of views side by side, or of one marked view each. */
export type ViewsOfRows = 'together' | 'marked';

/** Rows of one kind: no others are read. */
export function selectSeenBy(views: ViewsOfRows, further = ''): string {
  return selectSeen(`${further} AND view ${views === 'together' ? '=' : '!='} ${noView}`);
}

/**
 * Rows of marked views, each perhaps several times: much faster, for what does not change by ranges
 * that are read again.
 */
export const selectRangesOfMarked = `SELECT * FROM ${tables.audienceSeen.name}
WHERE ${isOfCounting} AND view != ${noView}`;

/** The numbers of views that have a mark on the counted days. */
export const selectMarked = `SELECT ${viewNumber} FROM ${tables.audienceSeen.name}
  WHERE ${isOfCounting}`;

/** How often it plans anew where days are counted again meanwhile, which happens once a day. */
const mostPlans = 5;

/** `answer`: undefined where days were counted again since it planned. */
export async function whileCounted<Answer>(
  answer: () => Promise<Answer | undefined>,
): Promise<Answer> {
  for (let plans = 0; plans < mostPlans; plans += 1) {
    const answered = await answer();
    if (answered !== undefined) return answered;
  }
  throw new Fault('UNAVAILABLE', 'The store is recounting these days; retry', {
    retryAfterSeconds: 1,
  });
}
