/**
 * Brings the facts of a request into the spool. A beacon may report a day of playing, which is 97
 * facts: if a request makes many, they go in parts, each durable before the next is made.
 */
import type { Fact } from '../store/facts.ts';
import type { Outcome } from './account-ledger.ts';
import type { DimensionLimits } from './dimension-limits/dimension-limits.ts';
import type { ValueSender } from './dimension-limits/sender-allowance.ts';
import type { ViewTokens } from './signing/view-tokens.ts';
import type { Room } from './spool/admission.ts';
import type { Spool } from './spool/spool.ts';

export type FactSpool = Pick<Spool, 'add' | 'addInTurn' | 'requireRoom' | 'takeTurn'>;

/** Beacons or events that are worked on at once: no more than a few milliseconds. */
export const reportsPerPortion = 50;
/** What requests of players make, most of them one; the room was taken for about as many. */
const usualFactsPerReport = 2;
const factsPerPart = 2_000;
/** Facts that are made in one turn of the event loop; a beacon of a day makes 97. */
const factsPerTurn = 500;

export interface FactParts {
  /**
   * Undefined if more facts may be made at once. Otherwise it resolves when they may: in another
   * turn, or when those so far are durable; it then rejects like `Spool.add`.
   */
  put(facts: readonly Fact[], reports: number): Promise<void> | undefined;
  /** Call it with each view that a token names, before its facts are put. */
  noteSigned(view: string): void;
  /** From now on looks for facts that were erased: they are acknowledged, and left out. */
  watchErased(): void;
  /** Whether all of these facts were left out; known when they are durable. */
  wereErased(facts: readonly Fact[]): boolean;
  /**
   * Resolves when all facts are durable and these outcomes counted; rejects like `Spool.add`. The
   * room, if one was taken, is left when they are in the spool.
   */
  end(room?: Room, outcomes?: readonly Outcome[]): Promise<void>;
}

interface FactPartsOptions {
  readonly spool: Pick<FactSpool, 'add' | 'addInTurn' | 'takeTurn'>;
  readonly values: DimensionLimits;
  /** Those of the facts that were erased. Absent: nothing ever was. */
  readonly erased?: (facts: readonly Fact[]) => Promise<ReadonlySet<Fact>>;
  readonly viewTokens?: Pick<ViewTokens, 'settlePlays'>;
}

export function createFactParts(
  { spool, values, erased, viewTokens }: FactPartsOptions,
  sender: ValueSender,
): FactParts {
  let part: Fact[] = [];
  let reports = 0;
  let madeInTurn = 0;
  let isWatching = false;
  // Mostly nothing is watched or signed, and sets of each request would be a burden for the
  // collector of garbage.
  let gone: WeakSet<Fact> | undefined;
  let signed: Set<string> | undefined;
  const leaveOut = async (made: readonly Fact[]): Promise<readonly Fact[]> => {
    const found = await erased?.(made);
    if (!found || found.size === 0) return made;
    gone ??= new WeakSet();
    for (const fact of found) gone.add(fact);
    return made.filter((fact) => !found.has(fact));
  };
  /** What of these facts is stored, and under which values. */
  const settle = async (taken: readonly Fact[]): Promise<readonly Fact[]> => {
    const made = isWatching ? await leaveOut(taken) : taken;
    if (!signed || !viewTokens) return values.bound(made, sender);
    return viewTokens.settlePlays(await values.bound(made, sender), signed);
  };
  const end: FactParts['end'] = (room, outcomes) => {
    const taken = part;
    const isUsual = taken.length <= reports * usualFactsPerReport;
    part = [];
    reports = 0;
    const store = (facts: readonly Fact[]): Promise<void> => {
      if (!isUsual) return spool.addInTurn(facts, outcomes);
      const durable = spool.add(facts, outcomes);
      room?.leave();
      return durable;
    };
    const isPlain = !isWatching && !signed;
    const settling = isPlain ? values.bound(taken, sender) : settle(taken);
    return settling instanceof Promise ? settling.then(store) : store(settling);
  };
  return {
    noteSigned(view) {
      signed ??= new Set();
      signed.add(view);
    },
    watchErased() {
      isWatching = true;
    },
    wereErased: (facts) => facts.length > 0 && facts.every((fact) => gone?.has(fact)),
    put(facts, ofReports) {
      for (const fact of facts) part.push(fact);
      reports += ofReports;
      madeInTurn += facts.length;
      if (madeInTurn < factsPerTurn) return undefined;
      madeInTurn = 0;
      return part.length < factsPerPart ? spool.takeTurn() : end();
    },
    end,
  };
}
