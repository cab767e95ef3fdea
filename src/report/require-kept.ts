import type { FactReader } from '../facts/facts.ts';
import { utcDayOf } from '../lib/utc-day.ts';
import { parameterFault } from '../wire/parameters.ts';

/** For questions that sums do not answer: faults if facts of the range were erased by age. */
export async function requireKept(
  facts: Pick<FactReader, 'keptSince'>,
  accountId: number,
  fromMs: number,
): Promise<void> {
  const sinceMs = await facts.keptSince(accountId);
  if (fromMs >= sinceMs) return;
  const detail =
    `single views before ${utcDayOf(sinceMs)} (UTC) were erased: ask from that day on, or for ` +
    'plays and playMs by video, folder, package, os, osVersion and time alone';
  throw parameterFault([{ parameter: 'sdate', detail }]);
}
