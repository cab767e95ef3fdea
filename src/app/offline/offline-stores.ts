/** Opens the stores for verbs that work with facts: beside a running service, or alone. */
import { join } from 'node:path';
import type { Catalog } from '../../catalog/catalog.ts';
import { createSuspects, type QuarantineReview } from '../../collect/abuse/quarantine.ts';
import { startAccountLedger } from '../../collect/account-ledger.ts';
import { createCollector } from '../../collect/collector.ts';
import { createViewers } from '../../collect/enrich/viewer/viewers.ts';
import {
  collectImported,
  createFactImport,
  type Importer,
} from '../../collect/forms/import/fact-import.ts';
import { createSteps } from '../../collect/pipeline.ts';
import { createSpool } from '../../collect/spool/spool.ts';
import { createCollectLedger } from '../../collect/steps/outcome-metrics.ts';
import { isThere } from '../../lib/folders.ts';
import { untilAborted } from '../../lib/tasks/abortable.ts';
import { createMetrics } from '../../lib/telemetry.ts';
import { type Clock, sleep } from '../../lib/time/clock.ts';
import { createEraser, type Eraser, type ErasureService } from '../../maintenance/erase/eraser.ts';
import type { MaintenanceContext } from '../../maintenance/maintenance-context.ts';
import type { QuestionContext } from '../../query/question-context.ts';
import { checkJournal } from '../../store/journal/journal-file.ts';
import type { Facts } from '../../store/open-facts.ts';
import { findCountrySource } from '../../vocabulary/country-source.ts';
import { Fault } from '../../vocabulary/faults.ts';
import { tryToHoldForImport } from '../data-folder.ts';
import { readKeptSecret } from '../identities.ts';
import { noteMaintenance } from '../maintenance-ages.ts';
import {
  createConfiguredDimensionLimits,
  createImportAbuseDetector,
  openConfiguredCountries,
} from '../parts/collect-parts.ts';
import { makeCatalog, openExistingCatalog, sayWhatToDo } from '../parts/configured-catalog.ts';
import { nameJournal } from '../parts/work-split.ts';
import { type AppContext, openServiceFacts } from '../service.ts';

interface Stores {
  readonly catalog: Catalog;
  readonly facts: Facts;
  close(): Promise<void>;
}

interface Opening {
  /** Fails if the store is not ready by then; otherwise this waits while its server answers. */
  readonly withinMs?: number;
  /** Tables of an earlier release are brought up to date, not refused: nobody else uses them. */
  readonly bringsUpToDate?: boolean;
  /** Breaks off the waiting, which may last for `withinMs`. */
  readonly signal?: AbortSignal;
  /** Also where nothing can be summed; without it that fails. */
  readonly alsoUnsummed?: boolean;
}

const neverAborted = new AbortController().signal;
/**
 * How soon a verb gives up a host that hangs: it works for minutes, beside all else that keeps the
 * host busy, and would begin anew.
 */
const hostPatience = { everyMs: 1_000, answersWithinMs: 10_000, othersAnswerWithinMs: 5_000 };
/** How long a verb waits for a store whose server is away. An engine starts within a second. */
export const serverWithinMs = 12_000;
/** How long a server may take to answer that it is there. */
const reachWithinMs = 3_000;

/** Resolves when questions are answered and facts accepted. */
export async function openStores(around: AppContext, opening: Opening = {}): Promise<Stores> {
  const { config, clock } = around;
  const { withinMs, bringsUpToDate = false, signal = neverAborted, alsoUnsummed = false } = opening;
  const catalog = await (bringsUpToDate ? makeCatalog : openExistingCatalog)(around);
  // A configured server takes all who come. The engine in the folder is run by one process.
  const release = config.CLICKHOUSE_URL ? () => {} : tryToHoldForImport(config.DATA_DIR);
  let closeFacts = async (): Promise<void> => {};
  let cut = closeFacts;
  const close = async (): Promise<void> => {
    await closeFacts();
    await catalog.close();
    release?.();
  };
  try {
    const needs = { metrics: createMetrics(), catalog, leavesAsFound: !bringsUpToDate };
    const opened = await openServiceFacts(
      { hostPatience, ...around },
      needs,
      release === undefined,
    );
    closeFacts = opened.close;
    const { facts } = opened;
    cut = facts.cut;
    await (withinMs === undefined
      ? readyWhileThere(facts, clock, alsoUnsummed)
      : readyWithin(facts, withinMs, { clock, signal }));
    return { catalog, facts, close };
  } catch (error) {
    await cut();
    await close();
    return sayWhatToDo(error, config);
  }
}

/**
 * Tables that are brought up to date, or days that are summed, may take minutes. What cannot be
 * summed from one look to the next never will.
 */
