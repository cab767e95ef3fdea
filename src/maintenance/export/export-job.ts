/** Exports by a schedule: see docs/decisions/exports.md. */
import { type Catalog, type ExportDay, type ExportState, everyDay } from '../../catalog/catalog.ts';
import type { Logger } from '../../lib/logger.ts';
import { type Clock, sleep } from '../../lib/time/clock.ts';
import type { Schedule } from '../../lib/time/schedule.ts';
import { dayMs, toUtcDay } from '../../lib/time/utc-day.ts';
import {
  daysTouchedSince,
  daysWithFacts,
  type FactSources,
} from '../../query/export/fact-table.ts';
import type { FactHealth, FactReader } from '../../store/facts.ts';
import { Fault } from '../../vocabulary/faults.ts';
import { type Held, keepToSchedule, type ScheduledWork } from '../schedule/scheduled-job.ts';
import type { Place } from '../storage/storage-target.ts';
import { exportedDays, writeExport } from './export-writer.ts';
import { aboutFacts, type ExportFormat, exportOfFacts } from './exports.ts';

/** Far more often than notes of late facts are dropped. */
const lookEveryMs = 3_600_000;
/** Players report what they played a little later. */
const graceMs = 120_000;

export interface ScheduledExport {
  readonly schedule: Schedule;
  readonly catalog: AccountExport['catalog'] & LateDaysParts['catalog'];
  readonly facts: LateDaysParts['facts'] & FactHealth;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly place: AccountExport['place'];
  readonly format: AccountExport['format'];
  /** Undefined: all. */
  readonly accountIds: readonly number[] | undefined;
}

/**
 * Until the returned function is called; it resolves when nothing is written any more, unless the
 * place hangs.
 */
export function keepExporting(parts: ScheduledExport): () => Promise<void> {
  const { schedule, catalog, facts, place, format, clock } = parts;
  const target = `${place.location} ${format}`;
  const work: ScheduledWork<ExportState> = {
    name: 'export',
    schedule,
    runs: catalog.exports,
    to: place.location,
    whyNotReady: () => facts.whyNotReady(),
    between: {
      isDue: (state) => {
        const passedMs = clock.now() - state.lookedAtMs;
        return passedMs >= lookEveryMs || passedMs < 0 || state.target !== target;
      },
      run: (state, { holder }) => findLateDays({ ...parts, target }, state, holder),
    },
    async run(held) {
      const completeMs = facts.completeThrough() - graceMs;
      const completeThroughMs = completeMs - (completeMs % dayMs);
      const days = await exportAccounts(parts, completeThroughMs, held);
      const completeThrough = new Date(completeThroughMs).toISOString();
      return { changes: { completeThroughMs }, about: { days, completeThrough } };
    },
  };
  return keepToSchedule([work], parts);
}

