/** Brings up the facts on a ClickHouse server: tables, roll-up, reads, writes. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../lib/clock.ts';
import type { Logger } from '../lib/logger.ts';
import { Fault } from '../wire/faults.ts';
import { createEventLog } from './event-log.ts';
import { encodeFacts } from './fact-batch.ts';
import { type FactStoreAccess, openFactStore } from './fact-store.ts';
import { createFactWriting } from './fact-writing.ts';
import type { EventLog, FactHealth, FactReader, FactWriter, LedgerStore } from './facts.ts';
import { createJournal, type Journal } from './journal.ts';
import { createLedgerStore } from './ledger-store.ts';
import { type RollUp, type RollUpPace, startRollUp, usualPace } from './roll-up.ts';

const migrateRetryMs = 250;

/** Each insert is a part on disk to be merged; a write to the journal need only be worth a sync. */
const insertEveryMs = 10;
const syncEveryMs = 2;

export interface Facts extends FactReader, FactHealth {
  readonly stretches: FactWriter;
  readonly events: EventLog;
  readonly ledger: LedgerStore;
  /** Resolves when the store has answered and its tables stand. */
  ready(): Promise<void>;
  /** Durable, but not in the store yet. */
  waitingFacts(): number;
  /** Sums all that is acknowledged by now, without waiting for the next turn. */
  rollUp(): Promise<void>;
  close(): Promise<void>;
}

interface FactsOptions {
  readonly access: FactStoreAccess;
  /** Where the server is a child of ours: why it does not answer just now. */
  readonly whyServerNotReady?: () => string | undefined;
  /** Where facts become durable before they are in the store; without it the store does it. */
  readonly journalFolder?: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly pace?: Partial<RollUpPace> | undefined;
}

/** Returns at once; the tables are made as soon as the server answers. */
export function openFacts(options: FactsOptions): Facts {
  const { access, whyServerNotReady, logger } = options;
  const pace = { ...usualPace, ...options.pace };
  const store = openFactStore(access);
  const journal = journalOf(options, createFactWriting(store, pace.touchAgainMs));
  const closing = new AbortController();
  let notReady: string | undefined = 'The statistics store has not answered yet';
  let rollUp: RollUp | undefined;

  const prepare = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      const reason =
        whyServerNotReady?.() ?? (await failureOf(store.migrate().then(journal.replay)));
      if (reason === undefined) {
        notReady = undefined;
        rollUp = startRollUp({ store, storedThrough: journal.storedThrough, logger, pace });
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
    if (reason !== undefined) throw unavailable(reason);
  };
  const whenReady =
    <Given extends unknown[], Answer>(work: (...given: Given) => Promise<Answer>) =>
    async (...given: Given) => {
      requireReady();
      return work(...given);
    };

  return {
    stretches: {
      everyMs: options.journalFolder === undefined ? insertEveryMs : syncEveryMs,
      whyNotReady: () => whyNotReady() ?? journal.whyNotReady(),
      write: whenReady((facts) => journal.write(encodeFacts(facts))),
    },
    waitingFacts: journal.waitingFacts,
    events: { whyNotReady, ...createEventLog(store, requireReady) },
    ledger: { whyNotReady, ...createLedgerStore(store, requireReady) },
    whyNotReady,
    ready: () => preparing,
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
      await journal.flush();
      await rollUp?.run();
    },
    ping: whenReady(store.ping),
    async close() {
      closing.abort();
      await preparing;
      await journal.close();
      await rollUp?.stop();
      await store.close();
    },
  };
}

function unavailable(reason: string): Fault {
  const options = { retryAfterSeconds: 1, cause: reason };
  return new Fault('UNAVAILABLE', 'The statistics store is not ready', options);
}

/** Without a folder the store itself makes facts durable, and nothing waits. */
function journalOf(options: FactsOptions, store: Journal['write']): Journal {
  const { journalFolder: folder, clock, logger } = options;
  if (folder !== undefined) return createJournal({ folder, store, clock, logger });
  const nothing = async () => {};
  return {
    replay: nothing,
    write: store,
    whyNotReady: () => undefined,
    waitingFacts: () => 0,
    storedThrough: () => clock.now(),
    flush: nothing,
    close: nothing,
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
