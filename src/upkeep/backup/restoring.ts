export interface RestoreOptions {
  readonly signal: AbortSignal;
  /** Gets the share that is done, from 0 to 1. */
  readonly noteProgress: (share: number) => void;
}
