/** How many stretches play at once: a row for every interval of the range. */
import { type FactReader, tables } from '../../facts/facts.ts';
import { nextTurn } from '../../lib/next-turn.ts';
import { mapPortions } from '../../lib/portions.ts';
import { dayMs } from '../../lib/utc-day.ts';
import type { ConcurrencyRow, IntervalName } from '../../wire/curves.ts';
import type { Span } from '../cover-range.ts';
import { halfUp } from '../half-up.ts';
import { slotsWithin } from '../slots-within.ts';
import { type IntervalFacts, selectConcurrency } from './concurrency-sql.ts';
import type { QuestionFacts } from './facts-of-question.ts';
import { type LocalInterval, localInstant, localIntervals } from './local-intervals.ts';

const pace = { size: 1_000, takeTurn: nextTurn };

/** One statement reads at most so much, so that its memory and its answer stay small. */
const mostDaysAtOnce: Readonly<Record<IntervalName, number>> = { minute: 1, hour: 7, day: 7 };

/** Facts of intervals by their keys, put together from the pieces that were read. */
export type FactsByKey = ReadonlyMap<string, IntervalFacts>;

export async function readConcurrencyFacts(
  reader: Pick<FactReader, 'read'>,
  facts: QuestionFacts,
  interval: IntervalName,
): Promise<FactsByKey> {
  const byKey = new Map<string, IntervalFacts>();
  const days = await playedDays(reader, facts);
  for (const span of cut(facts.spans, mostDaysAtOnce[interval] * dayMs)) {
    if (!days.some((day) => day < span.untilMs && span.fromMs < day + dayMs)) continue;
    const query = selectConcurrency({ ...facts, spans: [span] }, interval);
    for (const row of await reader.read<IntervalFacts>(query)) {
      const before = byKey.get(row.key);
      byKey.set(row.key, before ? together(before, row) : row);
    }
  }
  return byKey;
}

/** UTC days (ms) with playback: years of a young account are not read week by week. */
async function playedDays(
  reader: Pick<FactReader, 'read'>,
  { accountId, spans }: Pick<QuestionFacts, 'accountId' | 'spans'>,
): Promise<number[]> {
  const within = slotsWithin(spans);
  const rows = await reader.read<{ day: number }>({
    name: 'days with playback',
    sql: `SELECT DISTINCT toUnixTimestamp(toStartOfDay(slot)) AS day
FROM ${tables.playbackSum.name}
WHERE accountId = {accountId:UInt32} AND grouping = 'account' AND videoId = 0 AND packageId = 0
  AND ${within.sql}`,
    parameters: { accountId, ...within.parameters },
  });
  return rows.map(({ day }) => day * 1_000);
}

function cut(spans: readonly Span[], mostMs: number): Span[] {
  return spans.flatMap(({ fromMs, untilMs }) =>
    Array.from({ length: Math.ceil((untilMs - fromMs) / mostMs) }, (_, index) => ({
      fromMs: fromMs + index * mostMs,
      untilMs: Math.min(untilMs, fromMs + (index + 1) * mostMs),
    })),
  );
}

/** Pieces of one interval, the earlier first. */
function together(one: IntervalFacts, other: IntervalFacts): IntervalFacts {
  const { peak, peakAtMs } = other.peak > one.peak ? other : one;
  return {
    ...{ key: one.key, peak, peakAtMs },
    playMs: one.playMs + other.playMs,
    slotPlayMs: one.slotPlayMs + other.slotPlayMs,
  };
}

export async function concurrencyRows(
  interval: IntervalName,
  localSpans: QuestionFacts['localSpans'],
  byKey: FactsByKey,
): Promise<ConcurrencyRow[]> {
  const intervals = await localIntervals(interval, localSpans);
  return mapPortions(intervals, pace, (one): ConcurrencyRow => {
    const found = byKey.get(one.key);
    const { peak = 0, peakAtMs = 0 } = found ?? {};
    const peakAt = peak > 0 ? localInstant(peakAtMs, localSpans) : null;
    return { time: one.time, peak, peakAt, average: averageOf(one, found) };
  });
}

const minutesOfSlot = 15n;

function averageOf({ lengthMs }: LocalInterval, found: IntervalFacts | undefined): number {
  if (found === undefined) return 0;
  const playMs = BigInt(found.playMs) * minutesOfSlot + BigInt(found.slotPlayMs);
  return halfUp(playMs, BigInt(lengthMs) * minutesOfSlot, 3);
}
