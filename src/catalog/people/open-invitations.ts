import { noteChange } from '../audit/change-entry.ts';
import type { Connection } from '../database/connection.ts';
import type { Database } from '../database/database.ts';
import { normalizeEmail, parsePackages } from './person-row.ts';

interface OpenInvitation {
  readonly id: number;
  readonly email: string | null;
  /** Who made it. */
  readonly actor: string;
}

/** Whether it is for an address, however that is written. */
export function isFor({ email }: Pick<OpenInvitation, 'email'>, address: string): boolean {
  return email !== null && normalizeEmail(email) === normalizeEmail(address);
}

/** Voids those of an account under a condition; an account has few. Resolves to how many. */
export async function endInvitations(
  database: Database,
  connection: Connection,
  accountId: number,
  isEnded: (invitation: OpenInvitation) => boolean,
): Promise<number> {
  const open = await connection
    .selectFrom('invitations')
    .select(['id', 'email', 'role', 'packages', 'actor'])
    .where('accountId', '=', accountId)
    .execute();
  const ended = open.filter(isEnded);
  for (const { id, email, role, packages } of ended) {
    await connection.deleteFrom('invitations').where('id', '=', id).execute();
    const before = { email, role, packageIds: parsePackages(packages) };
    const change = { accountId, object: id, before };
    await noteChange(database, connection, { action: 'INVITATION_REVOKED', ...change });
  }
  return ended.length;
}
