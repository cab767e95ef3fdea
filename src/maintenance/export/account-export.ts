/** Brings the exported days of an account up to date, one day after another. */
import { type Catalog, everyDay } from '../../catalog/catalog.ts';
import { type Clock, sleep } from '../../lib/time/clock.ts';
import { utcDayOf } from '../../lib/time/utc-day.ts';
import { daysWithFacts, type FactSources } from '../../query/export/fact-table.ts';
import type { FactReader } from '../../store/facts.ts';
import type { Place } from '../storage/storage-target.ts';
import { exportedDays, writeExport } from './export-writer.ts';
import { aboutFacts, type ExportFormat, exportOfFacts } from './exports.ts';

/** After each day a pause as long as it took, at most this: the service goes first. */
const longestPauseMs = 10_000;

export interface AccountExport {
  readonly catalog: FactSources['catalog'] & Pick<Catalog, 'exports'>;
  readonly facts: FactReader;
  readonly clock: Clock;
  /** Of the account. */
  readonly place: Place;
  readonly format: ExportFormat;
}

interface Round {
  readonly accountId: number;
  /** Days are complete that ended by then (ms, the beginning of a UTC day). */
  readonly completeThroughMs: number;
  /** Of the lease. */
  readonly holder: string;
  readonly signal: AbortSignal;
}

/** Resolves to the number of days that were written. May be broken off and run again. */
export async function exportAccount(parts: AccountExport, round: Round): Promise<number> {
  const { catalog, facts, clock, place, format } = parts;
  const { accountId, holder, signal } = round;
  const days = await findDue(parts, round);
  for (const day of days) {
    signal.throwIfAborted();
    const beganMs = clock.monotonic();
    const name = utcDayOf(day);
    const asked = { accountId, firstDay: name, lastDay: name };
    const made = await exportOfFacts({ facts, catalog }, asked, { format, isOne: false, signal });
    await writeExport(place, made, { signal, noteProgress: () => {} });
    await catalog.exports.markDone(holder, [{ accountId, day }]);
    await sleep(clock, Math.min(clock.monotonic() - beganMs, longestPauseMs), signal);
  }
  return days.length;
}

/** Complete days that are missing or marked; of days whose facts are erased, the files stay. */
async function findDue(parts: AccountExport, round: Round): Promise<number[]> {
  const { catalog, facts, place, format } = parts;
  const { accountId, completeThroughMs, holder } = round;
  const keptSince = await facts.keptSince(accountId);
  const span = { fromMs: keptSince, untilMs: Math.max(keptSince, completeThroughMs) };
  const isWithin = (day: number) => day >= span.fromMs && day < span.untilMs;
  const there = (await exportedDays(place, aboutFacts(accountId, format))).map(Date.parse);
  const withFacts = await daysWithFacts(facts, accountId, span);
  const ofAccount = (days: readonly number[]) => days.map((day) => ({ accountId, day }));
  if ((await catalog.exports.dueDays(accountId)).includes(everyDay)) {
    await catalog.exports.markDue(ofAccount([...withFacts, ...there.filter(isWithin)]));
    await catalog.exports.markDone(holder, ofAccount([everyDay]));
  }
  const marked = await catalog.exports.dueDays(accountId);
  await catalog.exports.markDone(holder, ofAccount(marked.filter((day) => day < keptSince)));
  const missing = withFacts.filter((day) => !there.includes(day));
  const due = new Set([...missing, ...marked.filter(isWithin)]);
  return [...due].sort((one, other) => one - other);
}
