import type { Connection } from '../database/connection.ts';
import { countLimits } from '../refusal.ts';

/** Whether an account, which the caller holds, has room for one more row in a table. */
export async function hasRoom(
  connection: Connection,
  table: keyof typeof countLimits,
  accountId: number,
): Promise<boolean> {
  const { count } = await connection
    .selectFrom(table)
    .select((builder) => builder.fn.countAll<number>().as('count'))
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow();
  return count < countLimits[table];
}
