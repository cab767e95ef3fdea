import { accept } from '../../lib/result.ts';
import { findAccount, holdOpenAccount } from '../access/accounts.ts';
import { hasRoom } from '../access/count-limit.ts';
import { drawToken, hashSecret, isToken } from '../access/key-secret.ts';
import { describeActor, noteChange } from '../audit/change-entry.ts';
import { type Connection, inTransaction } from '../database/connection.ts';
import type { Database } from '../database/database.ts';
import type { AcceptedBy, Invitation, Invitations } from '../people.ts';
import { refused } from '../refusal.ts';
import { checkStanding, putMember } from './memberships.ts';
import { endInvitations, isFor } from './open-invitations.ts';
import { checkEmail, findPerson, parsePackages, storedPackages } from './person-row.ts';
import { addPerson, bind } from './persons.ts';
import { writeOrUndo } from './write-or-undo.ts';

const dayMs = 86_400_000;
const validMs = 7 * dayMs;
const firstValidMs = dayMs;
const portionRows = 100;

export function createInvitations(database: Database): Invitations {
  const { kysely, clock, watch, actor } = database;
  return {
    async list(accountId) {
      const rows = await kysely
        .selectFrom('invitations')
        .selectAll()
        .where('accountId', '=', accountId)
        .where('expiresAtMs', '>', clock.now())
        .orderBy('id')
        .execute();
      return rows.flatMap(toInvitation);
    },

    create: ({ accountId, email, role, packageIds }) =>
      inTransaction(kysely, async (connection) => {
        if (!(await holdOpenAccount(database, connection, accountId))) return refused('NO_ACCOUNT');
        const address = checkEmail(email);
        if (!address.ok) return address;
        const checked = await checkStanding(connection, accountId, { role, packageIds });
        if (!checked.ok) return checked;
        // Of several to one address the last one is valid: the others may be to more.
        await endInvitations(database, connection, accountId, (one) => isFor(one, email));
        if (!(await hasRoom(connection, 'invitations', accountId))) {
          return refused('TOO_MANY_INVITATIONS');
        }
        const { row, token } = await insert(database, connection, {
          ...{ accountId, email, role, packages: storedPackages(packageIds) },
          ...{ validMs, ...describeActor(actor) },
        });
        const change = { accountId, object: row.id, after: { email, role, packageIds } };
        await noteChange(database, connection, { action: 'INVITATION_CREATED', ...change });
        const [invitation] = toInvitation(row);
        return invitation ? accept({ invitation, token }) : refused('NO_INVITATION');
      }),

    revoke: ({ accountId, invitationId }) =>
      inTransaction(kysely, async (connection) => {
        const isIt = ({ id }: { readonly id: number }) => id === invitationId;
        const ended = await endInvitations(database, connection, accountId, isIt);
        return ended > 0 ? accept(undefined) : refused('NO_INVITATION');
      }),

    createFirst: () =>
      inTransaction(kysely, async (connection) => {
        const somebody = await connection.selectFrom('people').select('id').limit(1).execute();
        if (somebody.length > 0) return undefined;
        // Of several starts the last link is the valid one.
        await connection.deleteFrom('invitations').where('accountId', 'is', null).execute();
        const { token } = await insert(database, connection, {
          ...{ accountId: null, email: null, role: 'owner' as const, packages: null },
          ...{ validMs: firstValidMs, ...describeActor(actor) },
        });
        return token;
      }),

    async find(token) {
      const row = await findOpen(database, kysely, token);
      if (!row) return undefined;
      const { accountId, email, role, packages } = row;
      const account = accountId === null ? undefined : await findAccount(kysely, accountId);
      return {
        ...{ accountId, accountName: account?.name, email: email ?? undefined, role },
        ...{ packageIds: parsePackages(packages), inviterName: findInviterName(row) },
      };
    },

    async accept(token, who) {
      const open = await findOpen(database, kysely, token);
      if (!open) return undefined;
      return writeOrUndo(watch, async (connection) => {
        const row = await connection
          .deleteFrom('invitations')
          .where('id', '=', open.id)
          .returningAll()
          .executeTakeFirst();
        if (!row) return refused('NO_INVITATION');
        if (row.accountId === null) {
          const somebody = await connection.selectFrom('people').select('id').limit(1).execute();
          if (somebody.length > 0) return refused('NO_INVITATION');
        }
        const person = await personOfAcceptance(database, connection, who, row);
        if (!person.ok) return person;
        const { personId, name } = person.value;
        const own = { ...database, actor: { ...personActor, personId, personName: name } };
        const standing = { role: row.role, packageIds: parsePackages(row.packages) };
        const accountIds = row.accountId === null ? await allAccounts(connection) : [row.accountId];
        for (const accountId of accountIds) {
          const put = await putMember(own, connection, { accountId, personId, ...standing }, false);
          if (!put.ok) return put;
        }
        if (who.identity) {
          const bound = await bind(own, connection, personId, who.identity);
          if (!bound.ok) return bound;
        }
        return person;
      });
    },

    async purge() {
      const { numDeletedRows } = await kysely
        .deleteFrom('invitations')
        .where('id', 'in', (builder) =>
          builder
            .selectFrom('invitations')
            .select('id')
            .where('expiresAtMs', '<=', clock.now())
            .limit(portionRows),
        )
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },
  };
}

