/**
 * Erases playback for good: records what is erased, and carries it out in steps, each of which may
 * be repeated. Whoever is killed on the way leaves a record that any process carries on; see
 * docs/decisions/erasure.md.
 */
import type { Catalog, ErasedCounts, Erasure } from '../../catalog/catalog.ts';
import type { Logger } from '../../lib/logger.ts';
import { repeat } from '../../lib/tasks/repeated-work.ts';
import { type Clock, sleep } from '../../lib/time/clock.ts';
import { accepted } from '../../operations/refusal-faults.ts';
import type { FactErasure } from '../../store/facts.ts';
import type { ErasureTarget } from '../../vocabulary/erasures.ts';
import { Fault } from '../../vocabulary/faults.ts';
import { createTarget, type ErasureRequest } from './erasure-request.ts';

type Erasing = Pick<Catalog, 'accounts' | 'publications' | 'names' | 'erasures'>;

export interface Eraser {
  /** What an erasure would find; changes nothing. */
  count(
    catalog: Erasing,
    request: ErasureRequest,
    noteProgress?: (share: number) => void,
  ): Promise<ErasedCounts>;
  /** Resolves to its receipt when it is recorded; `carryOut` does the rest. */
  record(catalog: Erasing, request: ErasureRequest): Promise<Erasure>;
  /** Resolves when it is done. May be repeated, and done by several processes at once. */
  carryOut(
    catalog: Erasing,
    receipt: string,
    signal?: AbortSignal,
    noteProgress?: (share: number) => void,
  ): Promise<Erasure>;
  /** The receipts of those that are done, and of which something is stored again. */
  undone(catalog: Erasing, accountId: number): Promise<readonly Erasure[]>;
  /** Erases what is stored again of one that was done. */
  repeat(catalog: Erasing, receipt: string): Promise<Erasure>;
}

interface EraserOptions {
  readonly facts: FactErasure;
  /** The service's. */
  readonly secret: () => Promise<string>;
  readonly clock: Clock;
}

/** What comes in later than this was sent by a process that hung: it is deleted as well. */
const mostRounds = 3;

/** How much is done in each state: the first lasts until all that is under way is stored. */
const shares = { waiting: 0, summing: 0.5, deleting: 0.7, done: 1 };

/** Of a count: looking names up, and then a viewer's views. Counting is the rest. */
const [shareOfNames, shareOfViews] = [0.3, 0.3];

export function createEraser({ facts, secret, clock }: EraserOptions): Eraser {
  const read = async (
    catalog: Erasing,
    request: ErasureRequest,
    noteProgress: (share: number) => void = () => {},
  ) => {
    const sources = { catalog, facts, secret: await secret(), nowMs: clock.now() };
    const target = await createTarget(request, sources);
    noteProgress(shareOfNames);
    const whole = await withViews(target);
    noteProgress(shareOfNames + shareOfViews);
    const counts = await facts.count(whole);
    noteProgress(1);
    return { target, counts };
  };

  const withViews = async (target: ErasureTarget): Promise<ErasureTarget> =>
    target.kind === 'viewer' ? { ...target, views: await facts.viewsOf(target) } : target;

  const step = createStep(facts, clock);
  const carryOut: Eraser['carryOut'] = async (catalog, receipt, signal, noteProgress) => {
    for (;;) {
      const erasure = await current(catalog, receipt);
      noteProgress?.(shares[erasure.state]);
      if (erasure.state === 'done') return erasure;
      await step(catalog, erasure, signal);
    }
  };

  return {
    count: async (catalog, request, noteProgress) =>
      (await read(catalog, request, noteProgress)).counts,

    async record(catalog, request) {
      const { target, counts } = await read(catalog, request);
      return accepted(await catalog.erasures.record(target, counts));
    },

    carryOut,

    undone: (catalog, accountId) => findUndone(facts, catalog, accountId),

    async repeat(catalog, receipt) {
      await catalog.erasures.advance(receipt, { from: 'done', to: 'waiting' });
      return carryOut(catalog, receipt);
    },
  };
}

