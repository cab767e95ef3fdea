import type { Result } from '../lib/result.ts';
import type { CatalogRefusal } from './refusal.ts';

/** Accepted: the playback of a suspect counts. Refused: it does not, as without a verdict. */
export type Verdict = 'accepted' | 'refused';

/** A suspect of an account; see wire/suspects.ts. */
export interface JudgedSuspect {
  readonly accountId: number;
  readonly suspect: string;
}

/** What was decided last about a suspect. */
export interface Decision extends JudgedSuspect {
  readonly verdict: Verdict;
  readonly at: Date;
  /** As in the audit. */
  readonly actor: string;
  readonly actorName: string;
  /** How often it was decided anew. */
  readonly decisions: number;
}

/** What is decided as of one moment. */
export interface CurrentVerdicts {
  readonly accepted: readonly JudgedSuspect[];
  /** By account: how often a verdict took counts out. 0 for accounts that are not in it. */
  readonly epochs: ReadonlyMap<number, number>;
}

export interface Verdicts {
  /** From one consistent read, never outdated. Cheap while nothing changes in the catalog. */
  current(): Promise<CurrentVerdicts>;
  /** All decisions of an account: a bounded list. */
  list(accountId: number): Promise<Decision[]>;
  /** Deciding the same again changes nothing. The sums must follow; see `unsummed`. */
  decide(suspect: JudgedSuspect, verdict: Verdict): Promise<Result<Decision, CatalogRefusal>>;
  /** Decisions that the sums may not follow yet, of all accounts; the oldest first. */
  unsummed(): Promise<Decision[]>;
  /** Notes that the sums follow these decisions; those decided anew meanwhile stay unsummed. */
  noteSummed(decisions: readonly Decision[]): Promise<void>;
}
