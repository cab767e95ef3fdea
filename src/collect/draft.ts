import type { KnownLabel, Publication } from '../catalog/catalog.ts';
import type { Attributes, Fact, FactQuality } from '../store/facts.ts';
import type { Beacon, RefusalReason } from '../wire/beacons/beacon.ts';
import type { JudgedView } from './abuse/view-table.ts';
import type { OperatingSystem } from './enrich/system/operating-system-names.ts';
import type { CheckedToken } from './signing/view-tokens.ts';

/** What is known of a viewer's device, from the request or from a server with a key. */
export interface Device {
  readonly userAgent?: string | undefined;
  readonly platform?: string | undefined;
  readonly platformVersion?: string | undefined;
  /** The viewer's IP address; empty or undefined if not known. Never stored, never logged. */
  readonly address?: string | undefined;
  /** Code of its country, if a trusted proxy sent it. */
  readonly country?: string | undefined;
  /** Whether the viewer's browser asks not to be tracked: `Sec-GPC: 1` or `DNT: 1`. */
  readonly wantsNoTracking?: boolean | undefined;
}

/** Who sent a request, as far as its headers show. */
export interface Sender extends Device {
  /** The account of its collect:write key, if it has one: it may say more and look back further. */
  readonly accountId?: number | undefined;
  /**
   * The site whose page caused it, if a browser says so; `null` if the browser hides which.
   */
  readonly origin?: string | undefined;
  /** Its IP address, or for IPv6 the network of it. Never stored, never logged. */
  readonly network?: string | undefined;
  /** For IPv6 the wider network around that. Never stored, never logged. */
  readonly site?: string | undefined;
}

/**
 * A stretch of playing, or a wait for it, on its way to facts, whatever its wire form: each step
 * checks it or adds one thing to it.
 */
export interface Draft {
  /** Identity of the view; see view-identity.ts. */
  readonly view: string;
  /** Its number in the view; of a wait, that of `numberOfWait`. */
  readonly stretch: number;
  /** Start of the stretch, milliseconds since the epoch. */
  readonly atMs: number;
  readonly playMs: number;
  /** 1 if the view's one play is counted at the start of this stretch. */
  readonly plays: 0 | 1;
  /**
   * Set if more of its time may be stored than is right: how many events it was made from, and how
   * long (ms) it may have been by fewer of them. See `Fact.ceiling`.
   */
  readonly retold?: { readonly known: number; readonly longestMs: number } | undefined;
  readonly device: Device;
  /** Where in the media the stretch began, in milliseconds, if that is reported. */
  readonly position?: number | undefined;
  /** How far the media has advanced in it so far. */
  readonly mediaMs?: number | undefined;
  /** As reported; see the attributes for what is kept of them. */
  readonly page?: string | undefined;
  readonly referrer?: string | undefined;
  readonly player?: string | undefined;
  readonly streamType?: string | undefined;
  readonly connection?: string | undefined;
  /** How well it played; of a wait, what it was. */
  quality?: FactQuality | undefined;
  publication?: Publication;
  /** What the token that came with it is worth; undefined without one. */
  token?: CheckedToken | undefined;
  /** If a valid token came with it: the view that the token names, and a number in that one. */
  signed?: Pick<Draft, 'view' | 'stretch'>;
  operatingSystem?: OperatingSystem;
  /** The viewer, if a signed token names one. */
  viewer?: string | undefined;
  /** The viewer, as the page itself names one. */
  readonly reportedViewer?: string | undefined;
  /** Who it is in the end; see FactDetails. */
  viewerNumber?: string | undefined;
  /** See FactDetails. */
  attributes?: Attributes;
  /** See abuse/view-table.ts. */
  judged?: JudgedView;
  /** The suspect that it belongs to as a whole, if it is not usual. */
  suspect?: string | undefined;
  /** The suspect that its time from `fromMs` on belongs to. */
  beyond?: { readonly suspect: string; readonly fromMs: number };
  facts: readonly Fact[];
}

export interface BeaconDraft extends Draft {
  /** Its form has been checked by the wire's schema. */
  readonly beacon: Beacon;
  /** If it has labels: those that the account has declared. */
  declaredLabels?: ReadonlyMap<string, KnownLabel>;
  /** How many of its labels are not kept. */
  labelsLeftOut?: number;
  /** Those of them that the account has declared, but whose values do not fit. */
  refusedLabels?: readonly string[];
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
