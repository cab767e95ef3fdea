import type { CurrentVerdicts } from '../vocabulary/suspects.ts';

export interface VerdictSource {
  /** Both parts from one consistent read. Called twice a second, so it should be cheap. */
  current(): Promise<CurrentVerdicts>;
  /** So that sums of these accounts made from now on take the place of larger ones. */
  raiseEpochs(accountIds: readonly number[]): Promise<void>;
}
