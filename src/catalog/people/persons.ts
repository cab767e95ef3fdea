import { assert } from '../../lib/assert.ts';
import { accept } from '../../lib/result.ts';
import { checkName } from '../access/name-check.ts';
import { noteServiceChange } from '../audit/change-entry.ts';
import { type Connection, inTransaction } from '../database/connection.ts';
import type { Database } from '../database/database.ts';
import { lockRows } from '../database/row-locks.ts';
import type { Credentials, NewPerson, People, PersonIdentity } from '../people.ts';
import { refused } from '../refusal.ts';
import { createEmailChanges } from './email-changes.ts';
import { endMembership } from './memberships.ts';
import {
  checkEmail,
  findByEmail,
  findPerson,
  normalizeEmail,
  noteOfPerson,
  selectPeople,
  toPerson,
} from './person-row.ts';
import { createSecondFactors } from './second-factors.ts';
import { writeOrUndo } from './write-or-undo.ts';

export function createPeople(database: Database): People {
  const { kysely, watch } = database;
  return {
    async exist() {
      const row = await kysely.selectFrom('people').select('id').limit(1).executeTakeFirst();
      return row !== undefined;
    },

    async list() {
      const rows = await selectPeople(kysely).orderBy('people.id').execute();
      return rows.map(toPerson);
    },

    find: (personId) => findPerson(kysely, personId),
    findByEmail: (email) => findByEmail(kysely, email),
    create: ({ isOperator = false, ...given }) =>
      inTransaction(kysely, (connection) => addPerson(database, connection, given, { isOperator })),

    change: (personId, { name, language }) =>
      watch.write(async (connection) => {
        const before = await findPerson(connection, personId);
        if (!before) return refused('NO_PERSON');
        const checked = checkName('name', name ?? before.name);
        if (!checked.ok) return checked;
        const after = { name: checked.value, language: language ?? before.language };
        await connection.updateTable('people').set(after).where('id', '=', personId).execute();
        const noted = { before: { name: before.name, language: before.language }, after };
        await noteOfPerson(database, connection, personId, { action: 'PERSON_CHANGED', ...noted });
        return accept({ ...before, ...after });
      }),

    remove: (personId) =>
      writeOrUndo(watch, async (connection) => {
        const person = await findPerson(connection, personId);
        if (!person) return refused('NO_PERSON');
        const accounts = await connection
          .selectFrom('memberships')
          .select('accountId')
          .where('personId', '=', personId)
          .orderBy('accountId')
          .execute();
        for (const { accountId } of accounts) {
          const ended = await endMembership(database, connection, { accountId, personId });
          if (!ended.ok) return ended;
        }
        const tables = ['sessions', 'personIdentities', 'recoveryCodes', 'savedViews'] as const;
        for (const table of tables) {
          await connection.deleteFrom(table).where('personId', '=', personId).execute();
        }
        await connection.deleteFrom('people').where('id', '=', personId).execute();
        const { name, email, isOperator } = person;
        await noteServiceChange(database, connection, {
          ...{ action: 'PERSON_REMOVED', object: personId, before: { name, email, isOperator } },
        });
        return accept(undefined);
      }),

    ...createCredentials(database),
    ...createSecondFactors(database),
    ...createIdentities(database),
    ...createEmailChanges(database),

    note: (personId, event) =>
      inTransaction(kysely, (connection) => noteOfPerson(database, connection, personId, event)),
  };
}

