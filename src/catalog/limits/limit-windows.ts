import { sql } from 'kysely';
import type { TakenPoints, WantedPoints } from '../../lib/limits/shared-limiter.ts';
import type { Database } from '../database/database.ts';
import { answerInTime } from '../database/statement-deadline.ts';

/** One place for all nodes, by the database's clock. */
export interface LimitWindows {
  /**
   * Takes as many points as are left. `subject` names limit and subject in at most 44 characters,
   * and must not reveal an address. Rejects with UNAVAILABLE within a second.
   */
  take(wanted: Omit<WantedPoints, 'limit'>): Promise<TakenPoints>;
  /** Deletes a portion of the windows that have ended; resolves to how many, 0 at the end. */
  purge(): Promise<number>;
}

const windowMs = 60_000;
/** Requests wait for it, and can do without. */
const limitAnswersWithinMs = 1_000;
const portionRows = 10_000;

/** By the database: the clocks of nodes may differ. Whole, as `numeric` is not. */
const nowMs = sql<number>`floor(extract(epoch from now()) * 1000)::bigint`;
/**
 * One that ends much later than any could was begun before the database's clock was set back. A
 * little later: by a statement that began after this one, which had to wait for the row.
 */
const isOpen = sql<boolean>`(held.until_ms > ${nowMs}
  and held.until_ms <= ${nowMs} + ${sql.lit(2 * windowMs)})`;
const msBeforeNext = sql<number>`least(until_ms - ${nowMs}, ${sql.lit(windowMs)})`;

/** For PostgreSQL alone; a catalog in SQLite belongs to one node. */
export function createLimitWindows({ kysely, clock }: Database): LimitWindows {
  const look = async (subject: string): Promise<TakenPoints> => {
    const { rows } = await sql<TakenPoints>`
      select 0 as granted, taken, ${msBeforeNext} as ms_before_next
      from limit_windows as held where subject = ${subject} and ${isOpen}`.execute(kysely);
    return rows[0] ?? { granted: 0, taken: 0, msBeforeNext: windowMs };
  };
  const take: LimitWindows['take'] = async ({ subject, points, pool }) => {
    const [wanted, most] = [sql`${points}::bigint`, sql`${pool}::bigint`];
    const left = sql`least(${wanted}, greatest(0, ${most} - held.taken))`;
    const { rows } = await sql<TakenPoints>`
      insert into limit_windows as held (subject, until_ms, granted, taken)
      values (${subject}, ${nowMs} + ${sql.lit(windowMs)},
        least(${wanted}, ${most}), least(${wanted}, ${most}))
      on conflict (subject) do update set
        until_ms = case when ${isOpen} then held.until_ms else excluded.until_ms end,
        granted = case when ${isOpen} then ${left} else excluded.granted end,
        taken = case when ${isOpen} then held.taken + ${left} else excluded.taken end
      returning granted, taken, ${msBeforeNext} as ms_before_next`.execute(kysely);
    return rows[0] as TakenPoints;
  };
  return {
    take(wanted) {
      const answer = wanted.points === 0 ? look(wanted.subject) : take(wanted);
      return answerInTime(clock, limitAnswersWithinMs, answer);
    },
    async purge() {
      const { numAffectedRows } = await sql`
        delete from limit_windows where subject in (
          select subject from limit_windows as held where not ${isOpen}
          limit ${sql.lit(portionRows)} for update skip locked)`.execute(kysely);
      return Number(numAffectedRows);
    },
  };
}
