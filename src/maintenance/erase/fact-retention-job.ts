/** Erases the facts of accounts that are older than they keep them, and sums if they say so. */

import type { Account, Catalog } from '../../catalog/catalog.ts';
import type { Logger } from '../../lib/logger.ts';
import { repeat } from '../../lib/tasks/repeated-work.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { dayMs, toUtcDay } from '../../lib/time/utc-day.ts';
import { findKeptSince } from '../../vocabulary/erasures.ts';
import type { Eraser } from './eraser.ts';

const everyMs = 3_600_000;
/** After a start: whoever set an account up wrongly has time to notice. */
const firstMs = 600_000;

interface RetentionJobOptions {
  readonly eraser: Pick<Eraser, 'count' | 'record'>;
  readonly catalog: Catalog;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The first UTC day whose facts are kept: of whole months, so that it moves once a month. */
export function firstDayKept(nowMs: number, factsMonths: number): string {
  const now = new Date(nowMs);
  const first = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - factsMonths, 1);
  return toUtcDay(Math.max(0, first));
}

/** Records what is to be erased of one account; whether there was anything. */
export async function eraseOldFacts(
  { eraser, catalog, clock }: Omit<RetentionJobOptions, 'logger'>,
  { accountId, factsMonths, keepsSums }: Account,
): Promise<boolean> {
  const before = firstDayKept(clock.now(), factsMonths);
  const { erasures } = await catalog.verdicts.current();
  const [keptSince, beforeMs] = [findKeptSince(erasures, accountId), Date.parse(before)];
  if (keepsSums && keptSince >= beforeMs) return false;
  const request = { accountId, before, keepSums: keepsSums };
  // Kept until the account changed its mind; a zone's day begins within a day of this one.
  const hasOldSums = !keepsSums && keptSince > 0 && keptSince <= beforeMs - dayMs;
  if (!hasOldSums && (await eraser.count(catalog, request)).facts === 0) return false;
  await eraser.record(catalog, request);
  return true;
}

/** Looks ten minutes after the start and then every hour, until the returned function is called. */
export function keepFactsForMonths({ logger, ...parts }: RetentionJobOptions): () => void {
  const round = async (signal: AbortSignal): Promise<void> => {
    for (const account of await parts.catalog.accounts.list()) {
      if (signal.aborted) return;
      await eraseOldFacts(parts, account);
    }
  };
  const failure = 'old facts are not erased yet';
  const { clock } = parts;
  return repeat(round, { firstPauseMs: firstMs, pauseMs: everyMs, failure, clock, logger });
}
