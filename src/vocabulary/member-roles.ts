/** What people may do in an account, and what a request needs. */
import Type, { type Static } from 'typebox';
import type { Scope } from './scopes.ts';

/** Each may do whatever those after it may. */
export const memberRoles = ['owner', 'manager', 'analyst'] as const;

export const MemberRole = Type.Enum([...memberRoles], {
  description:
    '`owner`: everything. `manager`: the library, settings, shares and alerts, but neither ' +
    'members nor keys. `analyst`: reads, and has shares, reports and alerts of their own.',
});
export type MemberRole = Static<typeof MemberRole>;

/** Who may send a request. What a right does not name is denied. */
export interface Right {
  /** Of a key. */
  readonly scope: Scope;
  /** The least role of a person; `none`: keys alone. */
  readonly role: MemberRole | 'none';
  /**
   * Whether an analyst who is narrowed to packages may, because all that is answered is pinned to
   * these packages.
   */
  readonly isPinned: boolean;
}

/** Of the questions of statistics. */
export const toReadStatistics: Right = { scope: 'stats:read', role: 'analyst', isPinned: true };
/** Of what the video information answers. */
export const toReadLibrary: Right = { scope: 'info:read', role: 'analyst', isPinned: true };

export function hasRole(role: MemberRole, least: MemberRole): boolean {
  return memberRoles.indexOf(role) <= memberRoles.indexOf(least);
}
