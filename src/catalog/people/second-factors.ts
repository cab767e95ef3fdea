import { accept } from '../../lib/result.ts';
import { inTransaction } from '../database/connection.ts';
import type { Database } from '../database/database.ts';
import { lockRows } from '../database/row-locks.ts';
import type { People } from '../people.ts';
import { refused } from '../refusal.ts';
import { noteOfPerson } from './person-row.ts';

type SecondFactors = Pick<
  People,
  | 'prepareSecondFactor'
  | 'preparedSecondFactor'
  | 'confirmSecondFactor'
  | 'removeSecondFactor'
  | 'useSecondFactor'
  | 'useRecoveryCode'
  | 'countRecoveryCodes'
>;

export function createSecondFactors(database: Database): SecondFactors {
  const { kysely, watch } = database;

  return {
    prepareSecondFactor: (personId, sealedSecondFactor) =>
      watch.write(async (connection) => {
        const { numUpdatedRows } = await connection
          .updateTable('people')
          .set({ sealedSecondFactor, secondFactorStep: 0 })
          .where('id', '=', personId)
          .where('hasSecondFactor', '=', 0)
          .executeTakeFirstOrThrow();
        if (numUpdatedRows === 0n) return refused('HAS_SECOND_FACTOR');
        const change = { action: 'SECOND_FACTOR_STARTED', after: { isConfirmed: false } } as const;
        await noteOfPerson(database, connection, personId, change);
        return accept(undefined);
      }),

    async preparedSecondFactor(personId) {
      const row = await kysely
        .selectFrom('people')
        .select('sealedSecondFactor')
        .where('id', '=', personId)
        .where('hasSecondFactor', '=', 0)
        .executeTakeFirst();
      return row?.sealedSecondFactor ?? undefined;
    },

    confirmSecondFactor: ({ personId, step }, codeHashes) =>
      watch.write(async (connection) => {
        const { numUpdatedRows } = await connection
          .updateTable('people')
          .set({ hasSecondFactor: 1, secondFactorStep: step })
          .where('id', '=', personId)
          .where('hasSecondFactor', '=', 0)
          .where('sealedSecondFactor', 'is not', null)
          .executeTakeFirstOrThrow();
        if (numUpdatedRows === 0n) return refused('HAS_SECOND_FACTOR');
        await connection.deleteFrom('recoveryCodes').where('personId', '=', personId).execute();
        await connection
          .insertInto('recoveryCodes')
          .values(codeHashes.map((codeHash) => ({ personId, codeHash })))
          .execute();
        const change = { action: 'SECOND_FACTOR_ADDED', after: { isOn: true } } as const;
        await noteOfPerson(database, connection, personId, change);
        return accept(undefined);
      }),

    removeSecondFactor: (personId) =>
      watch.write(async (connection) => {
        const people = connection.selectFrom('people').select('id').where('id', '=', personId);
        const [row] = await lockRows(database, people);
        if (!row) return refused('NO_PERSON');
        await connection
          .updateTable('people')
          .set({ hasSecondFactor: 0, sealedSecondFactor: null, secondFactorStep: 0 })
          .where('id', '=', personId)
          .execute();
        await connection.deleteFrom('recoveryCodes').where('personId', '=', personId).execute();
        await noteOfPerson(database, connection, personId, {
          ...{ action: 'SECOND_FACTOR_REMOVED', before: { isOn: true } },
          isOfService: database.actor.kind === 'COMMAND_LINE',
        });
        return accept(undefined);
      }),

    async useSecondFactor({ personId, step }) {
      const { numUpdatedRows } = await kysely
        .updateTable('people')
        .set({ secondFactorStep: step })
        .where('id', '=', personId)
        .where('secondFactorStep', '<', step)
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    },

    useRecoveryCode: (personId, codeHash) =>
      inTransaction(kysely, async (connection) => {
        const { numDeletedRows } = await connection
          .deleteFrom('recoveryCodes')
          .where('personId', '=', personId)
          .where('codeHash', '=', codeHash)
          .executeTakeFirstOrThrow();
        if (numDeletedRows === 0n) return false;
        const change = { action: 'RECOVERY_CODE_USED', after: { isUsed: true } } as const;
        await noteOfPerson(database, connection, personId, change);
        return true;
      }),

    async countRecoveryCodes(personId) {
      const { count } = await kysely
        .selectFrom('recoveryCodes')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('personId', '=', personId)
        .executeTakeFirstOrThrow();
      return Number(count);
    },
  };
}
