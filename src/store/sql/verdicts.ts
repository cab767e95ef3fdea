/** Verdicts on suspects, as the statements that sum use them. */
import type { CurrentVerdicts, SuspectName } from '../../vocabulary/suspects.ts';
import type { VerdictSource } from '../facts.ts';

export const noVerdicts: CurrentVerdicts = { accepted: [], epochs: new Map() };

/** Every suspect is refused, and sums stay where time is taken back. */
export const noVerdictSource: VerdictSource = {
  current: async () => noVerdicts,
  raiseEpochs: async () => {},
};

/** The suspects that count by only one of the two. */
export function judgedAnew(before: CurrentVerdicts, after: CurrentVerdicts): SuspectName[] {
  if (before === after) return [];
  return [...missing(before.accepted, after.accepted), ...missing(after.accepted, before.accepted)];
}

/** Whether sums made by the later verdicts take the place of those made by the earlier ones. */
export function isEpochRisen(before: CurrentVerdicts, after: CurrentVerdicts): boolean {
  if (before === after) return false;
  return [...after.epochs].some(([account, epoch]) => epoch > (before.epochs.get(account) ?? 0));
}

function missing(from: readonly SuspectName[], some: readonly SuspectName[]): SuspectName[] {
  const names = new Set(from.map(keyOf));
  return some.filter((one) => !names.has(keyOf(one)));
}

/** Those of `found` that are accepted. */
export function acceptedOf(
  { accepted }: CurrentVerdicts,
  found: readonly SuspectName[],
): readonly SuspectName[] {
  if (found.length === 0) return [];
  const names = new Set(accepted.map(keyOf));
  return found.filter((one) => names.has(keyOf(one)));
}

function keyOf({ accountId, suspect }: SuspectName): string {
  return `${accountId} ${suspect}`;
}

/**
 * Whether a fact is of one of the suspects, with the parameters of `parametersOfSuspects`. TRICKY:
 * an array, not a subquery over it. For a long array in a subquery, a server and the shards that it
 * asks give the set different names, and the server refuses their answers.
 */
export const isOfSuspects = `(accountId, suspect) IN
          arrayZip({suspectAccounts:Array(UInt32)}, {suspects:Array(String)})`;

export function parametersOfSuspects(suspects: readonly SuspectName[]) {
  return {
    suspectAccounts: suspects.map(({ accountId }) => accountId),
    suspects: suspects.map(({ suspect }) => suspect),
  };
}

/** The epoch of a row's account, with the parameters of `parametersOfEpochs`. */
export const epochOfAccount =
  'transform(accountId, {epochAccounts:Array(UInt32)}, {epochs:Array(UInt32)}, toUInt32(0))';

export function parametersOfEpochs({ epochs }: CurrentVerdicts) {
  const risen = [...epochs].filter(([, epoch]) => epoch > 0);
  return {
    epochAccounts: risen.map(([accountId]) => accountId),
    epochs: risen.map(([, epoch]) => epoch),
  };
}

export interface RememberedVerdicts extends VerdictSource {
  /** Those that were read last, by whomever; undefined until then. */
  last(): CurrentVerdicts | undefined;
}

export function rememberVerdicts(source: VerdictSource): RememberedVerdicts {
  let last: CurrentVerdicts | undefined;
  return {
    async current() {
      last = await source.current();
      return last;
    },
    raiseEpochs: (accountIds) => source.raiseEpochs(accountIds),
    last: () => last,
  };
}
