import { Fault } from '../wire/faults.ts';
import type { Connection } from './database.ts';

/** Of what is listed whole, without pages; deleted ones and revoked keys count too. */
export const countLimits = { folders: 10_000, packages: 10_000, apiKeys: 1_000 } as const;

const names = { folders: 'folders', packages: 'packages', apiKeys: 'API keys' } as const;

export async function checkCount(
  connection: Connection,
  table: keyof typeof countLimits,
  accountId: number,
): Promise<void> {
  const { count } = await connection
    .selectFrom(table)
    .select((builder) => builder.fn.countAll<number>().as('count'))
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow();
  if (count < countLimits[table]) return;
  throw new Fault('CONFLICT', `An account has at most ${countLimits[table]} ${names[table]}`);
}
