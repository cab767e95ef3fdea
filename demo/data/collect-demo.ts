import { retryUnavailable } from '../../src/import/retry-unavailable.ts';
import type { Clock } from '../../src/lib/time/clock.ts';
import { Fault } from '../../src/vocabulary/faults.ts';
import type { BeaconsAnswer } from '../../src/wire/beacons/beacon.ts';
import type { DemoAccount } from './demo-account.ts';
import { makeUpLooped, makeUpRefused } from './make-up-oddities.ts';
import { makeUpPlays } from './make-up-plays.ts';

const beaconsPerBatch = 1_000;
/** In flight at once, so that each insert into the store is large. */
const batchesAtOnce = 16;

interface DemoCollecting {
  readonly clock: Clock;
  readonly account: DemoAccount;
  /** How many in the year; those of today that lie ahead are left out. */
  readonly plays: number;
  readonly seed: number;
  collect(beacons: readonly unknown[]): Promise<BeaconsAnswer>;
  /** Interrupts it between two batches. */
  readonly signal: AbortSignal;
  /** The share that is done, 0 to 1. */
  noteProgress(share: number): void;
}

/** Collects a year of invented plays as an import would; resolves to how many there are. */
export async function collectDemo(demo: DemoCollecting): Promise<number> {
  const { clock, account, plays, seed, signal, noteProgress } = demo;
  let collected = 0;
  let batch: object[] = [];
  const underWay = new Set<Promise<void>>();
  const collect = async (beacons: readonly object[]): Promise<void> => {
    const { rejected } = await retryUnavailable(clock, () => demo.collect(beacons));
    const [first] = rejected;
    if (first) throw new Fault('INTERNAL', `An invented play was refused: ${first.detail}`);
    collected += beacons.filter((one) => 'stretch' in one && one.stretch === 0).length;
  };
  const send = async (): Promise<void> => {
    const job = collect(batch).finally(() => underWay.delete(job));
    underWay.add(job);
    // The error is thrown where it is awaited; if several fail, one is enough.
    job.catch(() => {});
    batch = [];
    if (underWay.size >= batchesAtOnce) await Promise.race(underWay);
  };
  const playing = { ...account, plays, seed, nowMs: clock.now() };
  for (const { beacons, share } of makeUpPlays(playing)) {
    signal.throwIfAborted();
    batch.push(...beacons);
    if (batch.length >= beaconsPerBatch) await send();
    noteProgress(share);
  }
  batch.push(...makeUpLooped(playing));
  await send();
  await Promise.all(underWay);
  await collectRefused(demo, makeUpRefused(playing));
  return collected;
}

/** So that the ledger shows what it is for. */
async function collectRefused(
  { clock, collect }: DemoCollecting,
  beacons: readonly object[],
): Promise<void> {
  const { accepted } = await retryUnavailable(clock, () => collect(beacons));
  if (accepted > 0) throw new Fault('INTERNAL', `${accepted} beacons of bots and others counted`);
}
