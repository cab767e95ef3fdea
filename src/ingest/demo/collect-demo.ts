import type { Clock } from '../../lib/clock.ts';
import type { BeaconsAnswer } from '../../wire/beacon.ts';
import { Fault } from '../../wire/faults.ts';
import { retryUnavailable } from '../retry-unavailable.ts';
import type { DemoAccount } from './demo-account.ts';
import { makeUpPlays } from './make-up-plays.ts';

const beaconsPerBatch = 1_000;

export interface DemoCollecting {
  readonly clock: Clock;
  readonly account: DemoAccount;
  /** How many in the year; those of today that lie ahead are left out. */
  readonly plays: number;
  readonly seed: number;
  collect(beacons: readonly unknown[]): Promise<BeaconsAnswer>;
  /** The share that is done, 0 to 1. */
  noteProgress(share: number): void;
}

/** Collects a year of invented plays as an import would; resolves to how many there are. */
export async function collectDemo(demo: DemoCollecting): Promise<number> {
  const { clock, account, plays, seed, noteProgress } = demo;
  let collected = 0;
  let batch: object[] = [];
  const send = async () => {
    const { rejected } = await retryUnavailable(clock, () => demo.collect(batch));
    const [first] = rejected;
    if (first)
      throw new Fault(first.code === 'INVALID_BEACON' ? 'INTERNAL' : 'CONFLICT', first.detail);
    collected += batch.filter((beacon) => 'stretch' in beacon && beacon.stretch === 0).length;
    batch = [];
  };
  const playing = { ...account, plays, seed, nowMs: clock.now() };
  for (const { beacons, share } of makeUpPlays(playing)) {
    batch.push(...beacons);
    if (batch.length >= beaconsPerBatch) await send();
    noteProgress(share);
  }
  if (batch.length > 0) await send();
  return collected;
}
