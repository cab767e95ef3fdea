/** Exports by a schedule, one node at a time: see docs/decisions/exports.md. */
import { randomUUID } from 'node:crypto';
import {
  type Catalog,
  type ExportDay,
  type ExportState,
  everyDay,
  exportLeaseMs,
} from '../../catalog/catalog.ts';
import type { Logger } from '../../lib/logger.ts';
import { type Clock, sleep } from '../../lib/time/clock.ts';
import type { Schedule } from '../../lib/time/schedule.ts';
import { dayMs, utcDayOf } from '../../lib/time/utc-day.ts';
import {
  daysTouchedSince,
  daysWithFacts,
  type FactSources,
} from '../../query/export/fact-table.ts';
import type { FactHealth, FactReader } from '../../store/facts.ts';
import { Fault } from '../../vocabulary/faults.ts';
import type { Place } from '../storage/storage-target.ts';
import { exportedDays, writeExport } from './export-writer.ts';
import { aboutFacts, type ExportFormat, exportOfFacts } from './exports.ts';

export const pollMs = 5_000;
const renewEveryMs = exportLeaseMs / 4;
/** Far more often than notes of late facts are dropped. */
const lookEveryMs = 3_600_000;
/** Players report what they played a little later. */
const graceMs = 120_000;
const firstRetryMs = 60_000;
const lastRetryMs = 3_600_000;
/** A place that hangs does not keep the service from stopping. */
const stopWithinMs = 5_000;

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
  const { clock, logger } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  const holder = randomUUID();
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        await turn(parts, holder, signal);
      } catch (error) {
        if (!signal.aborted) logger.warn({ err: error }, 'the scheduled export waits');
      }
      await sleep(clock, pollMs, signal);
    }
  };
  const running = run();
  return () => {
    stopping.abort();
    return Promise.race([running, sleep(clock, stopWithinMs)]);
  };
}

/** How long (ms) a run is overdue; 0 while none is. */
export function exportOverdueMs(schedule: Schedule, state: ExportState, nowMs: number): number {
  return Math.max(0, nowMs - schedule.after(state.afterMs));
}

/** Most turns find nothing to do, by one small read. */
async function turn(parts: ScheduledExport, holder: string, stopping: AbortSignal) {
  const { catalog, facts } = parts;
  if (facts.whyNotReady() !== undefined) return;
  const seen = await catalog.exports.state();
  if (seen && !hasWork(parts, seen)) return;
  const state = await catalog.exports.hold(holder);
  if (state === undefined || !hasWork(parts, state)) return;
  await whileHeld(parts, { holder, stopping }, async (signal) => {
    await findLateDays({ ...parts, target: targetOf(parts) }, state, holder);
    if (isDue(parts, state)) await attempt(parts, state, { holder, signal });
  });
}

function hasWork(parts: ScheduledExport, state: ExportState): boolean {
  const isLookedAt = parts.clock.now() - state.lookedAtMs < lookEveryMs;
  return isDue(parts, state) || !isLookedAt || state.target !== targetOf(parts);
}

function isDue({ schedule, clock }: ScheduledExport, state: ExportState): boolean {
  const nowMs = clock.now();
  return state.failures > 0 ? nowMs >= state.retryAtMs : nowMs >= schedule.after(state.afterMs);
}

function targetOf({ place, format }: ScheduledExport): string {
  return `${place.location} ${format}`;
}

interface Held {
  readonly holder: string;
  readonly signal: AbortSignal;
}

/** Renews the lease meanwhile. The work is interrupted when it is lost, and when this stops. */
async function whileHeld(
  { catalog, clock }: ScheduledExport,
  { holder, stopping }: { readonly holder: string; readonly stopping: AbortSignal },
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const [lost, done] = [new AbortController(), new AbortController()];
  const renew = async (): Promise<void> => {
    let heldMs = clock.monotonic();
    for (;;) {
      await sleep(clock, renewEveryMs, done.signal);
      if (done.signal.aborted) return;
      const state = await catalog.exports.hold(holder).catch(() => 'away' as const);
      if (typeof state === 'object') heldMs = clock.monotonic();
      if (state === undefined || clock.monotonic() - heldMs >= exportLeaseMs) lost.abort();
    }
  };
  const renewing = renew();
  try {
    await work(AbortSignal.any([stopping, lost.signal]));
  } finally {
    done.abort();
    await renewing;
    await catalog.exports.release(holder);
  }
}

async function attempt(parts: ScheduledExport, state: ExportState, held: Held): Promise<void> {
  const { catalog, facts, clock, logger, place } = parts;
  const [afterMs, beganMs] = [clock.now(), clock.monotonic()];
  const completeMs = facts.completeThrough() - graceMs;
  const completeThroughMs = completeMs - (completeMs % dayMs);
  const to = place.location;
  try {
    const days = await exportAccounts(parts, completeThroughMs, held);
    const changes = { afterMs, succeededAtMs: clock.now(), completeThroughMs };
    await catalog.exports.note(held.holder, { ...changes, failures: 0, error: undefined });
    const tookMs = Math.round(clock.monotonic() - beganMs);
    const completeThrough = new Date(completeThroughMs).toISOString();
    logger.info({ to, days, completeThrough, tookMs }, 'scheduled export done');
  } catch (error) {
    // Interrupted is not failed: whoever is next goes on.
    held.signal.throwIfAborted();
    const failures = state.failures + 1;
    const pauseMs = Math.min(firstRetryMs * 2 ** (failures - 1), lastRetryMs);
    const retryAtMs = clock.now() + pauseMs;
    const reason = error instanceof Error ? error.message : String(error);
    await catalog.exports.note(held.holder, { failures, retryAtMs, error: reason });
    const retryAt = new Date(retryAtMs).toISOString();
    logger.warn({ err: error, to, failures, retryAt }, 'scheduled export failed, trying again');
  }
}

/** One that cannot be exported keeps no other from it, unless a store is away. */
async function exportAccounts(parts: ScheduledExport, completeThroughMs: number, held: Held) {
  const { catalog, place, logger } = parts;
  const all = (await catalog.accounts.list()).map(({ accountId }) => accountId);
  const unknown = parts.accountIds?.find((accountId) => !all.includes(accountId));
  const failures: unknown[] = [];
  if (unknown !== undefined) {
    failures.push(new Fault('NOT_FOUND', `EXPORT_ACCOUNTS names ${unknown}: no such account`));
  }
  let days = 0;
  for (const accountId of all) {
    if (parts.accountIds?.includes(accountId) === false) continue;
    try {
      const ofAccount = { ...parts, place: place.inside(`account=${accountId}`) };
      days += await exportAccount(ofAccount, { accountId, completeThroughMs, ...held });
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
  const isAll = storeNowMs - sinceMs > notesReachMs;
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

interface Round {
  readonly accountId: number;
  /** Days are complete that ended by then (ms, the beginning of a UTC day). */
  readonly completeThroughMs: number;
  /** Of the lease. */
  readonly holder: string;
  readonly signal: AbortSignal;
}

/**
 * Brings the exported days of an account up to date, one day after another. Resolves to the number
 * of days that were written. May be interrupted and run again.
 */
async function exportAccount(parts: AccountExport, round: Round): Promise<number> {
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