/** One that cannot be exported keeps no other from it, unless a store is away. */
async function exportAccounts(parts: ScheduledExport, completeThroughMs: number, held: Held) {
  const { catalog, place, logger } = parts;
  const all = await catalog.accounts.list();
  const unknown = parts.accountIds?.find((id) => !all.some(({ accountId }) => accountId === id));
  const failures: unknown[] = [];
  if (unknown !== undefined) {
    failures.push(new Fault('NOT_FOUND', `EXPORT_ACCOUNTS names ${unknown}: no such account`));
  }
  let days = 0;
  for (const { accountId, closedAt } of all) {
    if (parts.accountIds?.includes(accountId) === false) continue;
    try {
      const ofAccount = { ...parts, place: place.inside(`account=${accountId}`) };
      const round = { accountId, isClosed: closedAt !== undefined, completeThroughMs, ...held };
      days += await exportAccount(ofAccount, round);
    } catch (error) {
      held.signal.throwIfAborted();
      const mayPass = error instanceof Fault && error.code === 'UNAVAILABLE';
      if (mayPass) throw error;
      logger.warn({ err: error, accountId }, 'an account is not exported');
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return days;
}

/** Notes of what came in are kept for three days: after a longer pause all days are marked. */
const notesReachMs = 2 * dayMs;
/** By which the clocks of nodes may differ. */
const skewMs = 10_000;

interface LateDaysParts {
  readonly catalog: Pick<Catalog, 'accounts' | 'exports' | 'erasures' | 'verdicts'>;
  readonly facts: FactReader & { readonly upkeep: { readonly settlesWithinMs: number } };
  readonly clock: Clock;
  /** Where exports go, and in which format. */
  readonly target: string;
}

/**
 * Marks the days of which anything changed since the last look: they are exported again. For the
 * holder of the lease, who passes the state as it is.
 */
async function findLateDays(
  { catalog, facts, clock, target }: LateDaysParts,
  state: ExportState,
  holder: string,
): Promise<void> {
  const lookedAtMs = clock.now();
  const isSame = state.target === target;
  const sinceMs = isSame ? state.notedThroughMs : 0;
  // What was on its way at the last look may have been seen by none.
  const fromMs = Math.max(0, sinceMs - facts.upkeep.settlesWithinMs);
  const { storeNowMs, days } = await daysTouchedSince(facts, fromMs);
  // Since a clock was set back, notes and decisions may be older than the last look.
  const isSetBack = lookedAtMs < state.lookedAtMs || storeNowMs < sinceMs;
  const isAll = isSetBack || storeNowMs - sinceMs > notesReachMs;
  const changed: ExportDay[] = [...days];
  for (const { accountId } of await catalog.accounts.list()) {
    const isChanged = isAll || (await hasDecided(catalog, accountId, state.lookedAtMs - skewMs));
    if (isChanged) changed.push({ accountId, day: everyDay });
  }
  await catalog.exports.markDue(changed);
  await catalog.exports.note(holder, { target, lookedAtMs, notedThroughMs: storeNowMs });
}

/** Whether any playback was erased, accepted or refused since. Old facts leave their files. */
async function hasDecided(
  { erasures, verdicts }: LateDaysParts['catalog'],
  accountId: number,
  sinceMs: number,
): Promise<boolean> {
  const decided = (await verdicts.list(accountId)).map(({ at }) => at);
  const erased = (await erasures.list(accountId))
    .filter(({ kind }) => kind !== 'facts')
    .map(({ endedAt }) => endedAt);
  return [...decided, ...erased].some((at) => at !== undefined && at.getTime() >= sinceMs);
}

/** After each day a pause as long as it took, at most this: the service goes first. */
const longestPauseMs = 10_000;

interface AccountExport {
  readonly catalog: FactSources['catalog'] & Pick<Catalog, 'exports'>;
  readonly facts: FactReader;
  readonly clock: Clock;
  /** Of the account. */
  readonly place: Place;
  readonly format: ExportFormat;
}

interface Round extends Held {
  readonly accountId: number;
  /** Then no day is added; what was erased still goes from those that are there. */
  readonly isClosed: boolean;
  /** Days are complete that ended by then (ms, the beginning of a UTC day). */
  readonly completeThroughMs: number;
}

/**
 * Brings the exported days of an account up to date, one day after another. Resolves to the number
 * of days that were written. May be interrupted and run again.
 */
async function exportAccount(parts: AccountExport, round: Round): Promise<number> {
  const { catalog, facts, clock, place, format } = parts;
  const { accountId, holder, signal, renew } = round;
  const days = await findDue(parts, round);
  for (const day of days) {
    signal.throwIfAborted();
    const beganMs = clock.monotonic();
    const name = toUtcDay(day);
    const asked = { accountId, firstDay: name, lastDay: name };
    const made = await exportOfFacts({ facts, catalog }, asked, { format, isOne: false, signal });
    await writeExport(place, made, { signal, confirm: renew, noteProgress: () => {} });
    await catalog.exports.markDone(holder, [{ accountId, day }]);
    await sleep(clock, Math.min(clock.monotonic() - beganMs, longestPauseMs), signal);
  }
  return days.length;
}

/** Complete days that are missing or marked; of days whose facts are erased, the files stay. */
async function findDue(parts: AccountExport, round: Round): Promise<number[]> {
  const { catalog, facts, place, format } = parts;
  const { accountId, isClosed, completeThroughMs, holder } = round;
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
  return [...due]
    .filter((day) => !isClosed || there.includes(day))
    .sort((one, other) => one - other);
}
