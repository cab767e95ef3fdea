/** Opens the facts on a ClickHouse server: tables, roll-up, reads, writes. */
import type { Registry } from 'prom-client';
import type { Logger } from '../lib/logger.ts';
import type { Clock } from '../lib/time/clock.ts';
import { retryStartup, type StartupRetry } from './client/startup-retry.ts';
import type { FactStore, NoteFailure } from './client/store-client.ts';
import { requireNone, saySo } from './client/store-failure.ts';
import { createValueReader } from './days/day-values.ts';
import { createErasedFilter, type ErasedFilter, erasesNothing } from './erasure/erased-filter.ts';
import { createFactErasure } from './erasure/fact-erasure.ts';
import { createEventLog } from './facts/event-log.ts';
import { createFactReader } from './facts/fact-reader.ts';
import { createFactWriter } from './facts/fact-writer.ts';
import { createLedgerStore } from './facts/ledger-store.ts';
import { createSuspects, readSuspectViews, type SuspectViewRecall } from './facts/quarantine.ts';
import type {
  ErasureBook,
  EventLog,
  Fact,
  FactErasure,
  FactHealth,
  FactReader,
  FactWriter,
  LedgerStore,
  MeterStatement,
  StoreVerification,
  Suspects,
  ValueReader,
  VerdictSource,
} from './facts.ts';
import { createFilledSoFar, encodeInPortions } from './journal/fact-batch.ts';
import { createJournal, type Journal, type Recovered } from './journal/journal.ts';
import { createFactMetrics, type FactMetrics } from './journal/store-metrics.ts';
import { readIdentity } from './migrations/migrate.ts';
import { openStore, type StoreAccess } from './open-store.ts';
import { forgetProgress } from './roll-up/progress.ts';
import {
  type RollUp,
  type RollUpPace,
  type RollUpSharing,
  startRollUp,
  usualPace,
} from './roll-up/roll-up.ts';
import { noVerdictSource, rememberVerdicts } from './sql/verdicts.ts';
import { checkNewParts } from './verify/part-check.ts';
import { createStoreVerification } from './verify/store-verification.ts';

/** Each insert makes a part that must be merged; a write to the journal costs only a sync. */
const insertEveryMs = 10;

export type { RollUpSharing };

export interface Facts extends FactReader, FactHealth {
  readonly stretches: FactWriter;
  readonly events: EventLog;
  readonly ledger: LedgerStore;
  readonly suspects: Suspects;
  readonly values: ValueReader;
  readonly upkeep: StoreVerification;
  readonly erasing: FactErasure;
  /** Those of the facts that were erased: writing them leaves them out. */
  erased(facts: readonly Fact[]): Promise<ReadonlySet<Fact>>;
  /**
   * Resolves when facts are accepted and questions answered, or on `close`. Rejects if waiting
   * cannot help: a migration that fails, a store or a journal of a later release.
   */
  ready(): Promise<void>;
  /** Why nothing could be summed since the start, as with damaged data; undefined if it could. */
  whySummingFails(): string | undefined;
  /** Resolves if the server answers, whether or not anything is ready; rejects with the reason. */
  reach(): Promise<void>;
  /** Ends what waits for an answer of the server: `close` would wait as long. */
  cut(): Promise<void>;
  /** Facts that are durable, but not in the store yet. */
  waitingFacts(): number;
  /**
   * Everything that this process acknowledged before this instant (ms) is in the store; 0 until
   * what an earlier run left in the journal is.
   */
  storedThrough(): number;
  /** What a run that did not stop in order left in the journal, once `ready`. */
  recovered(): Readonly<Recovered>;
  /** Reads what was written in these last seconds, and treats what is damaged as if met. */
  checkNewParts(withinSeconds: number): Promise<void>;
  /** Sums everything acknowledged so far, without waiting for the next roll-up. */
  rollUp(): Promise<void>;
  /** Finds the irregular views of all days that are settled, without waiting for it. */
  checkViews(): Promise<void>;
  close(): Promise<void>;
}