export async function addPerson(
  database: Database,
  connection: Connection,
  { email, name, language }: NewPerson,
  more: { readonly passwordHash?: string | undefined; readonly isOperator?: boolean } = {},
) {
  const checked = checkName('name', name);
  if (!checked.ok) return checked;
  if (email !== undefined) {
    const address = checkEmail(email);
    if (!address.ok) return address;
    if (await findByEmail(connection, email)) return refused('EMAIL_USED');
  }
  const row = await connection
    .insertInto('people')
    .values({
      ...{ name: checked.value, language, createdAtMs: database.clock.now(), lastSeenAtMs: null },
      ...{ email: email ?? null, emailKey: email === undefined ? null : normalizeEmail(email) },
      ...{ passwordHash: more.passwordHash ?? null, isOperator: more.isOperator ? 1 : 0 },
      sealedSecondFactor: null,
    })
    // Somebody else may just have got it.
    .onConflict((conflict) => conflict.column('emailKey').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (row === undefined) return refused('EMAIL_USED');
  const person = await findPerson(connection, row.id);
  assert(person, 'a person who was added is there');
  const after = { name: person.name, email, isOperator: person.isOperator };
  const change = { action: 'PERSON_CREATED', object: person.personId, after } as const;
  await noteServiceChange(database, connection, change);
  return accept(person);
}

function createCredentials(
  database: Database,
): Pick<People, 'credentialsByEmail' | 'credentials' | 'setPassword'> {
  const { kysely, watch } = database;
  return {
    credentialsByEmail: async (email) => {
      const row = await selectCredentials(kysely)
        .where('emailKey', '=', normalizeEmail(email))
        .executeTakeFirst();
      return row && toCredentials(row);
    },

    credentials: async (personId) => {
      const row = await selectCredentials(kysely).where('id', '=', personId).executeTakeFirst();
      return row && toCredentials(row);
    },

    setPassword: (personId, passwordHash, keptSessionId) =>
      watch.write(async (connection) => {
        const [row] = await lockRows(
          database,
          connection.selectFrom('people').select('emailKey').where('id', '=', personId),
        );
        if (!row) return refused('NO_PERSON');
        const isByLink = keptSessionId === undefined;
        const unbound = isByLink ? await unbindForeign(connection, personId, row.emailKey) : [];
        await connection
          .updateTable('people')
          .set({ passwordHash })
          // Whoever knew the former one may have begun it.
          .set({ newEmail: null, newEmailTokenHash: null, newEmailUntilMs: null })
          .where('id', '=', personId)
          .execute();
        let others = connection.deleteFrom('sessions').where('personId', '=', personId);
        if (keptSessionId !== undefined) others = others.where('id', '!=', keptSessionId);
        await others.execute();
        const after = { endsSessions: true, ...(unbound.length > 0 && { unbound }) };
        const change = { action: 'PASSWORD_CHANGED', after } as const;
        await noteOfPerson(database, connection, personId, change);
        return accept(undefined);
      }),
  };
}

/**
 * Whoever follows a link to an address has it. Whoever made the person, by an invitation to it, may
 * have had the invitation alone, and bound an identity of their own.
 */
async function unbindForeign(
  connection: Connection,
  personId: number,
  emailKey: string | null,
): Promise<PersonIdentity[]> {
  if (emailKey === null) return [];
  return connection
    .deleteFrom('personIdentities')
    .where('personId', '=', personId)
    .where(({ eb }) => eb.or([eb('emailKey', 'is', null), eb('emailKey', '!=', emailKey)]))
    .returning(['issuer', 'subject'])
    .execute();
}

function selectCredentials(connection: Connection) {
  return connection
    .selectFrom('people')
    .select(['id as personId', 'name', 'email', 'language', 'passwordHash'])
    .select(['sealedSecondFactor', 'hasSecondFactor']);
}

type CredentialsRow = Awaited<ReturnType<ReturnType<typeof selectCredentials>['execute']>>[number];

function toCredentials({ hasSecondFactor, ...row }: CredentialsRow): Credentials {
  return {
    ...row,
    email: row.email ?? undefined,
    passwordHash: row.passwordHash ?? undefined,
    sealedSecondFactor: (hasSecondFactor === 1 && row.sealedSecondFactor) || undefined,
  };
}

function createIdentities(database: Database): Pick<People, 'findByIdentity' | 'bindIdentity'> {
  const { kysely } = database;
  return {
    async findByIdentity({ issuer, subject }) {
      const row = await selectPeople(kysely)
        .innerJoin('personIdentities', 'personIdentities.personId', 'people.id')
        .where('issuer', '=', issuer)
        .where('subject', '=', subject)
        .executeTakeFirst();
      return row && toPerson(row);
    },

    bindIdentity: (personId, identity) =>
      inTransaction(kysely, (connection) => bind(database, connection, personId, identity)),
  };
}

/** Refused if the identity is somebody else's. */
export async function bind(
  database: Database,
  connection: Connection,
  personId: number,
  { issuer, subject, email }: PersonIdentity,
) {
  const emailKey = email === undefined ? null : normalizeEmail(email);
  const { numInsertedOrUpdatedRows: added } = await connection
    .insertInto('personIdentities')
    .values({ issuer, subject, personId, emailKey })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  if (added === 0n) {
    const row = await connection
      .selectFrom('personIdentities')
      .select('personId')
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      .executeTakeFirst();
    return row?.personId === personId ? accept(undefined) : refused('IDENTITY_USED');
  }
  const change = { action: 'IDENTITY_BOUND', after: { issuer, subject } } as const;
  await noteOfPerson(database, connection, personId, change);
  return accept(undefined);
}
