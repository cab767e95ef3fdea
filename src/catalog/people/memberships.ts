import { isDeepStrictEqual } from 'node:util';
import { assert } from '../../lib/assert.ts';
import { accept, type Result } from '../../lib/result.ts';
import { endSessionsOfStranger, findAccount, holdOpenAccount } from '../access/accounts.ts';
import { noteChange } from '../audit/change-entry.ts';
import type { Connection } from '../database/connection.ts';
import type { Database } from '../database/database.ts';
import { holdAccount } from '../database/row-locks.ts';
import type { Member, MemberName, Memberships, NewMember, Standing } from '../people.ts';
import { type CatalogRefusal, refused, refusedField } from '../refusal.ts';
import { endInvitations, isFor } from './open-invitations.ts';
import { findPerson, parsePackages, selectPeople, storedPackages, toPerson } from './person-row.ts';
import { deleteSavedViews } from './saved-views.ts';

/** To which one analyst is narrowed: they stand in every question. */
const mostPackages = 100;

export function createMemberships(database: Database): Memberships {
  const { kysely, watch } = database;
  return {
    async list(accountId) {
      const rows = await selectMembers(kysely, accountId).orderBy('people.id').execute();
      return rows.map(toMember);
    },

    find: (name) => findMember(kysely, name),
    put: (member) => watch.write((connection) => putMember(database, connection, member, false)),
    remove: (name) => watch.write((connection) => endMembership(database, connection, name)),

    follow: (personId, wanted) =>
      watch.write(async (connection) => {
        const rows = await connection
          .selectFrom('memberships')
          .innerJoin('accounts', 'accounts.id', 'memberships.accountId')
          .select(['accountId', 'isByClaim'])
          .where('personId', '=', personId)
          // One that is closed keeps its members until it is open again.
          .where('closedAtMs', 'is', null)
          .execute();
        const others = new Set(
          rows.filter(({ isByClaim }) => isByClaim === 0).map(({ accountId }) => accountId),
        );
        const held = new Set(others);
        for (const standing of wanted) {
          if (others.has(standing.accountId)) continue;
          const put = await putMember(database, connection, { personId, ...standing }, true);
          if (put.ok) held.add(standing.accountId);
          // A rule may name an account or package that is no more: then it makes nobody a member.
          else if (put.reason.code === 'NO_PERSON') return put;
        }
        for (const { accountId } of rows) {
          if (held.has(accountId)) continue;
          // The last owner stays.
          await endMembership(database, connection, { accountId, personId });
        }
        return accept(undefined);
      }),
  };
}

/** Within a transaction that counts a change. */
export async function putMember(
  database: Database,
  connection: Connection,
  { accountId, personId, role, packageIds }: NewMember,
  isByClaim: boolean,
): Promise<Result<Member, CatalogRefusal>> {
  // Held, so that of two owners who leave at once one stays.
  if (!(await holdOpenAccount(database, connection, accountId))) return refused('NO_ACCOUNT');
  const person = await findPerson(connection, personId);
  if (!person) return refused('NO_PERSON');
  const checked = await checkStanding(connection, accountId, { role, packageIds });
  if (!checked.ok) return checked;
  const before = await findMember(connection, { accountId, personId });
  if (before?.role === 'owner' && role !== 'owner') {
    if (await isLastOwner(connection, { accountId, personId })) return refused('LAST_OWNER');
  }
  // Whoever saves a membership that a claim made takes it over, changed or not.
  const after = { role, packageIds, isByClaim };
  const was = before && {
    ...{ role: before.role, packageIds: before.packageIds, isByClaim: before.isByClaim },
  };
  if (!isDeepStrictEqual(was, after)) {
    if (before) await endMemberInvitations(database, connection, { ...before, accountId, role });
    const nowMs = database.clock.now();
    const row = { role, packages: storedPackages(packageIds), changedAtMs: nowMs };
    const isByClaimNow = isByClaim ? (1 as const) : (0 as const);
    await connection
      .insertInto('memberships')
      .values({ accountId, personId, ...row, isByClaim: isByClaimNow, createdAtMs: nowMs })
      .onConflict((conflict) =>
        conflict
          .columns(['accountId', 'personId'])
          .doUpdateSet({ ...row, isByClaim: isByClaimNow }),
      )
      .execute();
    await noteChange(database, connection, {
      ...{ accountId, action: before ? 'MEMBER_CHANGED' : 'MEMBER_ADDED', object: personId },
      before: was,
      after: before ? after : { name: person.name, email: person.email, role, packageIds },
    });
  }
  if (packageIds) await endWiderPins(database, connection, { accountId, personId }, packageIds);
  const member = await findMember(connection, { accountId, personId });
  assert(member, 'a member who was put is there');
  return accept(member);
}

/**
 * Whoever is narrowed has the links of their own shares, and gets the mails of their own rules:
 * those that show more than the packages end.
 */