interface FactsOptions {
  readonly access: StoreAccess;
  /** For the bundled engine: why it does not answer at the moment. */
  readonly whyServerNotReady?: () => string | undefined;
  /** For the bundled engine: called whenever it finds its data damaged. */
  readonly onDamage?: () => void;
  /** The folder of the journal; without it the store makes facts durable. */
  readonly journalFolder?: string;
  /** Journals of processes that do not run any more. */
  readonly leftJournals?: () => Promise<readonly string[]>;
  /** Without it all suspects are refused. */
  readonly verdicts?: VerdictSource;
  /** Without it nothing was ever erased. */
  readonly erasures?: ErasureBook;
  /** Receives what was set apart lately, before any facts are accepted. */
  readonly recall?: SuspectViewRecall;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Registry;
  readonly pace?: Partial<RollUpPace> | undefined;
  /** Up to so many facts of a range are all merged while they are read; default: 100,000. */
  readonly fewFacts?: number | undefined;
  /** Of questions; see createFactReader. */
  readonly meter?: MeterStatement | undefined;
  /** Tables of an earlier release are refused, not brought up to date. */
  readonly leavesAsFound?: boolean;
  /** The store's clock is right, although what is saved of the roll-up lies ahead of it. */
  readonly acceptsClock?: boolean | undefined;
  /** Rejects if the store, named by its identity, is not the one that belongs here. */
  readonly requireIdentity?: (identity: string) => Promise<void>;
  /** Default: this process sums, and knows of no other one. */
  readonly sharing?: RollUpSharing | undefined;
}

/** Returns at once; the tables are created as soon as the server answers. */
export function openFacts(options: FactsOptions): Facts {
  const { clock, logger, recall, sharing, fewFacts, meter } = options;
  const verdicts = rememberVerdicts(options.verdicts ?? noVerdictSource);
  const metrics = createFactMetrics(options.metrics);
  const noteFailure = failureNotes(metrics, logger, options.onDamage);
  const opened = openStore({ ...options, noteFailure, noteDone: metrics.statementDone });
  const { store } = opened;
  const whyServerNotReady = () => options.whyServerNotReady?.() ?? opened.whyNotReady();
  const { sieve, erased } = createErasedFilter(verdicts, options.erasures ?? erasesNothing);
  const journal = openStoreJournal(options, store, createFactWriter(store, sieve), metrics);
  const lookBackMs = usualPace.lookBackMs + opened.coveredSkewMs;
  const pace = { ...usualPace, lookBackMs, ...options.pace };
  let rollUp: RollUp | undefined;
  const bringingUp = retryStartup({
    whyServerNotReady,
    clock,
    logger,
    async attempt() {
      await opened.prepare(options.leavesAsFound ?? false);
      if (options.requireIdentity) await options.requireIdentity(await readIdentity(store));
      // Not when it is ready: who follows the roll-up of another is not, before that.
      if (options.acceptsClock) await forgetProgress(store);
      await journal.replay();
      if (recall) recall.remember(await readSuspectViews(store, recall, clock.now()));
      const parts = { store, journal, verdicts, clock, logger, metrics };
      rollUp = startRollUp({ ...parts, pace, sharing });
    },
  });
  const summing = whenSummed(bringingUp, () => rollUp);
  const whyNotReady = () => whyServerNotReady() ?? bringingUp.whyNotReady();
  const requireReady = () => requireNone(whyNotReady());
  // What a journal takes waits there while the server is away.
  const waitsInJournal = options.journalFolder !== undefined;
  const whyNotWritable = waitsInJournal ? bringingUp.whyNotReady : whyNotReady;
  const requireSummed = () => requireNone(whyNotReady() ?? summing.whyNot());
  const summed = { store, verdicts, clock, pace, requireSummed, rollUp: () => rollUp };

  return {
    stretches: {
      everyMs: waitsInJournal ? 0 : insertEveryMs,
      ...writeInto(journal, () => requireNone(whyNotWritable())),
      whyNotReady: () => whyNotWritable() ?? journal.whyNotReady(),
    },
    waitingFacts: journal.waitingFacts,
    recovered: () => journal.recovered,
    storedThrough: () => (bringingUp.whyNotReady() === undefined ? journal.storedThrough() : 0),
    events: { whyNotReady, ...createEventLog(store, requireReady, erased) },
    ledger: { whyNotReady, ...createLedgerStore(store, requireReady) },
    suspects: createSuspects(summed),
    values: createValueReader(store, requireReady),
    upkeep: createStoreVerification({ ...summed, opened, now: () => clock.now() }),
    whyNotReady: () => whyNotReady() ?? summing.whyNot(),
    whySummingFails: () => (summing.whyNot() === undefined ? undefined : rollUp?.whyFailing()),
    ready: () => summing.done,
    erased: (facts) => erasedFacts(erased, facts),
    erasing: createFactErasure({ ...summed, settlesWithinMs: pace.lookBackMs }),
    ...createFactReader({ ...summed, fewFacts, opened, meter }),
    checkNewParts: (withinSeconds) => checkNewParts(store, withinSeconds, noteFailure),
    ...createSumming(journal, requireReady, () => rollUp),
    async ping() {
      requireSummed();
      await store.ping().catch(saySo);
    },
    ...createConnection(store, whyServerNotReady),
    async close() {
      await bringingUp.stop();
      await journal.close();
      await rollUp?.stop();
      await store.close();
    },
  };
}

