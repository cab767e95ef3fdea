/** Plans whether views are counted by their plays: if most of the range is checked. */

import { dayMs } from '../../lib/time/utc-day.ts';
import type { FactReader } from '../../store/facts.ts';
import { type AudienceDimensionName, isTime } from '../../vocabulary/dimensions.ts';
import { dayInterval, isOfView } from '../labels/dimension-sql.ts';
import { withoutDays } from '../ranges/counted-days.ts';
import { joined } from '../ranges/local-days.ts';
import type { Span } from '../ranges/range-cover.ts';
import { distinguishesViews, isOfViews, isOfWaits } from './counts.ts';
import { findSlots, isDayOfOneRow, type RangeOfDays } from './day-rows.ts';
import type { FactsPlan, RegularViews } from './query-plan.ts';

export interface RegularSources {
  readonly facts: Pick<FactReader, 'checkedDays'>;
  /** How many plays there are in some spans. */
  readonly playsWithin: (spans: readonly Span[]) => Promise<number>;
  /** Of so many views that are not checked, all are told apart. */
  readonly mostUnchecked: number;
}

type Planned = RangeOfDays & Pick<FactsPlan, 'counts' | 'accepted' | 'erased'>;

export async function planRegular(
  planned: Planned,
  asked: readonly AudienceDimensionName[],
  { facts, playsWithin, mostUnchecked }: RegularSources,
): Promise<RegularViews | undefined> {
  if (!isCountedByPlays(planned, asked)) return undefined;
  const checked = await facts.checkedDays(findSlots(planned));
  const days = joined(
    checked
      .filter((day) => isDayOfOneRow(day, planned, asked))
      .map((fromMs) => ({ fromMs, untilMs: fromMs + dayMs })),
  );
  if (days.length === 0) return undefined;
  const unchecked = withoutDays(planned.spans, days);
  if ((await playsWithin(unchecked)) > mostUnchecked) return undefined;
  return { days, unchecked };
}

/**
 * Not if a view may be in several rows, by its time or by what single facts tell, nor for waits,
 * nor while suspects or erasures change what is counted. What a view saw comes from its positions
 * anyway.
 */
function isCountedByPlays(
  { counts, accepted, erased }: Planned,
  asked: readonly AudienceDimensionName[],
): boolean {
  return (
    accepted.length === 0 &&
    erased === undefined &&
    counts.some(distinguishesViews) &&
    !counts.some(isOfViews) &&
    !counts.some(isOfWaits) &&
    asked.every(isOfView) &&
    asked.every((name) => !isTime(name) || dayInterval(name) !== 'within days')
  );
}
