/** Verdicts on suspects, as the statements that sum use them. */

import type { ErasureTarget } from '../../vocabulary/erasures.ts';
import { findKeptSince } from '../../vocabulary/erasures.ts';
import type { CurrentVerdicts, SuspectName } from '../../vocabulary/suspects.ts';
import { findEpoch } from '../../vocabulary/suspects.ts';
import type { VerdictSource } from '../facts.ts';
import { valueSql } from '../tables/audience.ts';
import {
  type BoundCondition,
  type BoundParameters,
  boundArray,
  storableMs,
} from './account-days.ts';

export const noVerdicts: CurrentVerdicts = { accepted: [], epochs: new Map() };

/** Every suspect is refused. */
export const noVerdictSource: VerdictSource = {
  current: async () => noVerdicts,
};

/** The suspects that count by only one of the two. */
export function judgedAnew(before: CurrentVerdicts, after: CurrentVerdicts): SuspectName[] {
  if (before === after) return [];
  return [...missing(before.accepted, after.accepted), ...missing(after.accepted, before.accepted)];
}

/** Whether sums made by the later verdicts take the place of those made by the earlier ones. */
export function isEpochRisen(before: CurrentVerdicts, after: CurrentVerdicts): boolean {
  if (before === after) return false;
  return [...after.epochs].some(([account, epoch]) => epoch > findEpoch(before, account));
}

function missing(from: readonly SuspectName[], some: readonly SuspectName[]): SuspectName[] {
  const names = new Set(from.map(createKey));
  return some.filter((one) => !names.has(createKey(one)));
}

/** Those of `found` that are accepted. */
export function filterAccepted(
  { accepted }: CurrentVerdicts,
  found: readonly SuspectName[],
): readonly SuspectName[] {
  if (found.length === 0) return [];
  const names = new Set(accepted.map(createKey));
  return found.filter((one) => names.has(createKey(one)));
}

function createKey({ accountId, suspect }: SuspectName): string {
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
    last: () => last,
  };
}

/* The facts that erasures are about, in SQL. */

/** Conditions for a statement that sums, each beginning with ` AND ` or empty. */
export interface Kept {
  readonly ofFacts: string;
  readonly ofSums: string;
  readonly parameters: BoundParameters;
}

export const allKept: Kept = { ofFacts: '', ofSums: '', parameters: {} };

/** `name` begins the names of the parameters. Of no views, nothing. */
export function isErased(target: ErasureTarget, name = 'erased'): BoundCondition {
  const { accountId, kind, views, packageId, videoId, untilMs } = target;
  const own = { [`${name}Account`]: accountId };
  const ofAccount = `accountId = {${name}Account:UInt32}`;
  if (kind === 'views' || kind === 'viewer') {
    const bound = boundArray(`${name}Views`, 'UUID', views);
    return {
      sql: `${ofAccount} AND view IN ${bound.sql}`,
      parameters: { ...own, ...bound.parameters },
    };
  }
  const ids = { packageId, videoId };
  const named = Object.entries(ids).filter(([, id]) => id > 0);
  return {
    sql: [
      ofAccount,
      `slot < toDateTime({${name}Until:UInt32}, 'UTC')`,
      ...named.map(([column]) => `${column} = {${name}${column}:UInt32}`),
    ].join(' AND '),
    parameters: {
      ...own,
      [`${name}Until`]: toSeconds(untilMs),
      ...Object.fromEntries(named.map(([column, id]) => [`${name}${column}`, id])),
    },
  };
}

/** Whether any of it is stored, also under views that were not known when it was erased. */
export function isLeft(target: ErasureTarget, name: string): BoundCondition {
  const own = isErased(target, name);
  if (target.kind !== 'viewer') return own;
  const isEarly = `slot < toDateTime({${name}Until:UInt32}, 'UTC')`;
  const ofViewer = `${valueSql.viewer} = {${name}Viewer:UInt64} AND ${isEarly}`;
  return {
    sql: `(${own.sql}) OR (accountId = {${name}Account:UInt32} AND ${ofViewer})`,
    parameters: {
      ...own.parameters,
      [`${name}Viewer`]: target.viewer,
      [`${name}Until`]: toSeconds(target.untilMs),
    },
  };
}

/** What of an account is being erased; undefined if nothing is. */
export function findErased(
  { erasures }: CurrentVerdicts,
  accountId: number,
): BoundCondition | undefined {
  const own = erasures?.open.filter((target) => target.accountId === accountId) ?? [];
  return own.length === 0 ? undefined : combineTargets(own, isErased);
}

/**
 * What changes with every erasure of an account: an erasure that shrinks sums raises the epoch, and
 * one of facts alone moves their beginning.
 */
export function erasedState(verdicts: CurrentVerdicts, accountId: number): string {
  return `${findEpoch(verdicts, accountId)} ${findKeptSince(verdicts.erasures, accountId)}`;
}

/** What sums are still made of. */
export function keptBy({ erasures }: CurrentVerdicts): Kept {
  if (!erasures) return allKept;
  const { open, keptSince } = erasures;
  const erased = open.length === 0 ? undefined : combineTargets(open, isErased);
  const since = keptSince.size === 0 ? undefined : keptFrom(keptSince);
  return {
    ofFacts: `${erased ? ` AND NOT (${erased.sql})` : ''}${since?.sql ?? ''}`,
    ofSums: since?.sql ?? '',
    parameters: { ...erased?.parameters, ...since?.parameters },
  };
}

export function combineTargets(
  targets: readonly ErasureTarget[],
  condition: (target: ErasureTarget, name: string) => BoundCondition,
): BoundCondition {
  const each = targets.map((target, index) => condition(target, `erased${index}`));
  return {
    sql: each.map(({ sql }) => `(${sql})`).join(' OR '),
    parameters: Object.assign({}, ...each.map(({ parameters }) => parameters)),
  };
}

function keptFrom(keptSince: ReadonlyMap<number, number>): BoundCondition {
  const accounts = boundArray('keptAccounts', 'UInt32', [...keptSince.keys()]);
  const seconds = boundArray('keptSince', 'UInt32', [...keptSince.values()].map(toSeconds));
  return {
    sql: ` AND slot >= toDateTime(
          transform(accountId, ${accounts.sql}, ${seconds.sql}, toUInt32(0)), 'UTC')`,
    parameters: { ...accounts.parameters, ...seconds.parameters },
  };
}

function toSeconds(ms: number): number {
  return Math.floor(storableMs(ms) / 1_000);
}
