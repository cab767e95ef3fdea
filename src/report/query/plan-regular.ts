/** Plans whether views are counted by their plays: where most of the range is checked. */
import type { FactReader } from '../../facts/facts.ts';
import { dayMs } from '../../lib/utc-day.ts';
import { type AudienceDimensionName, audienceDimension } from '../../wire/audience.ts';
import { overlaps, type Span } from '../cover-range.ts';
import { joined } from '../local-days.ts';
import type { CountName } from './counts.ts';
import { isOfViews } from './fact-values.ts';
import type { FactsPlan, RegularViews } from './query-plan.ts';

export interface RegularSources {
  readonly facts: Pick<FactReader, 'checkedDays'>;
  /** How many plays there are in some spans. */
  readonly playsWithin: (spans: readonly Span[]) => Promise<number>;
  /** Of so many views that are not checked, all are told apart. */
  readonly mostUnchecked: number;
}

type Planned = Pick<FactsPlan, 'accountId' | 'spans' | 'clock' | 'counts' | 'accepted' | 'erased'> &
  Pick<FactsPlan, 'cut'>;

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
      .filter((day) => isWhole(day, spans) && overlaps([day], cut).length === 0),
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
  { clock, counts, accepted, erased }: Planned,
  asked: readonly AudienceDimensionName[],
): boolean {
  const isOfDay = (name: AudienceDimensionName) =>
    audienceDimension(name).kind !== 'time' ||
    (ofDays.includes(name) && clock.every(({ offsetMs }) => offsetMs === 0));
  return (
    accepted.length === 0 &&
    erased === undefined &&
    counts.some((name) => toldApart.includes(name)) &&
    !counts.some(isOfViews) &&
    asked.every(isOfDay)
  );
}

const toldApart: readonly CountName[] = ['views', 'viewers'];
/** Where the zone's days are those of UTC all slots of one have the same. */
const ofDays: readonly AudienceDimensionName[] = ['date', 'week', 'month', 'year', 'weekday'];

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
