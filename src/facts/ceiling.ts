/**
 * The most of a fact's time that counts, where more may have been stored before enough was known.
 * Of several the one counts that is made from the most events; each of these sets contains all
 * smaller ones.
 */
export interface Ceiling {
  readonly ms: number;
  /** At least 1. */
  readonly known: number;
}
