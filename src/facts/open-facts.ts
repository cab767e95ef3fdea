/** Brings up the facts on a ClickHouse server: tables, roll-up, reads, writes. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../lib/clock.ts';
import type { Logger } from '../lib/logger.ts';
import { Fault } from '../wire/faults.ts';
import { createEventLog } from './event-log.ts';
import { type FactStoreAccess, openFactStore } from './fact-store.ts';
import { createFactWriting } from './fact-writing.ts';
import type { EventLog, FactHealth, FactReader, FactWriter, LedgerStore } from './facts.ts';
import { createLedgerStore } from './ledger-store.ts';
import { type RollUp, type RollUpPace, startRollUp, usualPace } from './roll-up.ts';

const migrateRetryMs = 250;

export interface Facts extends FactReader, FactWriter, FactHealth {
  readonly events: EventLog;
  readonly ledger: LedgerStore;
  /** Resolves when the store has answered and its tables stand. */
  ready(): Promise<void>;
  /** Sums all that is acknowledged by now, without waiting for the next turn. */
  rollUp(): Promise<void>;
  close(): Promise<void>;
}

interface FactsOptions {
  readonly access: FactStoreAccess;
  /** Where the server is a child of ours: why it does not answer just now. */
  readonly whyServerNotReady?: () => string | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly pace?: Partial<RollUpPace> | undefined;
}

/** Returns at once; the tables are made as soon as the server answers. */
export function openFacts(options: FactsOptions): Facts {
  const { access, whyServerNotReady, clock, logger } = options;
  const pace = { ...usualPace, ...options.pace };
  const store = openFactStore(access);
  const writeFacts = createFactWriting(store, pace.touchAgainMs);
  const closing = new AbortController();
  let notReady: string | undefined = 'The statistics store has not answered yet';
  let rollUp: RollUp | undefined;

  const prepare = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      const reason = whyServerNotReady?.() ?? (await failureOf(store.migrate()));
      if (reason === undefined) {
        notReady = undefined;
        rollUp = startRollUp({ store, clock, logger, pace });
        return;
      }
      notReady = reason;
      await sleep(migrateRetryMs, undefined, { signal: closing.signal }).catch(() => {});
    }
  };
  const preparing = prepare();
  const whyNotReady = () => whyServerNotReady?.() ?? notReady;
  const requireReady = () => {
    const reason = whyNotReady();
    if (reason === undefined) return;
    throw new Fault('UNAVAILABLE', 'The statistics store is not ready', {
      retryAfterSeconds: 1,
      cause: reason,
    });
  };

  return {
    events: { whyNotReady, ...createEventLog(store, requireReady) },
    ledger: { whyNotReady, ...createLedgerStore(store, requireReady) },
    whyNotReady,
    ready: () => preparing,
    async write(facts) {
      requireReady();
      await writeFacts(facts);
    },
    async read(query) {
      requireReady();
      return store.select(query);
    },
    async unsettledDays(accountId) {
      requireReady();
      return rollUp?.unsettledDays(accountId) ?? [];
    },
    completeThrough: () => rollUp?.completeThrough() ?? 0,
    async rollUp() {
      requireReady();
      await rollUp?.run();
    },
    async ping() {
      requireReady();
      await store.ping();
    },
    async close() {
      closing.abort();
      await preparing;
      await rollUp?.stop();
      await store.close();
    },
  };
}

async function failureOf(attempt: Promise<void>): Promise<string | undefined> {
  try {
    await attempt;
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
