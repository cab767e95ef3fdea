/**
 * The most of a fact's time that counts, if more may have been stored before enough was known. If
 * there are several ceilings, the one made from the most events counts; each of these sets of
 * events contains all smaller ones.
 */
export interface Ceiling {
  readonly ms: number;
  /** At least 1. */
  readonly known: number;
}
