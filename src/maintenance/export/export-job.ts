/** Exports by a schedule, one node at a time: see docs/decisions/exports.md. */
import { randomUUID } from 'node:crypto';
import { type ExportState, exportLeaseMs } from '../../catalog/catalog.ts';
import type { Logger } from '../../lib/logger.ts';
import { type Clock, sleep } from '../../lib/time/clock.ts';
import type { Schedule } from '../../lib/time/schedule.ts';
import { dayMs } from '../../lib/time/utc-day.ts';
import type { FactHealth } from '../../store/facts.ts';
import { Fault } from '../../vocabulary/faults.ts';
import { type AccountExport, exportAccount } from './account-export.ts';
import { findLateDays, type LateDaysParts } from './late-days.ts';

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

/** Renews the lease meanwhile. The work is broken off when it is lost, and when this stops. */
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
    // Broken off is not failed: whoever is next goes on.
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
