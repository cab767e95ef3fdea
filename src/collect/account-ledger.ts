/**
 * Accounts for beacons by account and day. Each run of the process counts for itself and writes how
 * far it has come, once a second and when it stops; a count written twice is the same count.
 * See docs/decisions/ledger.md.
 */
import { randomUUID } from 'node:crypto';
import type { LedgerRow, LedgerStore } from '../facts/facts.ts';
import type { Clock } from '../lib/clock.ts';
import type { Logger } from '../lib/logger.ts';
import { oneAtATime } from '../lib/one-at-a-time.ts';
import type { RefusalReason } from '../wire/beacon.ts';

const writeEveryMs = 1_000;

export type OutcomeCode = 'COUNTED' | RefusalReason;

/** What became of one beacon. */
export interface Outcome {
  /** Undefined where nobody can tell whose it is: it is in the metrics only. */
  readonly accountId: number | undefined;
  readonly code: OutcomeCode;
}

export interface AccountLedger {
  note(outcomes: readonly Outcome[]): void;
  /** Resolves when all that was noted is durable; rejects with UNAVAILABLE. */
  write(): Promise<void>;
  stop(): Promise<void>;
}

interface AccountLedgerOptions {
  readonly store: Pick<LedgerStore, 'write'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

export function startAccountLedger({ store, clock, logger }: AccountLedgerOptions): AccountLedger {
  const counts = new Map<string, LedgerRow>();
  const unwritten = new Set<string>();
  const today = dayTeller(clock);

  const writeOnce = async (): Promise<void> => {
    const names = [...unwritten];
    if (names.length === 0) return;
    unwritten.clear();
    try {
      await store.write(names.flatMap((name) => counts.get(name) ?? []));
    } catch (fault) {
      for (const name of names) unwritten.add(name);
      throw fault;
    }
    const day = today();
    for (const [name, row] of counts) {
      if (row.day !== day && !unwritten.has(name)) counts.delete(name);
    }
  };
  const inTurn = oneAtATime();
  const write = () => inTurn(writeOnce);
  const timer = setInterval(() => {
    write().catch((error) => logger.warn({ err: error }, 'ledger not written, trying again'));
  }, writeEveryMs);

  return {
    note(outcomes) {
      const day = today();
      let alike = 0;
      outcomes.forEach(({ accountId, code: outcome }, index) => {
        alike += 1;
        // Those of a batch are mostly one and the same: such a run is counted at once.
        const next = outcomes[index + 1];
        if (next && next.accountId === accountId && next.code === outcome) return;
        if (accountId !== undefined) {
          const name = `${day} ${accountId} ${outcome}`;
          // A day that comes back, because the clock was set, is counted as a run of its own.
          const { run, beacons } = counts.get(name) ?? { run: randomUUID(), beacons: 0 };
          counts.set(name, { accountId, day, outcome, run, beacons: beacons + alike });
          unwritten.add(name);
        }
        alike = 0;
      });
    },
    write,
    async stop() {
      clearInterval(timer);
      await write().catch((error) => logger.error({ err: error }, 'ledger not written'));
    },
  };
}

const dayMs = 24 * 60 * 60 * 1_000;

/** The day in UTC, yyyy-mm-dd; put into words once a day: every request asks for it. */
function dayTeller(clock: Clock): () => string {
  let number = Number.NaN;
  let day = '';
  return () => {
    const now = clock.now();
    if (Math.floor(now / dayMs) !== number) {
      number = Math.floor(now / dayMs);
      day = new Date(now).toISOString().slice(0, 10);
    }
    return day;
  };
}
