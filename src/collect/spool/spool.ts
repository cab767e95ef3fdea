/**
 * Facts waiting to become durable. Group commit: all that arrives until a turn of the event loop
 * brings nothing goes into one insert, and all that arrives during the insert goes with the next.
 * So the load sets the size of the inserts and not their number.
 */

import { assert } from '../../lib/assert.ts';
import type { Logger } from '../../lib/logger.ts';
import { nextTurn } from '../../lib/tasks/fair-turns.ts';
import { type Clock, sleep } from '../../lib/time/clock.ts';
import type { Fact, Writer } from '../../store/facts.ts';
import { Fault } from '../../vocabulary/faults.ts';
import type { AccountLedger, Outcome } from '../account-ledger.ts';
import {
  type Admission,
  type AdmissionLimits,
  createAdmission,
  tooManyWaiting,
  unavailable,
} from './admission.ts';

export interface SpoolLimits extends AdmissionLimits {
  /** Facts that may wait; beyond that, new ones are refused. */
  readonly waitingFacts: number;
  /** Most facts in one insert. */
  readonly factsPerInsert: number;
  /** How long a sender may wait for an answer. */
  readonly waitMs: number;
  /** Shortest time between the starts of two inserts; facts that arrive meanwhile join the next. */
  readonly insertEveryMs: number;
  /** How long an insert waits at most for facts that keep arriving. */
  readonly gatherMs: number;
}

const defaultSpoolLimits: SpoolLimits = {
  waitingFacts: 200_000,
  crowdedFacts: { small: 100_000, large: 50_000 },
  waitForRoomMs: { small: 1_000, large: 5_000 },
  factsBeforeParts: 3_500,
  factsPerInsert: 50_000,
  waitMs: 10_000,
  insertEveryMs: 10,
  gatherMs: 4,
};

const retryPauseMs = 100;

export interface Spool<Item = Fact>
  extends Pick<Admission, 'requireRoom' | 'takeTurn' | 'waitingRequests'> {
  /**
   * Resolves when the facts are durable and the outcomes of what they came from are counted.
   * Rejects with UNAVAILABLE where they should be sent again, and with INTERNAL where the store
   * refuses them for a mistake of ours, which no retry mends.
   */
  add(facts: readonly Item[], outcomes?: readonly Outcome[]): Promise<void>;
  /**
   * The same for part of a request that makes many facts, however few beacons it has: it waits, for
   * a limited time, until few others do, so that it keeps no small request waiting.
   */
  addInTurn(facts: readonly Item[], outcomes?: readonly Outcome[]): Promise<void>;
  waitingFacts(): number;
  /** Undefined while facts are taken; otherwise why not, for the operator. */
  whyNotReady(): string | undefined;
  /** Refuses new facts, writes the waiting ones, then resolves. */
  stop(): Promise<void>;
}

/** What becomes durable together. */
interface Group<Item> {
  readonly facts: Item[];
  readonly outcomes: Outcome[];
  /** Until then its first sender waits for an answer. */
  readonly deadline: number;
  readonly durable: PromiseWithResolvers<void>;
}

interface SpoolOptions<Item> {
  readonly writer: Writer<Item>;
  /** Counts outcomes; without it there are none. */
  readonly accountLedger?: Pick<AccountLedger, 'stage'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly limits?: Partial<SpoolLimits>;
}

