import type { Fact, Writer } from '../../src/store/facts.ts';

/** A store in memory that waits, fails and goes away when a test says so. */
export interface FaultyWriter<Row> extends Writer<Row> {
  readonly written: readonly (readonly Row[])[];
  attempts(): number;
  /** Writes begun from now on end at `release`. */
  hold(): void;
  release(): void;
  failNext(writes: number, error?: Error): void;
  notReady(reason: string | undefined): void;
}

export function faultyWriter<Row = Fact>(): FaultyWriter<Row> {
  const written: (readonly Row[])[] = [];
  let attempts = 0;
  let failures = 0;
  let failure: Error | undefined;
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
        throw failure;
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
    failNext(writes, error = new Error('the store failed, as the test said')) {
      failures = writes;
      failure = error;
    },
    notReady(why) {
      reason = why;
    },
  };
}
