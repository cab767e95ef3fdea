import type { FactWriter, StretchFact } from '../../src/facts/facts.ts';

/** A store of facts in memory that waits, fails and goes away when a test says so. */
export interface FaultyWriter extends FactWriter {
  readonly written: readonly (readonly StretchFact[])[];
  attempts(): number;
  /** Writes begun from now on end at `release`. */
  hold(): void;
  release(): void;
  failNext(writes: number): void;
  notReady(reason: string | undefined): void;
}

export function faultyWriter(): FaultyWriter {
  const written: (readonly StretchFact[])[] = [];
  let attempts = 0;
  let failures = 0;
  let reason: string | undefined;
  let gate = Promise.resolve();
  let open = () => {};
  return {
    written,
    attempts: () => attempts,
    async write(facts) {
      attempts += 1;
      await gate;
      if (failures > 0) {
        failures -= 1;
        throw new Error('the store failed, as the test said');
      }
      written.push(facts);
    },
    whyNotReady: () => reason,
    hold() {
      gate = new Promise((resolve) => {
        open = resolve;
      });
    },
    release: () => open(),
    failNext(writes) {
      failures = writes;
    },
    notReady(why) {
      reason = why;
    },
  };
}