async function readyWhileThere(facts: Facts, clock: Clock, alsoUnsummed: boolean): Promise<void> {
  const waiting = new AbortController();
  const { signal } = waiting;
  const away = async (): Promise<void> => {
    for (let failing = false; ; failing = facts.whySummingFails() !== undefined) {
      await sleep(clock, serverWithinMs, signal);
      if (signal.aborted) return;
      const reason = facts.whySummingFails();
      if (failing && reason !== undefined) {
        if (alsoUnsummed) return;
        throw notReady(`nothing can be summed, see \`playmeter verify\`: ${reason}`);
      }
      const late = sleep(clock, reachWithinMs, signal).then(() => {
        if (!signal.aborted) throw notReady(facts.whyNotReady() ?? 'it does not answer');
      });
      await Promise.race([facts.reach(), late]);
    }
  };
  await Promise.race([facts.ready(), away()]).finally(() => waiting.abort());
}

function notReady(reason: string): Fault {
  return new Fault('UNAVAILABLE', `The statistics store is not ready: ${reason}`);
}

async function readyWithin(
  facts: Facts,
  withinMs: number,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  const waiting = new AbortController();
  const tooLong = sleep(clock, withinMs, waiting.signal).then(() => {
    const reason = facts.whyNotReady();
    if (reason !== undefined) throw notReady(reason);
  });
  const ready = Promise.race([facts.ready(), tooLong]);
  await untilAborted(ready, signal).finally(() => waiting.abort());
}

export async function openImporter(around: AppContext): Promise<Importer> {
  const { config, clock, logger } = around;
  const metrics = createMetrics();
  const { countryOf } = await openConfiguredCountries(around, metrics);
  const { catalog, facts, close } = await openStores(around);
  const accountLedger = startAccountLedger({ store: facts.ledger, clock, logger });
  const spool = createSpool({ writer: facts.stretches, accountLedger, clock, logger });
  const ledger = createCollectLedger(metrics);
  const { publications, labels, salts } = catalog;
  const viewers = createViewers({ salts, secret: await readKeptSecret(around, catalog), clock });
  const steps = createSteps({
    metrics,
    clock,
    judge: createImportAbuseDetector(around),
    countryOf,
    viewers,
  });
  const values = createConfiguredDimensionLimits(facts, around, { accountLedger, metrics });
  const { erased } = facts;
  const ways = {
    collector: createCollector({
      publications,
      labels,
      steps,
      spool,
      values,
      erased,
      ledger,
      accountLedger,
      clock,
    }),
    facts: createFactImport({ catalog, values, erased, spool, clock }),
  };
  return {
    collect: (received, accountId) => collectImported(ways, received, accountId),
    positionsFolder: join(config.DATA_DIR, 'imports'),
    hasAccount: async (accountId) => (await catalog.accounts.find(accountId)) !== undefined,
    finish: () => facts.rollUp(),
    async close() {
      await spool.stop();
      await accountLedger.stop();
      await close();
    },
  };
}

export async function openSuspects(around: AppContext): Promise<QuarantineReview> {
  const { catalog, facts, close } = await openStores(around);
  return { catalog, suspects: createSuspects(facts.suspects), close };
}

function createStoreEraser({ catalog, facts }: Omit<Stores, 'close'>, around: AppContext): Eraser {
  const secret = () => readKeptSecret(around, catalog);
  return createEraser({ facts: facts.erasing, secret, clock: around.clock });
}

export async function openErasureService(around: AppContext): Promise<ErasureService> {
  const { catalog, facts, close } = await openStores(around);
  return { catalog, eraser: createStoreEraser({ catalog, facts }, around), close };
}

export async function openMaintenance(
  around: AppContext,
  opening?: Opening,
): Promise<MaintenanceContext> {
  const { config, clock } = around;
  const { catalog, facts, close } = await openStores(around, { alsoUnsummed: true, ...opening });
  const whyUnsummed = facts.whySummingFails();
  return {
    ...(whyUnsummed !== undefined && { whyUnsummed }),
    catalog,
    facts: facts.upkeep,
    eraser: createStoreEraser({ catalog, facts }, around),
    clock,
    checkJournal: () => checkJournal(nameJournal(config.DATA_DIR)),
    async noteVerified() {
      // Beside stores of their own it may never have been made.
      if (!(await isThere(config.DATA_DIR))) return;
      const completeThrough = new Date(clock.now()).toISOString();
      await noteMaintenance(config.DATA_DIR, 'verify', { completeThrough });
    },
    close,
  };
}

export async function openQuestions(around: AppContext): Promise<QuestionContext> {
  const { config, clock } = around;
  const { catalog, facts, close } = await openStores(around);
  return { catalog, facts, clock, close, countrySource: findCountrySource(config) };
}
