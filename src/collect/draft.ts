import type { Publication } from '../catalog/catalog.ts';
import type { StretchFact } from '../facts/facts.ts';
import type { Beacon, RefusalReason } from '../wire/beacon.ts';
import type { OperatingSystem } from './operating-system/read-operating-system.ts';

/** What is known of a viewer's device: by the request's headers, or told by a server. */
export interface Viewer {
  readonly userAgent?: string | undefined;
  readonly platform?: string | undefined;
  readonly platformVersion?: string | undefined;
}

/** Who sent a request, as far as the edge can tell. */
export interface Sender extends Viewer {
  /** The account, where a collect:write key came along: it may say more and look back further. */
  readonly accountId?: number | undefined;
  /** The site whose page sent it, where a browser says so. */
  readonly origin?: string | undefined;
}

/**
 * A stretch of playing on its way to facts, whatever wire form told of it: each step checks it or
 * puts one thing on it.
 */
export interface Draft {
  /** Identity of the view; see identify-view.ts. */
  readonly view: string;
  readonly stretch: number;
  /** Start of the stretch, milliseconds since the epoch. */
  readonly atMs: number;
  readonly playMs: number;
  /** 1 where the view's one play is counted at the start of this stretch. */
  readonly plays: 0 | 1;
  readonly viewer: Viewer;
  publication?: Publication;
  operatingSystem?: OperatingSystem;
  facts: readonly StretchFact[];
}

export interface BeaconDraft extends Draft {
  /** Its form has been checked by the wire's schema. */
  readonly beacon: Beacon;
}

/** What the steps may know besides the draft; looked up once for the whole batch. */
export interface BatchContext {
  readonly sender: Sender;
  readonly nowMs: number;
}

export interface BeaconContext extends BatchContext {
  find(beacon: Beacon): Publication | undefined;
}

export interface Refusal {
  readonly code: RefusalReason;
  readonly detail: string;
}

export interface Step<Kind extends Draft = Draft, Context extends BatchContext = BatchContext> {
  readonly name: string;
  run(draft: Kind, context: Context): Refusal | undefined;
}
