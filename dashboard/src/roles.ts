/** What people may do in an account. */
import type { SignedIn } from '../../client/src/index.ts';

/** Each may do whatever those after it may. */
export const roles = ['owner', 'manager', 'analyst'] as const;
export type Role = (typeof roles)[number];

/** Whether they may do in the account what takes this role; a key that manages may do it all. */
export function may({ role, scopes }: Pick<SignedIn, 'role' | 'scopes'>, least: Role): boolean {
  if (role === undefined) return scopes.includes('manage');
  return roles.indexOf(role) <= roles.indexOf(least);
}
