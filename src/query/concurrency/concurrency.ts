/** How many stretches play at once: a row for every interval of the range. */
import { nextTurn } from '../../lib/tasks/fair-turns.ts';
import { mapPortions } from '../../lib/tasks/work-portions.ts';
import { dayMs } from '../../lib/time/utc-day.ts';
import { type FactReader, selectKeptDays } from '../../store/facts.ts';
import type { ConcurrencyRow, IntervalName } from '../../wire/questions/curves.ts';
import { type FactScope, findCounted } from '../plan/question-facts.ts';
import { areMany } from '../ranges/counted-facts.ts';
import { joined } from '../ranges/local-days.ts';
import { overlaps, type Span } from '../ranges/range-cover.ts';
import { halfUp } from '../ranges/rounding.ts';
import { slotsWithin } from '../ranges/slot-ranges.ts';
import { type IntervalFacts, selectConcurrency, selectKept } from './concurrency-sql.ts';
import { type LocalInterval, localInstant, localIntervals, minuteMs } from './local-intervals.ts';

const pace = { size: 1_000, takeTurn: nextTurn };

/**
 * The most that one statement reads, so that its memory stays small; by minutes it reads a day. In
 * minutes of playback, where each play counts as one more: short plays have as many facts.
 */
const mostMinutesAtOnce = 10_000_000;

const mostPieces = 64;

/** Facts of intervals by their keys, put together from the pieces that were read. */
type FactsByKey = ReadonlyMap<string, IntervalFacts>;

type Reader = Pick<
  FactReader,
  'read' | 'readMany' | 'unsettledPeaks' | 'countedWithin' | 'keptSince'
>;

/**
 * From values kept by slot, if the question allows it and they are kept; otherwise from the facts.
 */
export async function readConcurrencyFacts(
  reader: Reader,
  asked: FactScope,
  interval: IntervalName,
): Promise<FactsByKey> {
  if (asked.spans.length === 0) return new Map();
  const days = await playedDays(reader, asked);
  const keptDays = mayUseKept(asked, interval)
    ? await readKept(days, reader, asked)
    : new Set<number>();
  const others = fewPieces(
    days
      .filter(({ day }) => !keptDays.has(day))
      .map(({ day }) => ({ fromMs: day, untilMs: day + dayMs })),
  );
  const found: IntervalFacts[] = [];
  if (keptDays.size > 0) {
    found.push(...(await reader.readMany<IntervalFacts>(selectKept(asked, interval, others))));
  }
  const unkept = overlaps(asked.spans, others);
  if (unkept.length > 0) {
    const counted = await findCounted({ ...asked, spans: unkept }, reader);
    const isCostly = areMany(counted);
    for (const spans of splitIntervals(unkept, days, interval)) {
      const query = selectConcurrency({ ...counted, spans }, interval);
      found.push(...(await reader.read<IntervalFacts>({ ...query, isCostly })));
    }
  }
  const byKey = new Map<string, IntervalFacts>();
  for (const row of found) {
    const before = byKey.get(row.key);
    byKey.set(row.key, before ? together(before, row) : row);
  }
  return byKey;
}

/** A minute is shorter than a slot, and a filter leaves some of a slot's stretches out. */
function mayUseKept({ conditions = [] }: FactScope, interval: IntervalName): boolean {
  return conditions.length === 0 && interval !== 'minute';
}

/** What lags behind its facts is left out. */
async function readKept(
  days: readonly PlayedDay[],
  reader: Reader,
  { accountId }: FactScope,
): Promise<ReadonlySet<number>> {
  const unsettled = new Set(await reader.unsettledPeaks(accountId));
  const kept = days.filter(({ day, isKept }) => isKept === 1 && !unsettled.has(day));
  return new Set(kept.map(({ day }) => day));
}

/**
 * Each is a part of a statement: if there are too many, all between the first and the last become
 * one.
 */
