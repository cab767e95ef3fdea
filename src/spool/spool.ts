/**
 * Facts waiting to become durable. Group commit: while one insert is under way, whatever arrives
 * waits and goes with the next, so that the load sets the size of the inserts and not their number.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { StretchFact, Writer } from '../facts/facts.ts';
import type { Logger } from '../lib/logger.ts';
import type { Fault } from '../wire/faults.ts';
import { createEntrance, type Entrance, type EntranceLimits, unavailable } from './entrance.ts';

export interface SpoolLimits extends EntranceLimits {
  /** Facts that may wait; beyond it new ones are refused. */
  readonly waitingFacts: number;
  /** Facts that go into one insert. */
  readonly factsPerInsert: number;
  /** How long a sender may wait for an answer. */
  readonly waitMs: number;
  /** Least time between the starts of two inserts; what arrives meanwhile goes with the next. */
  readonly insertEveryMs: number;
}

export const defaultSpoolLimits: SpoolLimits = {
  waitingFacts: 200_000,
  crowdedFacts: { small: 100_000, large: 50_000 },
  waitForRoomMs: { small: 1_000, large: 5_000 },
  factsPerInsert: 50_000,
  waitMs: 10_000,
  insertEveryMs: 10,
};

const retryPauseMs = 100;

export interface Spool<Fact = StretchFact> extends Pick<Entrance, 'requireRoom'> {
  /** Resolves when the facts are durable; else rejects with UNAVAILABLE: send them again. */
  add(facts: readonly Fact[]): Promise<void>;
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
  let waiting: Entry<Fact>[] = [];
  let waitingFacts = 0;
  let stopped = false;
  let flushing: Promise<void> | undefined;

  const entrance = createEntrance({
    limits,
    waitingFacts: () => waitingFacts,
    whyRefused,
  });

  const flush = async (): Promise<void> => {
    while (waiting.length > 0) {
      const startedAt = performance.now();
      const group = takeGroup(waiting, limits.factsPerInsert);
      waiting = waiting.slice(group.length);
      await writeGroup(group, writer, logger);
      for (const entry of group) waitingFacts -= entry.facts.length;
      entrance.letIn();
      const restMs = limits.insertEveryMs - (performance.now() - startedAt);
      if (restMs > 0 && waiting.length > 0 && !stopped) await sleep(restMs);
    }
    flushing = undefined;
  };

  return {
    requireRoom: entrance.requireRoom,
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
      entrance.close();
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