const personActor = { kind: 'PERSON', address: null } as const;

async function personOfAcceptance(
  database: Database,
  connection: Connection,
  who: AcceptedBy,
  invited: Pick<Row, 'accountId' | 'email'>,
) {
  if (!('personId' in who)) {
    const email = invited.email ?? who.email;
    const more = { passwordHash: who.passwordHash, isOperator: invited.accountId === null };
    // Somebody who has the address signs in first: whoever invited them has the link as well.
    return addPerson(database, connection, { ...who, email }, more);
  }
  const person = await findPerson(connection, who.personId);
  if (!person) return refused('NO_PERSON');
  const { email } = person;
  const isAnother = email !== undefined && invited.email !== null && !isFor(invited, email);
  if (isAnother) return refused('INVITES_ANOTHER');
  return accept(person);
}

async function insert(
  { clock }: Database,
  connection: Connection,
  {
    validMs: forMs,
    ...invitation
  }: Pick<Row, 'accountId' | 'email' | 'role' | 'packages' | 'actor' | 'actorName'> & {
    readonly validMs: number;
  },
) {
  const token = drawToken();
  const nowMs = clock.now();
  const row = await connection
    .insertInto('invitations')
    .values({
      ...{ ...invitation, tokenHash: hashSecret(token) },
      ...{ createdAtMs: nowMs, expiresAtMs: nowMs + forMs },
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { row, token };
}

async function findOpen({ clock }: Database, connection: Connection, token: string) {
  if (!isToken(token)) return undefined;
  const row = await selectInvitations(connection)
    .where('tokenHash', '=', hashSecret(token))
    .where('expiresAtMs', '>', clock.now())
    .executeTakeFirst();
  const isClosed = row && row.accountId !== null && !(await findAccount(connection, row.accountId));
  return isClosed ? undefined : row;
}

function selectInvitations(connection: Connection) {
  return connection.selectFrom('invitations').selectAll();
}

async function allAccounts(connection: Connection): Promise<number[]> {
  const rows = await connection
    .selectFrom('accounts')
    .select('id')
    .where('closedAtMs', 'is', null)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

type Row = Awaited<ReturnType<ReturnType<typeof selectInvitations>['execute']>>[number];

/** None of the one of the first person, which is of no account. */
function toInvitation(row: Row): Invitation[] {
  const { accountId, email, role } = row;
  if (accountId === null || email === null) return [];
  return [
    {
      ...{ invitationId: row.id, accountId, email, role, packageIds: parsePackages(row.packages) },
      ...{ createdAt: new Date(row.createdAtMs), expiresAt: new Date(row.expiresAtMs) },
      ...{ createdBy: row.actor, createdByName: row.actorName, inviterName: findInviterName(row) },
    },
  ];
}

/** What a key or a user of the system is called tells whoever is invited nothing. */
function findInviterName({ actor, actorName }: Row): string | undefined {
  return actor.startsWith('PERSON:') ? actorName : undefined;
}