function fewPieces(days: readonly Span[]): Span[] {
  const pieces = joined(days);
  const [first] = pieces;
  const last = pieces.at(-1);
  if (pieces.length <= mostPieces || !first || !last) return pieces;
  return [{ fromMs: first.fromMs, untilMs: last.untilMs }];
}

/** A UTC day (ms) with playback, and whether the peaks of all its slots are kept. */
interface PlayedDay {
  readonly day: number;
  readonly isKept: 0 | 1;
  readonly plays: number;
  readonly playMs: number;
}

/** Years of a young account are not read piece by piece. */
async function playedDays(
  reader: Pick<FactReader, 'readMany'>,
  { accountId, spans }: Pick<FactScope, 'accountId' | 'spans'>,
): Promise<PlayedDay[]> {
  const within = slotsWithin(spans);
  const rows = await reader.readMany<PlayedDay>({
    name: 'days with playback',
    sql: selectKeptDays(` AND ${within.sql}`),
    parameters: { accountId, ...within.parameters },
  });
  return rows.map((row) => ({ ...row, day: row.day * 1_000 }));
}

/** What each statement reads. A piece that is in two UTC days is taken for one of the first. */
function splitIntervals(
  spans: readonly Span[],
  days: readonly PlayedDay[],
  interval: IntervalName,
): Span[][] {
  const pieces = cut(spans, dayMs);
  if (interval === 'minute') return pieces.map((piece) => [piece]);
  const minutesOf = new Map(
    days.map(({ day, plays, playMs }) => [day, plays + Math.floor(playMs / minuteMs)]),
  );
  const portions: Span[][] = [];
  let left = 0;
  for (const piece of pieces) {
    const minutes = minutesOf.get(Math.floor(piece.fromMs / dayMs) * dayMs) ?? 0;
    const portion = minutes <= left ? portions.at(-1) : undefined;
    if (portion) portion.push(piece);
    else portions.push([piece]);
    left = (portion ? left : mostMinutesAtOnce) - minutes;
  }
  return portions.map(joined);
}

function cut(spans: readonly Span[], mostMs: number): Span[] {
  return spans.flatMap(({ fromMs, untilMs }) =>
    Array.from({ length: Math.ceil((untilMs - fromMs) / mostMs) }, (_, index) => ({
      fromMs: fromMs + index * mostMs,
      untilMs: Math.min(untilMs, fromMs + (index + 1) * mostMs),
    })),
  );
}

/** Pieces of one interval, in any order. */
function together(one: IntervalFacts, other: IntervalFacts): IntervalFacts {
  const isOther =
    other.peak > one.peak || (other.peak === one.peak && other.peakAtMs < one.peakAtMs);
  const { peak, peakAtMs } = isOther ? other : one;
  return {
    ...{ key: one.key, peak, peakAtMs },
    playMs: one.playMs + other.playMs,
    slotPlayMs: one.slotPlayMs + other.slotPlayMs,
  };
}

export async function concurrencyRows(
  interval: IntervalName,
  localSpans: FactScope['localSpans'],
  byKey: FactsByKey,
): Promise<ConcurrencyRow[]> {
  const intervals = await localIntervals(interval, localSpans);
  return mapPortions(intervals, pace, (one): ConcurrencyRow => {
    const found = byKey.get(one.key);
    const { peak = 0, peakAtMs = 0 } = found ?? {};
    const peakAt = peak > 0 ? localInstant(peakAtMs, localSpans) : null;
    return { time: one.time, peak, peakAt, average: computeAverage(one, found) };
  });
}

const minutesOfSlot = 15n;

function computeAverage({ lengthMs }: LocalInterval, found: IntervalFacts | undefined): number {
  if (found === undefined) return 0;
  const playMs = BigInt(found.playMs) * minutesOfSlot + BigInt(found.slotPlayMs);
  return halfUp(playMs, BigInt(lengthMs) * minutesOfSlot, 3);
}
