/**
 * Facts waiting to become durable. Group commit: while one insert is under way, whatever arrives
 * waits and goes with the next, so that the load sets the size of the inserts and not their number.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { StretchFact, Writer } from '../facts/facts.ts';
import type { Logger } from '../lib/logger.ts';
import { Fault } from '../wire/faults.ts';
import { createWaitingRoom } from './waiting-room.ts';

export interface SpoolLimits {
  /** Facts that may wait; beyond it new ones are refused. */
  readonly waitingFacts: number;
  /** While more facts wait, requests are kept from coming in, for a while. */
  readonly crowdedFacts: number;
  readonly waitForRoomMs: number;
  /** Facts that go into one insert. */
  readonly factsPerInsert: number;
  /** How long a sender may wait for an answer. */
  readonly waitMs: number;
  /** Least time between the starts of two inserts; what arrives meanwhile goes with the next. */
  readonly insertEveryMs: number;
}

export const defaultSpoolLimits: SpoolLimits = {
  waitingFacts: 200_000,
  crowdedFacts: 50_000,
  waitForRoomMs: 1_000,
  factsPerInsert: 50_000,
  waitMs: 10_000,
  insertEveryMs: 10,
};

const retryPauseMs = 100;

export interface Spool<Fact = StretchFact> {
  /** Resolves when the facts are durable; else rejects with UNAVAILABLE: send them again. */
  add(facts: readonly Fact[]): Promise<void>;
  /**
   * To be awaited before the work on what is to be added. Resolves when there is room and the store
   * is ready; rejects with UNAVAILABLE where that took too long.
   */
  requireRoom(): Promise<void>;
  waitingFacts(): number;
  /** Refuses new facts, writes those that wait, then resolves. */
  stop(): Promise<void>;
}

interface Entry<Fact> {
  readonly facts: readonly Fact[];
  readonly deadline: number;
  readonly durable: () => void;
  readonly failed: (fault: Fault) => void;
}

interface SpoolOptions<Fact> {
  readonly writer: Writer<Fact>;
  readonly logger: Logger;
  readonly limits?: Partial<SpoolLimits>;
}

export function createSpool<Fact = StretchFact>(options: SpoolOptions<Fact>): Spool<Fact> {
  const { writer, logger, limits: given } = options;
  const limits = { ...defaultSpoolLimits, ...given };
  const waitingRoom = createWaitingRoom(limits.waitForRoomMs);
  let waiting: Entry<Fact>[] = [];
  let waitingFacts = 0;
  let stopped = false;
  let flushing: Promise<void> | undefined;

  const flush = async (): Promise<void> => {
    while (waiting.length > 0) {
      const startedAt = performance.now();
      const group = takeGroup(waiting, limits.factsPerInsert);
      waiting = waiting.slice(group.length);
      await writeGroup(group, writer, logger);
      for (const entry of group) waitingFacts -= entry.facts.length;
      if (waitingFacts < limits.crowdedFacts) waitingRoom.letIn(group.length);
      const restMs = limits.insertEveryMs - (performance.now() - startedAt);
      if (restMs > 0 && waiting.length > 0 && !stopped) await sleep(restMs);
    }
    flushing = undefined;
  };

  return {
    async requireRoom() {
      if (waitingFacts < limits.crowdedFacts && whyRefused() === undefined) return;
      const isLetIn = stopped || (await waitingRoom.enter());
      const refusal = whyRefused();
      if (refusal) throw refusal;
      if (!isLetIn && waitingFacts >= limits.crowdedFacts) throw unavailable('Too much is waiting');
    },
    waitingFacts: () => waitingFacts,
    add(facts) {
      const refusal = whyRefused();
      if (refusal) return Promise.reject(refusal);
      if (facts.length === 0) return Promise.resolve();
      return new Promise((durable, failed) => {
        waiting.push({ facts, deadline: performance.now() + limits.waitMs, durable, failed });
        waitingFacts += facts.length;
        flushing ??= flush();
      });
    },
    async stop() {
      stopped = true;
      waitingRoom.letIn(Number.POSITIVE_INFINITY);
      await flushing;
    },
  };

  function whyRefused(): Fault | undefined {
    if (stopped) return unavailable('The service is stopping');
    if (writer.whyNotReady() !== undefined) return unavailable('The store is not ready');
    if (waitingFacts >= limits.waitingFacts) return unavailable('Too much is waiting');
    return undefined;
  }
}

function takeGroup<Fact>(waiting: readonly Entry<Fact>[], most: number): Entry<Fact>[] {
  let count = 0;
  const end = waiting.findIndex((entry, index) => {
    count += entry.facts.length;
    return index > 0 && count > most;
  });
  return waiting.slice(0, end === -1 ? waiting.length : end);
}

/** Tries until the first sender of the group has waited long enough; then all may send again. */
async function writeGroup<Fact>(
  group: readonly Entry<Fact>[],
  writer: Writer<Fact>,
  logger: Logger,
): Promise<void> {
  const facts = group.flatMap((entry) => entry.facts);
  const deadline = Math.min(...group.map((entry) => entry.deadline));
  for (;;) {
    try {
      await writer.write(facts);
      for (const entry of group) entry.durable();
      return;
    } catch (error) {
      logger.warn({ err: error, facts: facts.length }, 'facts could not be written');
      if (performance.now() + retryPauseMs >= deadline) {
        for (const entry of group) entry.failed(unavailable('The store does not take facts'));
        return;
      }
      // An unclear answer is no danger: what was written already is only written again.
      await sleep(retryPauseMs);
    }
  }
}

function unavailable(detail: string): Fault {
  return new Fault('UNAVAILABLE', detail, { retryAfterSeconds: 2 });
}
