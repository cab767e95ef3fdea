import type { Publication } from '../catalog/catalog.ts';
import type { StretchFact } from '../facts/facts.ts';
import type { Beacon, RefusalReason } from '../wire/beacon.ts';
import type { OperatingSystem } from './operating-system/read-operating-system.ts';

/** Who sent a batch, as far as the edge can tell. */
export interface Sender {
  /** The account, where a collect:write key came along: it may say more and look back further. */
  readonly accountId?: number | undefined;
  readonly userAgent?: string | undefined;
  readonly platform?: string | undefined;
  readonly platformVersion?: string | undefined;
}

/** A beacon on its way to facts: each step checks it or puts one thing on it. */
export interface Draft {
  /** Its form has been checked by the wire's schema. */
  readonly beacon: Beacon;
  /** Start of the stretch, milliseconds since the epoch. */
  readonly atMs: number;
  publication?: Publication;
  operatingSystem?: OperatingSystem;
  facts: readonly StretchFact[];
}

/** What the steps may know besides the beacon; looked up once for the whole batch. */
export interface BatchContext {
  readonly sender: Sender;
  readonly nowMs: number;
  find(beacon: Beacon): Publication | undefined;
}

export interface Refusal {
  readonly code: RefusalReason;
  readonly detail: string;
}

export interface Step {
  readonly name: string;
  run(draft: Draft, context: BatchContext): Refusal | undefined;
}