function createSumming(
  journal: Journal,
  requireReady: () => void,
  rollUp: () => RollUp | undefined,
) {
  return {
    async rollUp() {
      requireReady();
      await journal.flush();
      await rollUp()?.run();
    },
    async checkViews() {
      requireReady();
      await rollUp()?.checkViews();
    },
  };
}

function createConnection(
  store: FactStore,
  whyServerNotReady: () => string | undefined,
): Pick<Facts, 'reach' | 'cut'> {
  return {
    async reach() {
      try {
        requireNone(whyServerNotReady());
        await store.ping();
      } catch (error) {
        saySo(error);
      }
    },
    cut: () => store.close(),
  };
}

/** Until then answers would lack what was acknowledged before the start. */
function whenSummed({ done }: StartupRetry, rollUp: () => RollUp | undefined) {
  let whyNot: string | undefined = 'Nothing has been summed since the start';
  const summing = done.then(async () => {
    await rollUp()?.ranOnce();
    whyNot = undefined;
  });
  // Callers of `ready` get the error; nobody has to.
  summing.catch(() => {});
  return { done: summing, whyNot: () => whyNot };
}

async function erasedFacts(
  erased: ErasedFilter['erased'],
  facts: readonly Fact[],
): Promise<ReadonlySet<Fact>> {
  const rows = facts.map((fact) => {
    const { accountId, view, slotStart, packageId, videoId, details } = fact;
    const names = { accountId, view, slotStart, packageId, videoId };
    return { ...names, viewer: details?.viewer, fact };
  });
  return new Set([...(await erased(rows))].map(({ fact }) => fact));
}

function writeInto(
  journal: Journal,
  requireReady: () => void,
): Pick<FactWriter, 'write' | 'isFilling'> {
  const filledSoFar = createFilledSoFar();
  return {
    isFilling: journal.isFilling,
    async write(facts, ledger) {
      requireReady();
      await journal.write(await encodeInPortions(facts, filledSoFar), ledger);
    },
  };
}

function failureNotes(
  metrics: FactMetrics,
  logger: Logger,
  onDamage: (() => void) | undefined,
): NoteFailure {
  return (statement, kind, cause) => {
    metrics.statementFailed(statement, kind);
    // The caller reports that the store is away; refused statements are logged here.
    if (kind === 'outage') return;
    logger.error({ err: cause, statement, kind }, 'the statistics store refuses a statement');
    if (kind === 'damage') onDamage?.();
  };
}

/** Roll-ups flush the journal: it seldom does so itself, in between. */
const besideRollUp = { storeEveryMs: 1_000 };

/** Without a folder the store makes facts durable itself, and nothing waits. */
function openStoreJournal(
  options: FactsOptions,
  facts: FactStore,
  store: Journal['write'],
  metrics: FactMetrics,
): Journal {
  const { journalFolder: folder, leftJournals: leftFolders, clock, logger } = options;
  if (folder !== undefined) {
    const limits = options.sharing?.follows ? {} : besideRollUp;
    // Also before anything else is ready: what an earlier run left.
    const { write: storeLedger } = createLedgerStore(facts, () => {});
    const into = { store, storeLedger };
    return createJournal({ folder, leftFolders, ...into, clock, logger, metrics, limits });
  }
  const nothing = async () => {};
  return {
    recovered: { files: 0, facts: 0, keptFiles: 0 },
    replay: nothing,
    write: store,
    whyNotReady: () => undefined,
    isFilling: () => false,
    waitingFacts: () => 0,
    storedThrough: () => clock.now(),
    flush: nothing,
    close: nothing,
  };
}
