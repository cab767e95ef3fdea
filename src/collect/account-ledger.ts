/**
 * Accounts for beacons by account and day, durably: what was acknowledged is in it, also after a
 * kill. Each run of the process counts for itself and writes how far it has come; a count that is
 * written twice is the same count. See docs/decisions/ledger.md.
 */
import { randomUUID } from 'node:crypto';
import type { LedgerRow } from '../facts/facts.ts';
import type { Clock } from '../lib/clock.ts';
import type { Spool } from '../spool/spool.ts';
import type { RefusalReason } from '../wire/beacon.ts';

export type OutcomeCode = 'COUNTED' | RefusalReason;

/** What became of one beacon. */
export interface Outcome {
  /** Undefined where nobody can tell whose it is: it is in the metrics only. */
  readonly accountId: number | undefined;
  readonly code: OutcomeCode;
}

export interface AccountLedger {
  /** Resolves when they are in the ledger durably; rejects with UNAVAILABLE. */
  note(outcomes: readonly Outcome[]): Promise<void>;
}

interface AccountLedgerOptions {
  readonly spool: Pick<Spool<LedgerRow>, 'add'>;
  readonly clock: Clock;
}

export function createAccountLedger({ spool, clock }: AccountLedgerOptions): AccountLedger {
  const run = randomUUID();
  let today = '';
  let counts = new Map<string, LedgerRow>();
  return {
    async note(outcomes) {
      const day = new Date(clock.now()).toISOString().slice(0, 10);
      // Rows of the day before are with the spool, if they wait still.
      if (day !== today) counts = new Map();
      today = day;
      const touched = new Set<string>();
      for (const { accountId, code: outcome } of outcomes) {
        if (accountId === undefined) continue;
        const name = `${accountId} ${outcome}`;
        const beacons = (counts.get(name)?.beacons ?? 0) + 1;
        counts.set(name, { accountId, day, outcome, run, beacons });
        touched.add(name);
      }
      const rows = [...touched].flatMap((name) => counts.get(name) ?? []);
      if (rows.length > 0) await spool.add(rows);
    },
  };
}
