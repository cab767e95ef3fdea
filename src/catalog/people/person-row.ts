import { accept, type Result } from '../../lib/result.ts';
import { noteChange, noteServiceChange } from '../audit/change-entry.ts';
import type { Connection } from '../database/connection.ts';
import type { Database } from '../database/database.ts';
import type { Membership, Person } from '../people.ts';
import { type CatalogRefusal, refusedField } from '../refusal.ts';

const longestEmail = 254;

export function selectPeople(connection: Connection) {
  return connection
    .selectFrom('people')
    .select(['people.id as personId', 'email', 'people.name', 'language', 'isOperator'])
    .select(['passwordHash', 'hasSecondFactor', 'people.createdAtMs', 'lastSeenAtMs']);
}

type PersonRow = Awaited<ReturnType<ReturnType<typeof selectPeople>['execute']>>[number];

export function toPerson(row: PersonRow): Person {
  const { personId, email, name, language, isOperator, passwordHash, lastSeenAtMs } = row;
  return {
    ...{ personId, email: email ?? undefined, name, language, isOperator: isOperator === 1 },
    ...{ hasPassword: passwordHash !== null, hasSecondFactor: row.hasSecondFactor === 1 },
    createdAt: new Date(row.createdAtMs),
    lastSeenAt: lastSeenAtMs === null ? undefined : new Date(lastSeenAtMs),
  };
}

export async function findPerson(
  connection: Connection,
  personId: number,
): Promise<Person | undefined> {
  const row = await selectPeople(connection).where('people.id', '=', personId).executeTakeFirst();
  return row && toPerson(row);
}

export async function findByEmail(
  connection: Connection,
  email: string,
): Promise<Person | undefined> {
  const row = await selectPeople(connection)
    .where('emailKey', '=', normalizeEmail(email))
    .executeTakeFirst();
  return row && toPerson(row);
}

/** Under which an address is found, however it is written. */
export function normalizeEmail(email: string): string {
  // PostgreSQL accepts no NUL; no address that is stored has one.
  return email.normalize('NFC').toLowerCase().replaceAll('\0', '\ufffd').toWellFormed();
}

export function checkEmail(email: string): Result<string, CatalogRefusal> {
  const isAddress = /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(email) && email.length <= longestEmail;
  return isAddress ? accept(email) : refusedField('email', 'must be a mail address');
}

/** All accounts of a person that are open, by id. */
export async function readMemberships(
  connection: Connection,
  personId: number,
): Promise<Membership[]> {
  const rows = await connection
    .selectFrom('memberships')
    .innerJoin('accounts', 'accounts.id', 'memberships.accountId')
    .select(['accountId', 'role', 'packages', 'changedAtMs', 'accounts.name', 'timeZone'])
    .where('personId', '=', personId)
    .where('closedAtMs', 'is', null)
    .orderBy('accountId')
    .execute();
  return rows.map(({ packages, changedAtMs, ...row }) => ({
    ...row,
    packageIds: parsePackages(packages),
    changedAt: new Date(changedAtMs),
  }));
}

/** Ids of packages as rows keep them, separated by commas; null: all of the account. */
export function parsePackages(stored: string | null): readonly number[] | undefined {
  if (stored === null) return undefined;
  return stored === '' ? [] : stored.split(',').map(Number);
}

export function storedPackages(packageIds: readonly number[] | undefined): string | null {
  return packageIds === undefined ? null : packageIds.join(',');
}

interface PersonChange extends Omit<Parameters<typeof noteServiceChange>[2], 'object'> {
  /** Whether operators are to know of it, wherever the person is a member. */
  readonly isOfService?: boolean | undefined;
}

/**
 * What concerns a person is in the audit of every account of theirs; where none of these is open,
 * so that nobody would read it, in that of the service.
 */
export async function noteOfPerson(
  database: Database,
  transaction: Connection,
  personId: number,
  { isOfService = false, ...about }: PersonChange,
): Promise<void> {
  const rows = await transaction
    .selectFrom('memberships')
    .innerJoin('accounts', 'accounts.id', 'memberships.accountId')
    .select(['accountId', 'closedAtMs'])
    .where('personId', '=', personId)
    .orderBy('accountId')
    .execute();
  const change = { ...about, object: personId };
  for (const { accountId } of rows) {
    await noteChange(database, transaction, { ...change, accountId });
  }
  if (isOfService || rows.every(({ closedAtMs }) => closedAtMs !== null)) {
    await noteServiceChange(database, transaction, change);
  }
}
