import { accept } from '../../lib/result.ts';
import { checkName } from '../access/name-check.ts';
import { describeActor, noteChange } from '../audit/change-entry.ts';
import { type Connection, inTransaction } from '../database/connection.ts';
import type { Database } from '../database/database.ts';
import { holdAccount } from '../database/row-locks.ts';
import { mostSavedViews, refused } from '../refusal.ts';
import type { SavedView, SavedViews } from '../saved-views.ts';

export function createSavedViews(database: Database): SavedViews {
  const { kysely, clock, actor } = database;
  const sender = actor.kind === 'PERSON' ? actor.personId : null;
  return {
    async list(accountId, personId) {
      // In SQL: all that the people of an account keep may be many megabytes.
      const rows = selectViews(kysely, accountId)
        .where(({ eb, or }) =>
          or([
            eb('personId', 'is', null),
            ...(personId === undefined ? [] : [eb('personId', '=', personId)]),
          ]),
        )
        .orderBy('name')
        .orderBy('id');
      return (await rows.execute()).map(toSavedView);
    },

    create: ({ accountId, isShared, page, query, ...given }) =>
      inTransaction(kysely, async (connection) => {
        const name = checkName('name', given.name);
        if (!name.ok) return name;
        // So that of many at once no more are made than there is room for.
        if (!(await holdAccount(database, connection, accountId))) return refused('NO_ACCOUNT');
        const personId = isShared ? null : sender;
        if (!(await isRoom(connection, accountId, personId))) return refused('TOO_MANY_VIEWS');
        const row = await connection
          .insertInto('savedViews')
          .values({
            ...{ accountId, personId, name: name.value, page, query },
            ...{ createdAtMs: clock.now(), ...describeActor(actor) },
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        const view = toSavedView(row);
        const change = { accountId, object: view.viewId, after: noted(view) };
        await noteChange(database, connection, { action: 'VIEW_CREATED', ...change });
        return accept(view);
      }),

    change: ({ accountId, viewId }, { isShared, ...changes }) =>
      inTransaction(kysely, async (connection) => {
        if (!(await holdAccount(database, connection, accountId))) return refused('NO_ACCOUNT');
        const found = selectViews(connection, accountId).where('id', '=', viewId);
        const row = await found.executeTakeFirst();
        if (!row) return refused('NO_VIEW');
        const before = toSavedView(row);
        const { name: wanted, page, query } = { ...before, ...changes };
        const name = checkName('name', wanted);
        if (!name.ok) return name;
        const owner = isShared === false ? (row.personId ?? sender) : null;
        const personId = isShared === undefined ? row.personId : owner;
        const isElsewhere = personId !== row.personId;
        if (isElsewhere && !(await isRoom(connection, accountId, personId))) {
          return refused('TOO_MANY_VIEWS');
        }
        const changed = { name: name.value, page, query, personId };
        const update = connection.updateTable('savedViews').set(changed);
        await update.where('id', '=', viewId).execute();
        const view = toSavedView({ ...row, ...changed });
        const states = { before: noted(before), after: noted(view) };
        const change = { accountId, object: viewId, ...states };
        await noteChange(database, connection, { action: 'VIEW_CHANGED', ...change });
        return accept(view);
      }),

    delete: ({ accountId, viewId }) =>
      inTransaction(kysely, async (connection) => {
        const deleted = await deleteSavedViews(database, connection, { accountId, viewId });
        return deleted === 0 ? refused('NO_VIEW') : accept(undefined);
      }),
  };
}

interface Deleted {
  readonly accountId: number;
  readonly viewId?: number;
  /** Their own alone. */
  readonly personId?: number;
}

/** One, those of a person, or all of an account; within a transaction. */
export async function deleteSavedViews(
  database: Database,
  connection: Connection,
  { accountId, viewId, personId }: Deleted,
): Promise<number> {
  let query = connection.deleteFrom('savedViews').where('accountId', '=', accountId);
  if (viewId !== undefined) query = query.where('id', '=', viewId);
  if (personId !== undefined) query = query.where('personId', '=', personId);
  const rows = await query.returningAll().execute();
  for (const row of rows) {
    const change = { accountId, object: row.id, before: noted(toSavedView(row)) };
    await noteChange(database, connection, { action: 'VIEW_DELETED', ...change });
  }
  return rows.length;
}

/** For one more of a person, or of the account. */
async function isRoom(
  connection: Connection,
  accountId: number,
  personId: number | null,
): Promise<boolean> {
  const { count } = await connection
    .selectFrom('savedViews')
    .select((builder) => builder.fn.countAll<number>().as('count'))
    .where('accountId', '=', accountId)
    .where('personId', personId === null ? 'is' : '=', personId)
    .executeTakeFirstOrThrow();
  return count < mostSavedViews;
}

function selectViews(connection: Connection, accountId: number) {
  return connection.selectFrom('savedViews').selectAll().where('accountId', '=', accountId);
}

type ViewRow = Awaited<ReturnType<ReturnType<typeof selectViews>['execute']>>[number];

function toSavedView({ id, personId, createdAtMs, actor, actorName, ...row }: ViewRow): SavedView {
  return {
    ...{ viewId: id, ...row, personId: personId ?? undefined },
    ...{ createdAt: new Date(createdAtMs), createdBy: actor, createdByName: actorName },
  };
}

/** What the audit says of it. */
function noted({ name, page, query, personId }: SavedView): object {
  return { name, page, query, isShared: personId === undefined };
}