/** Brings an erasure from one state to the next. */
function createStep(facts: FactErasure, clock: Clock) {
  /** Everything that was on its way when it was recorded is stored by then, or left out. */
  const begin = async (catalog: Erasing, erasure: Erasure, signal?: AbortSignal): Promise<void> => {
    const { receipt, at } = erasure;
    const passedMs = clock.now() - at.getTime();
    // If a clock was set back, the whole time passes again.
    const leftMs = facts.settlesWithinMs - Math.max(0, passedMs);
    await sleep(clock, Math.max(0, leftMs), signal);
    signal?.throwIfAborted();
    const target = await wholeTarget(catalog, erasure);
    if (erasure.kind === 'viewer') {
      await catalog.erasures.addViews(receipt, await facts.viewsOf(target));
    }
    const counts = await facts.count(await wholeTarget(catalog, erasure));
    const to = erasure.kind === 'facts' ? 'deleting' : 'summing';
    await catalog.erasures.advance(receipt, { from: 'waiting', to }, counts);
  };

  return async (catalog: Erasing, erasure: Erasure, signal?: AbortSignal): Promise<void> => {
    const { receipt, state } = erasure;
    if (state === 'waiting') return begin(catalog, erasure, signal);
    const target = await wholeTarget(catalog, erasure);
    if (state === 'summing') {
      await facts.sumWithout(target);
      return catalog.erasures.advance(receipt, { from: 'summing', to: 'deleting' });
    }
    for (let round = 0; round < mostRounds; round += 1) {
      await facts.delete(target);
      if ((await facts.count(target)).views > 0) continue;
      return catalog.erasures.advance(receipt, { from: 'deleting', to: 'done' });
    }
    throw new Fault('UNAVAILABLE', `Playback of erasure ${receipt} keeps coming in: try again`);
  };
}

async function current({ erasures }: Erasing, receipt: string): Promise<Erasure> {
  const erasure = await erasures.find(receipt);
  if (erasure === undefined) throw new Fault('NOT_FOUND', `There is no receipt ${receipt}`);
  return erasure;
}

async function wholeTarget({ erasures }: Erasing, erasure: Erasure): Promise<ErasureTarget> {
  return { ...erasure, views: await erasures.viewsOf(erasure.receipt) };
}

async function findUndone(
  facts: FactErasure,
  catalog: Erasing,
  accountId: number,
): Promise<Erasure[]> {
  const all = await catalog.erasures.list(accountId);
  const done = all.filter(({ state }) => state === 'done');
  const targets = await Promise.all(done.map((erasure) => wholeTarget(catalog, erasure)));
  if (!(await facts.isAnyLeft(targets))) return [];
  const undone: Erasure[] = [];
  for (const [index, erasure] of done.entries()) {
    if (await facts.isAnyLeft(targets.slice(index, index + 1))) undone.push(erasure);
  }
  return undone;
}

const lookEveryMs = 2_000;

interface KeepErasingOptions {
  readonly eraser: Pick<Eraser, 'carryOut'>;
  readonly catalog: Catalog;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Carries out what was recorded: by the interface, or by a process that died before the end. Looks
 * every two seconds until the returned function is called.
 */
export function keepErasing({ eraser, catalog, clock, logger }: KeepErasingOptions): () => void {
  const round = async (signal: AbortSignal): Promise<void> => {
    for (const { receipt } of await catalog.erasures.open()) {
      if (signal.aborted) return;
      const { views, facts } = await eraser.carryOut(catalog, receipt, signal);
      logger.info({ receipt, views, facts }, 'playback erased');
    }
  };
  const failure = 'erasure is not done yet, trying again';
  return repeat(round, { pauseMs: lookEveryMs, failure, clock, logger });
}

/** What the verb that erases needs: the stores, beside a running service or alone. */
export interface ErasureService {
  readonly catalog: Catalog;
  readonly eraser: Eraser;
  close(): Promise<void>;
}
