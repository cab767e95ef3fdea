/** Erasing playback for good: what an erasure is about, by ids as they are stored. */

/**
 * - `views`: whole views. `viewer`: all views of a viewer, as far as they began before `untilMs`.
 * - `playback`: what was played before `untilMs`, of a video, in a package, both, or at all.
 * - `facts`: the facts before `untilMs`, the beginning of a UTC day. Their sums stay.
 */
export const erasureKinds = ['views', 'viewer', 'playback', 'facts'] as const;
export type ErasureKind = (typeof erasureKinds)[number];

export interface ErasureTarget {
  readonly accountId: number;
  readonly kind: ErasureKind;
  /** The viewer's number, in decimal digits; otherwise empty. */
  readonly viewer: string;
  /** Ids of views; of a viewer those that were found. */
  readonly views: readonly string[];
  /** 0: of any. */
  readonly packageId: number;
  readonly videoId: number;
  /** Slots that begin before this instant (ms). */
  readonly untilMs: number;
}

/**
 * - `waiting`: what arrives of it is no longer stored, and what is on its way comes in.
 * - `summing`: the account's sums are made again without it; nobody reads them meanwhile.
 * - `deleting`: no answer contains it, and it goes from the tables.
 */
export const erasureStates = ['waiting', 'summing', 'deleting', 'done'] as const;
export type ErasureState = (typeof erasureStates)[number];

/** As of one moment. */
export interface CurrentErasures {
  /** In the states `summing` and `deleting`, without those that keep their sums. */
  readonly open: readonly (ErasureTarget & {
    readonly receipt: string;
    readonly state: ErasureState;
  })[];
  /** By account: since when (ms) its facts are kept, if earlier ones were erased. */
  readonly keptSince: ReadonlyMap<number, number>;
  /** Accounts of which anything was ever erased. */
  readonly accounts: ReadonlySet<number>;
}

/** Since when (ms) the facts of an account are kept; 0 if none was erased for its age. */
export function findKeptSince(erasures: CurrentErasures | undefined, accountId: number): number {
  return erasures?.keptSince.get(accountId) ?? 0;
}

/** Of an account that keeps single facts for longest: a hundred years. */
export const mostFactsMonths = 1_200;

/** Views are erased whole, whenever more of them arrives. */
export const forEverMs = 8_640_000_000_000_000;
