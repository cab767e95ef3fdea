import type { StretchFact, Writer } from '../../src/facts/facts.ts';

/** A store in memory that waits, fails and goes away when a test says so. */
export interface FaultyWriter<Row> extends Writer<Row> {
  readonly written: readonly (readonly Row[])[];
  attempts(): number;
  /** Writes begun from now on end at `release`. */
  hold(): void;
  release(): void;
  failNext(writes: number): void;
  notReady(reason: string | undefined): void;
}

export function faultyWriter<Row = StretchFact>(): FaultyWriter<Row> {
  const written: (readonly Row[])[] = [];
  let attempts = 0;
  let failures = 0;
  let reason: string | undefined;
  let gate = Promise.resolve();
  let open = () => {};
  return {
    written,
    attempts: () => attempts,
    async write(rows) {
      attempts += 1;
      await gate;
      if (failures > 0) {
        failures -= 1;
        throw new Error('the store failed, as the test said');
      }
      written.push(rows);
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