async function endWiderPins(
  database: Database,
  connection: Connection,
  { accountId, personId }: MemberName,
  packageIds: readonly number[],
): Promise<void> {
  const actor = `PERSON:${personId}`;
  const isWithin = (packages: string | null, packageId: number | null = null) =>
    (parsePackages(packages) ?? [packageId]).every((id) => id !== null && packageIds.includes(id));
  const shares = await connection
    .selectFrom('shares')
    .select(['id', 'name', 'packages', 'packageId'])
    .where('accountId', '=', accountId)
    .where('actor', '=', actor)
    .execute();
  for (const { id, name, packages, packageId } of shares) {
    if (isWithin(packages, packageId)) continue;
    await connection.deleteFrom('shares').where('id', '=', id).execute();
    const change = { accountId, object: id, before: { name } };
    await noteChange(database, connection, { action: 'SHARE_REVOKED', ...change });
  }
  const rules = await connection
    .selectFrom('rules')
    .select(['id', 'subject', 'packages'])
    .where('accountId', '=', accountId)
    .where('actor', '=', actor)
    .where('isPaused', '=', 0)
    .execute();
  for (const { id, subject, packages } of rules) {
    if (isWithin(packages)) continue;
    await connection.updateTable('rules').set({ isPaused: 1 }).where('id', '=', id).execute();
    const action = subject === 'alert' ? 'ALERT_CHANGED' : 'REPORT_CHANGED';
    const states = { before: { isPaused: false }, after: { isPaused: true } };
    await noteChange(database, connection, { action, accountId, object: id, ...states });
  }
}

/**
 * An invitation that is open still would give back what is taken: one to the member, and unless
 * they stay an owner (`role`) one that they made, perhaps for another address of theirs.
 */
async function endMemberInvitations(
  database: Database,
  connection: Connection,
  { accountId, personId, email, role }: MemberName & Partial<Pick<Member, 'email' | 'role'>>,
): Promise<void> {
  const isTheirs = (actor: string) => role !== 'owner' && actor === `PERSON:${personId}`;
  await endInvitations(database, connection, accountId, (one) => {
    return isTheirs(one.actor) || (email !== undefined && isFor(one, email));
  });
}

/** Within a transaction that counts a change. */
export async function endMembership(
  database: Database,
  connection: Connection,
  name: MemberName,
): Promise<Result<void, CatalogRefusal>> {
  const { accountId, personId } = name;
  if (!(await holdAccount(database, connection, accountId))) return refused('NO_ACCOUNT');
  const member = await findMember(connection, name);
  if (!member) return refused('NO_MEMBER');
  const needsOwner = member.role === 'owner' && (await findAccount(connection, accountId));
  if (needsOwner && (await isLastOwner(connection, name))) return refused('LAST_OWNER');
  await connection
    .deleteFrom('memberships')
    .where('accountId', '=', accountId)
    .where('personId', '=', personId)
    .execute();
  // An analyst's are their own; those of owners and managers are the account's.
  if (member.role === 'analyst') await endWiderPins(database, connection, name, []);
  await endMemberInvitations(database, connection, { ...name, email: member.email });
  await deleteSavedViews(database, connection, name);
  await endSessionsOfStranger(connection, personId);
  const { email, role, packageIds } = member;
  const before = { name: member.name, email, role, packageIds };
  const change = { accountId, object: personId, before };
  await noteChange(database, connection, { action: 'MEMBER_REMOVED', ...change });
  return accept(undefined);
}

/** A narrowed member is an analyst, and the packages are the account's. */
export async function checkStanding(
  connection: Connection,
  accountId: number,
  { role, packageIds }: Standing,
): Promise<Result<void, CatalogRefusal>> {
  if (packageIds === undefined) return accept(undefined);
  if (role !== 'analyst') return refusedField('packageIds', 'may be given to an analyst alone');
  if (packageIds.length === 0 || packageIds.length > mostPackages) {
    return refusedField('packageIds', `must name 1 to ${mostPackages} packages`);
  }
  const found = await connection
    .selectFrom('packages')
    .select('id')
    .where('accountId', '=', accountId)
    .where('deletedAtMs', 'is', null)
    .where('id', 'in', packageIds)
    .execute();
  if (found.length === new Set(packageIds).size) return accept(undefined);
  return refusedField('packageIds', 'must name packages of the account');
}

async function isLastOwner(
  connection: Connection,
  { accountId, personId }: MemberName,
): Promise<boolean> {
  const other = await connection
    .selectFrom('memberships')
    .select('personId')
    .where('accountId', '=', accountId)
    .where('role', '=', 'owner')
    .where('personId', '!=', personId)
    .limit(1)
    .executeTakeFirst();
  return other === undefined;
}

function selectMembers(connection: Connection, accountId: number) {
  return selectPeople(connection)
    .innerJoin('memberships', 'memberships.personId', 'people.id')
    .select(['memberships.role', 'packages', 'isByClaim'])
    .where('memberships.accountId', '=', accountId);
}

async function findMember(
  connection: Connection,
  { accountId, personId }: MemberName,
): Promise<Member | undefined> {
  const row = await selectMembers(connection, accountId)
    .where('people.id', '=', personId)
    .executeTakeFirst();
  return row && toMember(row);
}

type MemberRow = Awaited<ReturnType<ReturnType<typeof selectMembers>['execute']>>[number];

function toMember({ role, packages, isByClaim, ...person }: MemberRow): Member {
  const standing = { role, packageIds: parsePackages(packages) };
  return { ...toPerson(person), ...standing, isByClaim: isByClaim === 1 };
}
