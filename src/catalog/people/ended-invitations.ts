import type { Connection } from '../database/connection.ts';
import { emailKeyOf } from './person-row.ts';

interface Made {
  readonly email: string | null;
  readonly actor: string;
}

export const isOf = (invitation: Made, email: string) =>
  invitation.email !== null && emailKeyOf(invitation.email) === emailKeyOf(email);

/** Those of an account, of which there are not many, under a condition: their links are void. */
export async function endInvitations(
  connection: Connection,
  accountId: number,
  isEnded: (invitation: Made) => boolean,
): Promise<void> {
  const open = await connection
    .selectFrom('invitations')
    .select(['id', 'email', 'actor'])
    .where('accountId', '=', accountId)
    .execute();
  const ended = open.filter(isEnded).map(({ id }) => id);
  if (ended.length > 0) {
    await connection.deleteFrom('invitations').where('id', 'in', ended).execute();
  }
}
