/**
 * Counts beacons by account, day and outcome. Each count has a random id (`run`) for as long as the
 * process runs, and is written as it stands: into the journal with the facts of what it counts, and
 * into the store once a second and at the end; a count written twice is the same count.
 * See docs/decisions/ledger.md.
 */
import { randomUUID } from 'node:crypto';
import type { Logger } from '../lib/logger.ts';
import { oneAtATime } from '../lib/tasks/serial-work.ts';
import type { Clock } from '../lib/time/clock.ts';
import { dayMs, toUtcDay } from '../lib/time/utc-day.ts';
import type { LedgerRow, LedgerStore, OpenColumn } from '../store/facts.ts';
import type { RefusalReason } from '../wire/beacons/beacon.ts';
import type { LimitReason } from '../wire/beacons/ledger.ts';
import type { KeptCode } from './steps/outcome-metrics.ts';

const writeEveryMs = 1_000;

type OutcomeCode =
  | (KeptCode | RefusalReason | 'LABEL_LEFT_OUT' | 'UNAVAILABLE')
  | `LIMITED_${LimitReason}`
  | `NEW_${OpenColumn}`
  | `OTHER_${OpenColumn}_${string}`;

/**
 * The fate of one beacon, of a label or a new value in it (`OTHER_` with the hour of the day), or
 * of a request with a key that was restricted.
 * `UNAVAILABLE` is that of a beacon which was read and answered with 503: its sender has it still.
 */
export interface Outcome {
  /** Undefined if it belongs to no account: it appears in the metrics only. */
  readonly accountId: number | undefined;
  readonly code: OutcomeCode;
}

export interface AccountLedger {
  note(outcomes: readonly Outcome[]): void;
  /** The same for outcomes that are durable together with their facts, in the journal. */
  stage(outcomes: readonly Outcome[]): StagedCounts;
  /** Resolves when everything noted is durable; rejects with UNAVAILABLE. */
  write(): Promise<void>;
  stop(): Promise<void>;
}

interface StagedCounts {
  /** What is counted once these are. */
  readonly rows: readonly LedgerRow[];
  /** Call it when they are durable. */
  commit(): void;
}

/** All that was counted so far. */
type Count = LedgerRow & { beacons: number };

interface AccountLedgerOptions {
  readonly store: Pick<LedgerStore, 'write'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

export function startAccountLedger({ store, clock, logger }: AccountLedgerOptions): AccountLedger {
  const counts = new Map<string, Count>();
  const unwritten = new Set<Count>();
  /** To which the next outcome mostly belongs too. */
  let last: Count | undefined;
  const today = dayTeller(clock);

  const writeOnce = async (): Promise<void> => {
    const changed = [...unwritten];
    if (changed.length === 0) return;
    unwritten.clear();
    try {
      await store.write(changed.map((count) => ({ ...count })));
    } catch (fault) {
      for (const count of changed) unwritten.add(count);
      throw fault;
    }
    const day = today();
    for (const [name, count] of counts) {
      if (count.day !== day && !unwritten.has(count)) counts.delete(name);
    }
  };
  const inTurn = oneAtATime();
  const write = () => inTurn(writeOnce);
  let cancelWrite = () => {};
  const writeLater = (): void => {
    cancelWrite = clock.after(writeEveryMs, () => {
      write().catch((error) => logger.warn({ err: error }, 'ledger not written, trying again'));
      writeLater();
    });
  };
  writeLater();

  const countOf = (accountId: number, day: string, outcome: OutcomeCode): Count => {
    const isLast = last?.accountId === accountId && last.outcome === outcome && last.day === day;
    if (last && isLast) return last;
    const name = `${day} ${accountId} ${outcome}`;
    // If the clock is set back to a past day, that day is counted under a new run.
    last = counts.get(name) ?? { accountId, day, outcome, run: randomUUID(), beacons: 0 };
    counts.set(name, last);
    return last;
  };

  const stage = (outcomes: readonly Outcome[]): StagedCounts => {
    const day = today();
    const added = new Map<Count, number>();
    let alike = 0;
    outcomes.forEach(({ accountId, code: outcome }, index) => {
      alike += 1;
      // The outcomes of a batch are mostly the same: a run of equal ones is counted at once.
      const next = outcomes[index + 1];
      if (next && next.accountId === accountId && next.code === outcome) return;
      if (accountId !== undefined) {
        const count = countOf(accountId, day, outcome);
        added.set(count, (added.get(count) ?? 0) + alike);
      }
      alike = 0;
    });
    return {
      rows: [...added].map(([count, more]) => ({ ...count, beacons: count.beacons + more })),
      commit() {
        for (const [count, more] of added) {
          count.beacons += more;
          unwritten.add(count);
        }
      },
    };
  };

  return {
    note: (outcomes) => stage(outcomes).commit(),
    stage,
    write,
    async stop() {
      cancelWrite();
      await write().catch((error) => logger.error({ err: error }, 'ledger not written'));
    },
  };
}

/** The day in UTC, yyyy-mm-dd; written out once a day, because every request needs it. */
function dayTeller(clock: Clock): () => string {
  let number = Number.NaN;
  let day = '';
  return () => {
    const now = clock.now();
    if (Math.floor(now / dayMs) !== number) {
      number = Math.floor(now / dayMs);
      day = toUtcDay(now);
    }
    return day;
  };
}