export function createSpool<Item = Fact>(options: SpoolOptions<Item>): Spool<Item> {
  const { writer, clock, limits: given } = options;
  const limits = { ...defaultSpoolLimits, ...given };
  const waiting: Group<Item>[] = [];
  let waitingFacts = 0;
  let stopped = false;
  const stopping = new AbortController();
  let flushing: Promise<void> | undefined;

  const entrance = createAdmission({
    ...{ limits, whyRefused, clock },
    waitingFacts: () => waitingFacts,
    isFull: () => writer.isFull?.() ?? false,
    isFilling: () => writer.isFilling?.() ?? false,
  });

  const flush = async (): Promise<void> => {
    while (waiting.length > 0) {
      await gather(() => waitingFacts, limits.gatherMs, clock);
      const startedAt = clock.monotonic();
      const group = waiting.shift();
      assert(group, 'what waits is taken here alone');
      await writeGroup(group, options);
      waitingFacts -= group.facts.length;
      assert(waitingFacts >= 0, 'no more facts leave the spool than came');
      entrance.letIn();
      const restMs = limits.insertEveryMs - (clock.monotonic() - startedAt);
      if (restMs > 0 && waiting.length > 0 && !stopped) await sleep(clock, restMs, stopping.signal);
    }
    flushing = undefined;
  };

  const add = (facts: readonly Item[], outcomes: readonly Outcome[] = []): Promise<void> => {
    const refusal = whyRefused();
    if (refusal) return Promise.reject(refusal);
    if (facts.length === 0 && outcomes.length === 0) return Promise.resolve();
    const group = groupFor(facts.length, waiting, { clock, limits });
    for (const fact of facts) group.facts.push(fact);
    for (const outcome of outcomes) group.outcomes.push(outcome);
    waitingFacts += facts.length;
    flushing ??= flush();
    return group.durable.promise;
  };

  return {
    requireRoom: entrance.requireRoom,
    takeTurn: entrance.takeTurn,
    waitingRequests: entrance.waitingRequests,
    waitingFacts: () => waitingFacts,
    whyNotReady: () => (whyRefused() ? (writer.whyNotReady() ?? whyRefused()?.message) : undefined),
    add,
    async addInTurn(facts, outcomes) {
      const leave = await entrance.requirePart(facts.length);
      const added = add(facts, outcomes);
      leave();
      return added;
    },
    async stop() {
      stopped = true;
      stopping.abort();
      entrance.close();
      await flushing;
    },
  };

  function whyRefused(): Fault | undefined {
    if (stopped) return unavailable('The service is stopping', 'stopping');
    const isOver = waitingFacts >= limits.waitingFacts;
    return findRefusal(writer) ?? (isOver ? tooManyWaiting() : undefined);
  }
}

/** What a sender reads while nothing can be stored; the writer says more, for the operator. */
function findRefusal<Item>(writer: Writer<Item>): Fault | undefined {
  if (writer.isFull?.()) return unavailable('The service has no room for more at present', 'disk');
  if (writer.whyNotReady() === undefined) return undefined;
  return unavailable('The store is not ready', 'store');
}

/** Resolves when a turn of the event loop has made the count no larger, or when time is up. */
async function gather(count: () => number, mostMs: number, clock: Clock): Promise<void> {
  const endMs = clock.monotonic() + mostMs;
  let before: number;
  do {
    before = count();
    await nextTurn();
  } while (count() > before && clock.monotonic() < endMs);
}

/** The group that so many more facts of one sender go into: those of a sender stay together. */
function groupFor<Item>(
  facts: number,
  waiting: Group<Item>[],
  { clock, limits }: { readonly clock: Clock; readonly limits: SpoolLimits },
): Group<Item> {
  const last = waiting.at(-1);
  if (last && last.facts.length + facts <= limits.factsPerInsert) return last;
  const deadline = clock.monotonic() + limits.waitMs;
  const group: Group<Item> = {
    facts: [],
    outcomes: [],
    deadline,
    durable: Promise.withResolvers(),
  };
  waiting.push(group);
  return group;
}

/** Tries until the first sender of the group has waited long enough; then all may send again. */
async function writeGroup<Item>(
  { facts, outcomes, deadline, durable }: Group<Item>,
  { writer, accountLedger, clock, logger }: SpoolOptions<Item>,
): Promise<void> {
  for (;;) {
    try {
      const counts = accountLedger?.stage(outcomes);
      await writer.write(facts, counts?.rows);
      counts?.commit();
      return durable.resolve();
    } catch (error) {
      logger.warn({ err: error, facts: facts.length }, 'facts could not be written');
      if (isOurMistake(error)) return durable.reject(error);
      if (writer.isFull?.() || clock.monotonic() + retryPauseMs >= deadline) {
        return durable.reject(
          unavailable('The store accepts no facts', writer.isFull?.() ? 'disk' : 'store'),
        );
      }
      // An unclear answer is harmless: facts already written are only written again.
      await sleep(clock, retryPauseMs);
    }
  }
}

function isOurMistake(error: unknown): error is Fault {
  return error instanceof Fault && error.code === 'INTERNAL';
}
