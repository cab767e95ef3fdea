import { accept, type Result } from '../../lib/result.ts';
import { labelForm } from '../../wire/management/labels.ts';
import { findAccount } from '../access/accounts.ts';
import type { KnownLabel, Label, LabelName, Labels } from '../audience.ts';
import { noteChange } from '../audit/change-entry.ts';
import { createWatchedCache } from '../database/change-watch.ts';
import type { Connection } from '../database/connection.ts';
import type { Database } from '../database/database.ts';
import { holdAccount, lockRows } from '../database/row-locks.ts';
import { type CatalogRefusal, countLimits, refused, refusedField } from '../refusal.ts';

const cachedAccountLimit = 10_000;

export function createLabels(database: Database): Labels {
  const { kysely, watch } = database;
  const cache = createWatchedCache<number, ReadonlyMap<string, KnownLabel>>(
    watch,
    cachedAccountLimit,
  );
  const selectDeclared = (accountId: number) =>
    selectLabels(kysely, accountId).where('deletedAtMs', 'is', null).orderBy('number').execute();
  return {
    async list(accountId) {
      return (await selectDeclared(accountId)).map(toLabel);
    },

    async known(accountId) {
      const generation = await cache.refresh();
      const cached = cache.get(accountId);
      if (cached) return cached;
      const rows = await selectDeclared(accountId);
      const known = new Map(
        rows.map(({ id, name, number, isUsed }) => [
          name,
          { labelId: id, number, isUsed: isUsed === 1 },
        ]),
      );
      cache.set(generation, accountId, known);
      return known;
    },

    async markUsed(labelIds) {
      await watch.write(async (connection) => {
        await connection
          .updateTable('labels')
          .set({ isUsed: 1 })
          .where('id', 'in', labelIds)
          .execute();
        return accept(undefined);
      });
    },

    ...createLabelChanges(database),
  };
}

function createLabelChanges(database: Database): Pick<Labels, 'create' | 'rename' | 'delete'> {
  const { clock, watch } = database;
  return {
    create: (accountId, name) =>
      watch.write(async (connection) => {
        const checked = checkForm(name);
        if (!checked.ok) return checked;
        if (!(await findAccount(connection, accountId))) return refused('NO_ACCOUNT');
        const all = await holdLabels(database, connection, accountId);
        const former = all.find((one) => one.name === name);
        if (former?.deletedAtMs === null) return refused('LABEL_NAME_USED');
        const label = former
          ? await revive(connection, former)
          : await declare(connection, { accountId, name, createdAtMs: clock.now() }, all);
        if (!label) return refused('TOO_MANY_LABELS');
        const change = { accountId, object: label.labelId, after: { name } };
        await noteChange(database, connection, { action: 'LABEL_CREATED', ...change });
        return accept(label);
      }),

    rename: (of, name) =>
      watch.write(async (connection) => {
        const checked = checkForm(name);
        if (!checked.ok) return checked;
        const all = await holdLabels(database, connection, of.accountId);
        const before = all.find((one) => isMeant(one, of));
        if (!before) return refused('NO_LABEL');
        if (all.some((one) => one.name === name && one.id !== before.id)) {
          return refused('LABEL_NAME_USED');
        }
        await connection.updateTable('labels').set({ name }).where('id', '=', before.id).execute();
        await noteChange(database, connection, {
          ...{ accountId: of.accountId, action: 'LABEL_CHANGED', object: before.id },
          ...{ before: { name: before.name }, after: { name } },
        });
        return accept(toLabel({ ...before, name }));
      }),

    delete: (of) =>
      watch.write(async (connection) => {
        const all = await holdLabels(database, connection, of.accountId);
        const before = all.find((one) => isMeant(one, of));
        if (!before) return refused('NO_LABEL');
        // Its column is not given to another name if there may be values in it.
        if (before.isUsed === 1) {
          await connection
            .updateTable('labels')
            .set({ deletedAtMs: clock.now() })
            .where('id', '=', before.id)
            .execute();
        } else await connection.deleteFrom('labels').where('id', '=', before.id).execute();
        await noteChange(database, connection, {
          ...{ accountId: of.accountId, action: 'LABEL_DELETED', object: before.id },
          before: { name: before.name },
        });
        return accept(undefined);
      }),
  };
}

function checkForm(name: string): Result<string, CatalogRefusal> {
  if (labelForm.test(name)) return accept(name);
  return refusedField('name', 'must be a letter, then at most 31 letters, digits, - and _');
}

function selectLabels(connection: Connection, accountId: number) {
  return connection.selectFrom('labels').selectAll().where('accountId', '=', accountId);
}

type LabelRow = Awaited<ReturnType<ReturnType<typeof selectLabels>['execute']>>[number];

/** All of the account, deleted ones too; nobody else changes them until the transaction ends. */
async function holdLabels(
  database: Database,
  connection: Connection,
  accountId: number,
): Promise<LabelRow[]> {
  await holdAccount(database, connection, accountId);
  return lockRows(database, selectLabels(connection, accountId));
}

function isMeant(row: LabelRow, { labelId }: LabelName): boolean {
  return row.id === labelId && row.deletedAtMs === null;
}

/** Under its number of before, so with its values. */
async function revive(connection: Connection, row: LabelRow): Promise<Label> {
  await connection
    .updateTable('labels')
    .set({ deletedAtMs: null })
    .where('id', '=', row.id)
    .execute();
  return toLabel(row);
}

async function declare(
  connection: Connection,
  label: Pick<LabelRow, 'accountId' | 'name' | 'createdAtMs'>,
  all: readonly LabelRow[],
): Promise<Label | undefined> {
  const taken = new Set(all.map(({ number }) => number));
  const number = Array.from({ length: countLimits.labels }, (_, index) => index + 1).find(
    (one) => !taken.has(one),
  );
  if (number === undefined) return undefined;
  const row = await connection
    .insertInto('labels')
    .values({ ...label, number, isUsed: 0, deletedAtMs: null })
    .returningAll()
    .executeTakeFirstOrThrow();
  return toLabel(row);
}

function toLabel({ id, accountId, number, name, createdAtMs }: LabelRow): Label {
  return { labelId: id, accountId, number, name, declaredAt: new Date(createdAtMs) };
}
