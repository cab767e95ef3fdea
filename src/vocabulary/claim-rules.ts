/** Which claims of an OIDC provider make somebody a member: the setting OIDC_ROLES. */
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import { hasRole, MemberRole } from './member-roles.ts';

const id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

const ClaimRule = Type.Object(
  {
    claim: Type.String({ minLength: 1 }),
    value: Type.String({ minLength: 1 }),
    account: id,
    role: MemberRole,
    packages: Type.Optional(Type.Array(id, { minItems: 1, maxItems: 100 })),
  },
  { additionalProperties: false },
);
export type ClaimRule = Static<typeof ClaimRule>;

/** Undefined if it is no such list. */
export function readClaimRules(text: string): readonly ClaimRule[] | undefined {
  try {
    const rules: unknown = JSON.parse(text);
    if (!Value.Check(Type.Array(ClaimRule), rules)) return undefined;
    const isSound = rules.every(
      ({ role, packages }) => packages === undefined || role === 'analyst',
    );
    return isSound ? rules : undefined;
  } catch {
    return undefined;
  }
}

interface ClaimedStanding {
  readonly accountId: number;
  readonly role: MemberRole;
  readonly packageIds: readonly number[] | undefined;
}

/** What claims make of a person, one standing an account: of several rules that fit, the most. */
export function findStandings(
  rules: readonly ClaimRule[],
  claims: Readonly<Record<string, unknown>>,
): ClaimedStanding[] {
  const byAccount = new Map<number, ClaimedStanding>();
  for (const { claim, value, account, role, packages } of rules) {
    if (![claims[claim]].flat().includes(value)) continue;
    const standing = { accountId: account, role, packageIds: packages };
    const other = byAccount.get(account);
    byAccount.set(account, other ? more(other, standing) : standing);
  }
  return [...byAccount.values()];
}

function more(one: ClaimedStanding, other: ClaimedStanding): ClaimedStanding {
  if (one.role !== other.role) return hasRole(one.role, other.role) ? one : other;
  if (one.packageIds === undefined || other.packageIds === undefined) {
    return { ...one, packageIds: undefined };
  }
  return { ...one, packageIds: [...new Set([...one.packageIds, ...other.packageIds])] };
}
