import { sql } from 'kysely';
import { accept, type Result } from '../../lib/result.ts';
import type { CurrentVerdicts, SuspectName } from '../../vocabulary/suspects.ts';
import { hasRoom } from '../access/count-limit.ts';
import { describeActor, noteChange } from '../audit/change-entry.ts';
import type { Connection } from '../database/connection.ts';
import type { Database } from '../database/database.ts';
import { holdAccount } from '../database/row-locks.ts';
import { readCurrentErasures } from '../erasures/erased-names.ts';
import { type CatalogRefusal, refused } from '../refusal.ts';

/** Accepted: the playback of a suspect counts. Refused: it does not, as without a verdict. */
export type Verdict = 'accepted' | 'refused';

/** What was decided last about a suspect. */
export interface Decision extends SuspectName {
  readonly verdict: Verdict;
  readonly at: Date;
  /** As in the audit. */
  readonly actor: string;
  readonly actorName: string;
  /** How often it was decided anew. */
  readonly decisions: number;
}

export interface Verdicts {
  /** From one consistent read, never outdated. Cheap while nothing changes in the catalog. */
  current(): Promise<CurrentVerdicts>;
  /** All decisions of an account: a bounded list. */
  list(accountId: number): Promise<Decision[]>;
  /** Deciding the same again changes nothing. The sums must follow; see `unsummed`. */
  decide(suspect: SuspectName, verdict: Verdict): Promise<Result<Decision, CatalogRefusal>>;
  /** So that sums made from now on take the place of larger ones: by at least 1. */
  raiseEpoch(accountId: number, by: number): Promise<Result<undefined, CatalogRefusal>>;
  /** Decisions that the sums may not follow yet, of all accounts; the oldest first. */
  unsummed(): Promise<Decision[]>;
  /** Notes that the sums follow these decisions; those decided anew meanwhile stay unsummed. */
  noteSummed(decisions: readonly Decision[]): Promise<void>;
}

const unsummedPerRead = 100;

export function createVerdicts(database: Database): Verdicts {
  const { kysely, clock, watch } = database;
  return {
    current: createCurrent(kysely),

    async list(accountId) {
      const rows = await kysely
        .selectFrom('verdicts')
        .selectAll()
        .where('accountId', '=', accountId)
        .orderBy('suspect')
        .execute();
      return rows.map(toDecision);
    },

    decide: (name, verdict) =>
      watch.write(async (connection) => {
        const { accountId, suspect } = name;
        // Held, so that of two verdicts at once the second sees the first.
        if (!(await holdAccount(database, connection, accountId))) return refused('NO_ACCOUNT');
        const before = await find(connection, name);
        if (before?.verdict === verdict) return accept(toDecision(before));
        if (!before && !(await hasRoom(connection, 'verdicts', accountId))) {
          return refused('TOO_MANY_VERDICTS');
        }
        const row = {
          ...{ accountId, suspect, verdict, atMs: clock.now(), isSummed: 0 as const },
          ...describeActor(database.actor),
          decisions: (before?.decisions ?? 0) + 1,
        };
        await connection
          .insertInto('verdicts')
          .values(row)
          .onConflict((conflict) => conflict.columns(['accountId', 'suspect']).doUpdateSet(row))
          .execute();
        // Sums of a higher epoch take the place of larger ones, and those of a process that does not
        // know the verdict yet never take the place of theirs.
        if (verdict === 'accepted' || before?.verdict === 'accepted')
          await raiseEpoch(connection, accountId, 1);
        await noteChange(database, connection, {
          accountId,
          action: verdict === 'accepted' ? 'SUSPECT_ACCEPTED' : 'SUSPECT_REFUSED',
          object: suspect,
          before: before && { verdict: before.verdict },
          after: { verdict },
        });
        return accept(toDecision(row));
      }),

    raiseEpoch: (accountId, by) =>
      watch.write((connection) => raiseForRepair(database, connection, accountId, by)),

    async unsummed() {
      const rows = await kysely
        .selectFrom('verdicts')
        .selectAll()
        .where('isSummed', '=', 0)
        .orderBy('atMs')
        .limit(unsummedPerRead)
        .execute();
      return rows.map(toDecision);
    },

    noteSummed: (decisions) => noteSummed(kysely, decisions),
  };
}

