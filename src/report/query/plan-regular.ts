/** Plans whether views are counted by their plays: where most of the range is checked. */
import { type FactReader, slotMs } from '../../facts/facts.ts';
import { dayMs, utcDayOf } from '../../lib/utc-day.ts';
import type { AudienceDimensionName } from '../../wire/audience.ts';
import { overlaps, type Span } from '../cover-range.ts';
import { joined } from '../local-days.ts';
import type { CountName } from './counts.ts';
import { isOfViews } from './fact-values.ts';
import type { FactsPlan, RegularViews } from './query-plan.ts';
import { isTime, mondayOf } from './time-labels.ts';

export interface RegularSources {
  readonly facts: Pick<FactReader, 'checkedDays'>;
  /** How many plays there are in some spans. */
  readonly playsWithin: (spans: readonly Span[]) => Promise<number>;
  /** Of so many views that are not checked, all are told apart. */
  readonly mostUnchecked: number;
}

type Planned = Pick<FactsPlan, 'accountId' | 'spans' | 'clock' | 'counts' | 'accepted' | 'erased'> &
  Pick<FactsPlan, 'cut'> & {
    /** So much later are the times of rows: of a range compared with. Those of filters are not. */
    readonly shiftMs: number;
  };

export async function planRegular(
  planned: Planned,
  asked: readonly AudienceDimensionName[],
  { facts, playsWithin, mostUnchecked }: RegularSources,
): Promise<RegularViews | undefined> {
  if (!isCountedByPlays(planned, asked)) return undefined;
  const { accountId, spans, cut } = planned;
  const [first] = spans;
  const last = spans.at(-1);
  if (!first || !last) return undefined;
  const range = { accountId, fromMs: first.fromMs, untilMs: last.untilMs };
  const checked = await facts.checkedDays(range);
  const days = joined(
    checked
      .map((fromMs) => ({ fromMs, untilMs: fromMs + dayMs }))
      .filter((day) => isWhole(day, spans) && overlaps([day], cut).length === 0)
      .filter((day) => isOfOneRow(day, asked, planned)),
  );
  if (days.length === 0) return undefined;
  const unchecked = withoutDays(spans, days);
  if ((await playsWithin(unchecked)) > mostUnchecked) return undefined;
  return { days, unchecked };
}

/**
 * Not where a view may be in several rows by its time, nor where counts change what is counted: of
 * suspects, of what is being erased. What a view saw is told by its positions anyway.
 */
function isCountedByPlays(
  { counts, accepted, erased }: Planned,
  asked: readonly AudienceDimensionName[],
): boolean {
  return (
    accepted.length === 0 &&
    erased === undefined &&
    counts.some((name) => toldApart.includes(name)) &&
    !counts.some(isOfViews) &&
    asked.every((name) => !isTime(name) || name in intervalsOfDays)
  );
}

const toldApart: readonly CountName[] = ['views', 'viewers'];
/** Intervals of whole days, by any local time within them (ms, as if of UTC). */
const intervalsOfDays: Partial<Record<AudienceDimensionName, (localMs: number) => string>> = {
  date: utcDayOf,
  week: mondayOf,
  month: (localMs) => new Date(localMs).toISOString().slice(0, 7),
  year: (localMs) => new Date(localMs).toISOString().slice(0, 4),
  // Weekdays begin where dates do.
  weekday: utcDayOf,
};

/**
 * Whether all slots of a UTC day are in the same row by their time. Where they are not, because a
 * month, say, begins there by the zone's clock, the views of that day are told apart.
 */
function isOfOneRow(
  { fromMs, untilMs }: Span,
  asked: readonly AudienceDimensionName[],
  { clock, shiftMs }: Pick<Planned, 'clock' | 'shiftMs'>,
): boolean {
  // While the offset is the same, what begins and ends in an interval is in it as a whole.
  const localMs = clock.flatMap(({ sinceMs, offsetMs }, index) => {
    const first = Math.max(fromMs, index === 0 ? fromMs : sinceMs);
    const until = Math.min(untilMs, clock[index + 1]?.sinceMs ?? untilMs);
    return first < until ? [first + offsetMs, until - slotMs + offsetMs] : [];
  });
  return asked.every((name) => {
    const intervalOf = intervalsOfDays[name];
    if (intervalOf === undefined) return true;
    const isOne = (laterMs: number) =>
      new Set(localMs.map((ms) => intervalOf(ms + laterMs))).size <= 1;
    return isOne(0) && isOne(shiftMs);
  });
}

function isWhole(day: Span, spans: readonly Span[]): boolean {
  const [within, ...others] = overlaps([day], joined(spans));
  return others.length === 0 && within?.fromMs === day.fromMs && within.untilMs === day.untilMs;
}

/** `days` are whole within the spans; both ascending. */
function withoutDays(spans: readonly Span[], days: readonly Span[]): Span[] {
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
