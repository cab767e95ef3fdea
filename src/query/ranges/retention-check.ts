import { localDate, localDay } from '../../lib/time/time-zone.ts';
import { utcDayOf } from '../../lib/time/utc-day.ts';
import type { FactReader } from '../../store/facts.ts';
import { parameterFault } from '../../wire/parameters.ts';

interface AskedRange {
  readonly accountId: number;
  readonly timeZone: string;
  /** Where it begins (ms). */
  readonly fromMs: number;
  /** Of a range that another one is compared with: its first day. */
  readonly comparedFrom?: string | undefined;
}

const orAskSums = 'or for plays and playMs by video, folder, package, os, osVersion and time alone';

/** For questions that sums do not answer: faults if facts of the range were erased by age. */
export async function requireKept(
  facts: Pick<FactReader, 'keptSince'>,
  { accountId, timeZone, fromMs, comparedFrom }: AskedRange,
): Promise<void> {
  const sinceMs = await facts.keptSince(accountId);
  if (fromMs >= sinceMs) return;
  const erased = `single views before ${utcDayOf(sinceMs)} (UTC) were erased`;
  const first = `${firstWholeDay(timeZone, sinceMs)} (${timeZone})`;
  if (comparedFrom === undefined) {
    const detail = `${erased}: ask from ${first} on, ${orAskSums}`;
    throw parameterFault([{ parameter: 'sdate', detail }]);
  }
  const detail =
    `is with a range from ${comparedFrom}, which begins before what is kept: ${erased}. Ask ` +
    `without it, or so that this range begins on ${first} or later, ${orAskSums}`;
  throw parameterFault([{ parameter: 'compare', detail }]);
}

/** The first day (yyyy-mm-dd) of a zone that begins at an instant or later. */
function firstWholeDay(timeZone: string, instantMs: number): string {
  const { fromMs, untilMs } = localDay(timeZone, instantMs);
  return localDate(timeZone, fromMs === instantMs ? fromMs : untilMs);
}