async function noteSummed(kysely: Connection, decisions: readonly Decision[]): Promise<void> {
  for (const { accountId, suspect, decisions: number } of decisions) {
    await kysely
      .updateTable('verdicts')
      .set({ isSummed: 1 })
      .where((builder) => builder.and({ accountId, suspect, decisions: number }))
      .execute();
  }
}

/**
 * TRICKY: not a watched cache. That may be a second old, and sums made meanwhile by outdated
 * verdicts would stand: the one row that counts changes is read each time.
 */
function createCurrent(kysely: Connection): Verdicts['current'] {
  let known: { readonly count: number; readonly verdicts: CurrentVerdicts } | undefined;
  return async () => {
    let count = await readCount(kysely);
    // What is decided in between is read again: all of it is of one moment.
    while (known?.count !== count) {
      const erasures = await readCurrentErasures(kysely);
      const verdicts = { ...(await readCurrent(kysely)), ...(erasures && { erasures }) };
      known = { count, verdicts };
      count = await readCount(kysely);
    }
    return known.verdicts;
  };
}

async function readCount(kysely: Connection): Promise<number> {
  const { count } = await kysely
    .selectFrom('changeCount')
    .select('count')
    .executeTakeFirstOrThrow();
  return count;
}

/** One statement sees one moment, in both databases. */
async function readCurrent(kysely: Connection): Promise<CurrentVerdicts> {
  const rows = await kysely
    .selectFrom('accounts')
    .leftJoin('verdicts', (join) =>
      join.onRef('verdicts.accountId', '=', 'accounts.id').on('verdict', '=', 'accepted'),
    )
    .select(['accounts.id as accountId', 'verdictEpoch', 'suspect'])
    .where(({ eb, or }) => or([eb('verdictEpoch', '>', 0), eb('suspect', 'is not', null)]))
    .orderBy('accounts.id')
    .orderBy('suspect')
    .execute();
  const epochs = rows.filter(({ verdictEpoch }) => verdictEpoch > 0);
  return {
    accepted: rows.flatMap(({ accountId, suspect }) =>
      suspect === null ? [] : [{ accountId, suspect }],
    ),
    epochs: new Map(epochs.map(({ accountId, verdictEpoch }) => [accountId, verdictEpoch])),
  };
}

async function raiseForRepair(
  database: Database,
  connection: Connection,
  accountId: number,
  by: number,
): ReturnType<Verdicts['raiseEpoch']> {
  if (!(await holdAccount(database, connection, accountId))) return refused('NO_ACCOUNT');
  await raiseEpoch(connection, accountId, by);
  const after = { epochs: by };
  await noteChange(database, connection, { accountId, action: 'SUMS_REPAIRED', after });
  return accept(undefined);
}

async function raiseEpoch(connection: Connection, accountId: number, by: number): Promise<void> {
  await connection
    .updateTable('accounts')
    .set({ verdictEpoch: sql<number>`verdict_epoch + ${by}` })
    .where('id', '=', accountId)
    .execute();
}

function find(connection: Connection, { accountId, suspect }: SuspectName) {
  return connection
    .selectFrom('verdicts')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('suspect', '=', suspect)
    .executeTakeFirst();
}

interface VerdictRow extends Omit<Decision, 'at'> {
  readonly atMs: number;
}

function toDecision({
  accountId,
  suspect,
  verdict,
  atMs,
  actor,
  actorName,
  decisions,
}: VerdictRow) {
  return { accountId, suspect, verdict, at: new Date(atMs), actor, actorName, decisions };
}
