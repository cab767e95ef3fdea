/** Work by schedules, one node at a time: who has the lease, what is due, and what failed. */
import { randomUUID } from 'node:crypto';
import { type RunState, runLeaseMs, type ScheduledRuns } from '../../catalog/catalog.ts';
import type { Logger } from '../../lib/logger.ts';
import { type Clock, sleep } from '../../lib/time/clock.ts';
import type { Schedule } from '../../lib/time/schedule.ts';
import { Fault } from '../../vocabulary/faults.ts';

export const pollMs = 5_000;
const renewEveryMs = runLeaseMs / 4;
const firstRetryMs = 60_000;
const lastRetryMs = 3_600_000;
/** What hangs does not keep the service from stopping. */
const stopWithinMs = 5_000;
const takenOver = 'another process has taken it over';
/** Then another process may have taken it over, or none. */
const notRenewed = `it could not be renewed for ${runLeaseMs / 1_000} s`;

/** Whoever holds the lease; `signal` aborts when it is lost, and when the service stops. */
export interface Held {
  readonly holder: string;
  readonly signal: AbortSignal;
  /**
   * Rejects with UNAVAILABLE if another process has had the lease meanwhile: whoever hung for longer
   * than its lease asks before it replaces anything.
   */
  renew(): Promise<void>;
}

type Stopping = Pick<Held, 'holder' | 'signal'>;

export interface ScheduledWork<State extends RunState = RunState> {
  /** As the log has it: `scheduled export`. */
  readonly name: string;
  readonly schedule: Schedule;
  readonly runs: ScheduledRuns<State>;
  /** Where to, for the log. */
  readonly to?: string;
  /** Whether there is nothing that it could work with at the moment. */
  whyNotReady(): string | undefined;
  /** What is done with the lease also where no run is due. */
  readonly between?: {
    isDue(state: State): boolean;
    run(state: State, held: Held): Promise<void>;
  };
  /** Rejects if it is to be repeated soon, and not only when it is due again. */
  run(held: Held): Promise<RunOutcome<State>>;
}

export interface RunOutcome<State extends RunState = RunState> {
  /** For the log. */
  readonly about: object;
  /** What else is noted of the run. */
  readonly changes?: Partial<State>;
  /** What a run found that ended well, but is no success. */
  readonly problem?: string | undefined;
}

interface JobContext {
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * One after another, in this order, until the returned function is called; it resolves when none
 * is under way any more, unless it hangs. What was missed while no service ran is due at the start.
 */
export function keepToSchedule(
  works: readonly ScheduledWork[],
  { clock, logger }: JobContext,
): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const holder = randomUUID();
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      for (const work of works) {
        try {
          await turn(work, { clock, logger }, { holder, signal });
        } catch (error) {
          if (!signal.aborted) logger.warn({ err: error }, `the scheduled ${work.name} waits`);
        }
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
export function findOverdueMs(schedule: Schedule, state: RunState, nowMs: number): number {
  return Math.max(0, nowMs - schedule.after(state.afterMs));
}

/** Most turns find nothing to do, by one small read. */
async function turn(work: ScheduledWork, context: JobContext, stopping: Stopping): Promise<void> {
  if (work.whyNotReady() !== undefined) return;
  const hasWork = (state: RunState) =>
    isDue(work, state, context.clock.now()) || (work.between?.isDue(state) ?? false);
  const seen = await work.runs.state();
  if (seen && !hasWork(seen)) return;
  const state = await work.runs.hold(stopping.holder);
  if (state === undefined) return;
  // The schedule has just begun, or another node was first.
  if (!hasWork(state)) return work.runs.release(stopping.holder);
  await whileHeld(work, context.clock, stopping, async (held) => {
    await work.between?.run(state, held);
    if (isDue(work, state, context.clock.now())) await attempt(work, context, state, held);
  });
}

function isDue({ schedule }: ScheduledWork, state: RunState, nowMs: number): boolean {
  return state.failures > 0 ? nowMs >= state.retryAtMs : nowMs >= schedule.after(state.afterMs);
}

/** Renews the lease meanwhile. The work is interrupted when it is lost, and when this stops. */
async function whileHeld(
  { name, runs }: ScheduledWork,
  clock: Clock,
  { holder, signal: stopping }: Stopping,
  work: (held: Held) => Promise<void>,
): Promise<void> {
  const [lost, done] = [new AbortController(), new AbortController()];
  const lose = (reason: string) =>
    lost.abort(new Fault('UNAVAILABLE', `The scheduled ${name} has lost its lease: ${reason}`));
  const renew = async (): Promise<void> => {
    if (!(await runs.renew(holder))) lose(takenOver);
    lost.signal.throwIfAborted();
  };
  const keepRenewing = async (): Promise<void> => {
    let heldMs = clock.monotonic();
    for (;;) {
      await sleep(clock, renewEveryMs, done.signal);
      if (done.signal.aborted) return;
      const isRenewed = await runs.renew(holder).catch(() => undefined);
      if (isRenewed) heldMs = clock.monotonic();
      else if (isRenewed === false) lose(takenOver);
      else if (clock.monotonic() - heldMs >= runLeaseMs) lose(notRenewed);
    }
  };
  const renewing = keepRenewing();
  try {
    await work({ holder, signal: AbortSignal.any([stopping, lost.signal]), renew });
  } finally {
    done.abort();
    await renewing;
    await runs.release(holder);
  }
}

async function attempt(
  { name, runs, to, run }: ScheduledWork,
  { clock, logger }: JobContext,
  state: RunState,
  held: Held,
): Promise<void> {
  const [afterMs, beganMs] = [clock.now(), clock.monotonic()];
  const where = to === undefined ? {} : { to };
  try {
    const { about, changes, problem } = await run(held);
    const ended = problem === undefined ? { succeededAtMs: clock.now() } : {};
    const noted = { afterMs, ...ended, failures: 0, error: problem };
    await runs.note(held.holder, { ...noted, ...changes });
    const tookMs = Math.round(clock.monotonic() - beganMs);
    const said = { ...where, ...about, tookMs };
    if (problem === undefined) logger.info(said, `scheduled ${name} done`);
    else logger.error(said, `scheduled ${name}: ${problem}`);
  } catch (error) {
    // Interrupted is not failed: whoever is next goes on.
    held.signal.throwIfAborted();
    const failures = state.failures + 1;
    const pauseMs = Math.min(firstRetryMs * 2 ** (failures - 1), lastRetryMs);
    const retryAtMs = clock.now() + pauseMs;
    const reason = error instanceof Error ? error.message : String(error);
    await runs.note(held.holder, { failures, retryAtMs, error: reason });
    const retryAt = new Date(retryAtMs).toISOString();
    const about = { err: error, ...where, failures, retryAt };
    logger.warn(about, `scheduled ${name} failed, trying again`);
  }
}
