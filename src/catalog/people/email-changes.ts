/** Another mail address of a person, which is theirs once the link that is sent to it is followed. */
import { accept } from '../../lib/result.ts';
import { drawToken, hashSecret, isToken } from '../access/key-secret.ts';
import { type Connection, inTransaction } from '../database/connection.ts';
import type { Database } from '../database/database.ts';
import type { People } from '../people.ts';
import { refused } from '../refusal.ts';
import { checkEmail, findByEmail, findPerson, normalizeEmail, noteOfPerson } from './person-row.ts';

export function createEmailChanges(
  database: Database,
): Pick<People, 'prepareEmail' | 'confirmEmail'> {
  const { kysely, clock, watch, actor } = database;
  return {
    // Whether somebody has the address is found out by whoever reads its mails, and by nobody else.
    prepareEmail: (personId, email, validMs) =>
      inTransaction(kysely, async (connection) => {
        const checked = checkEmail(email);
        if (!checked.ok) return checked;
        const token = drawToken();
        const { numUpdatedRows } = await connection
          .updateTable('people')
          .set({
            ...{ newEmail: email, newEmailTokenHash: hashSecret(token) },
            newEmailUntilMs: clock.now() + validMs,
          })
          .where('id', '=', personId)
          .executeTakeFirstOrThrow();
        if (numUpdatedRows === 0n) return refused('NO_PERSON');
        await noteOfPerson(database, connection, personId, {
          ...{ action: 'EMAIL_CHANGE_STARTED', after: { email } },
          // Who makes such a link for somebody else can become them.
          isOfService: !('personId' in actor && actor.personId === personId),
        });
        return accept(token);
      }),

    async confirmEmail(token) {
      if (!isToken(token)) return undefined;
      const pending = await findPending(kysely, token, clock.now());
      if (pending === undefined) return undefined;
      const confirmed = watch.write(async (connection) => {
        const { personId, newEmail } = pending;
        const before = await findPerson(connection, personId);
        if (!before) return refused('NO_PERSON');
        const holder = await findByEmail(connection, newEmail);
        if (holder !== undefined && holder.personId !== personId) return refused('EMAIL_USED');
        const { numUpdatedRows } = await connection
          .updateTable('people')
          .set({ email: newEmail, emailKey: normalizeEmail(newEmail) })
          .set({ newEmail: null, newEmailTokenHash: null, newEmailUntilMs: null })
          .where('id', '=', personId)
          .where('newEmailTokenHash', '=', hashSecret(token))
          .executeTakeFirstOrThrow();
        // Of two who follow it at once, for one.
        if (numUpdatedRows === 0n) return refused('NO_PERSON');
        // Those for a new password were sent to the former address.
        await connection
          .deleteFrom('sessions')
          .where('personId', '=', personId)
          .where('kind', '=', 'link')
          .execute();
        const own = { kind: 'PERSON', personId, personName: before.name, address: null } as const;
        const states = { before: { email: before.email }, after: { email: newEmail } };
        const change = { action: 'EMAIL_CHANGED', ...states } as const;
        await noteOfPerson({ ...database, actor: own }, connection, personId, change);
        return accept({ ...before, email: newEmail, formerEmail: before.email });
      });
      return confirmed.catch((error) => {
        // Somebody else got it in the same instant.
        if (isUniqueViolation(error)) return refused('EMAIL_USED');
        throw error;
      });
    },
  };
}

/** Of PostgreSQL; of SQLite, a transaction that writes has the database to itself. */
function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505';
}

async function findPending(connection: Connection, token: string, nowMs: number) {
  const row = await connection
    .selectFrom('people')
    .select(['id as personId', 'newEmail'])
    .where('newEmailTokenHash', '=', hashSecret(token))
    .where('newEmailUntilMs', '>', nowMs)
    .executeTakeFirst();
  return row?.newEmail ? { personId: row.personId, newEmail: row.newEmail } : undefined;
}
