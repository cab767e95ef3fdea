import type { Result } from '../lib/result.ts';
import type { CurrentVerdicts, SuspectName } from '../vocabulary/suspects.ts';
import type { CatalogRefusal } from './refusal.ts';

/** Accepted: the playback of a suspect counts. Refused: it does not, as without a verdict. */
export type Verdict = 'accepted' | 'refused';

/** What was decided last about a suspect. */
export interface Decision extends SuspectName {
  readonly verdict: Verdict;
  readonly at: Date;
  /** As in the audit. */
  readonly actor: string;
  readonly actorName: string;
  /** How often it was decided anew. */
  readonly decisions: number;
}

export interface Verdicts {
  /** From one consistent read, never outdated. Cheap while nothing changes in the catalog. */
  current(): Promise<CurrentVerdicts>;
  /** All decisions of an account: a bounded list. */
  list(accountId: number): Promise<Decision[]>;
  /** Deciding the same again changes nothing. The sums must follow; see `unsummed`. */
  decide(suspect: SuspectName, verdict: Verdict): Promise<Result<Decision, CatalogRefusal>>;
  /** So that sums made from now on take the place of larger ones: by at least 1. */
  raiseEpoch(accountId: number, by: number): Promise<Result<undefined, CatalogRefusal>>;
  /** The same where counted time was taken back: nobody's decision, so it is in no audit. */
  raiseEpochs(accountIds: readonly number[]): Promise<void>;
  /** Decisions that the sums may not follow yet, of all accounts; the oldest first. */
  unsummed(): Promise<Decision[]>;
  /** Notes that the sums follow these decisions; those decided anew meanwhile stay unsummed. */
  noteSummed(decisions: readonly Decision[]): Promise<void>;
}
