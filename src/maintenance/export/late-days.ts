/** Marks the days of which anything changed since the last look: they are exported again. */
import { type Catalog, type ExportDay, type ExportState, everyDay } from '../../catalog/catalog.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { dayMs } from '../../lib/time/utc-day.ts';
import { daysTouchedSince } from '../../query/export/fact-table.ts';
import type { FactReader } from '../../store/facts.ts';

/** Notes of what came in are kept for three days: after a longer pause all days are marked. */
const notesReachMs = 2 * dayMs;
/** By which the clocks of nodes may differ. */
const skewMs = 10_000;

export interface LateDaysParts {
  readonly catalog: Pick<Catalog, 'accounts' | 'exports' | 'erasures' | 'verdicts'>;
  readonly facts: FactReader & { readonly upkeep: { readonly settlesWithinMs: number } };
  readonly clock: Clock;
  /** Where exports go, and in which format. */
  readonly target: string;
}

/** For the holder of the lease, who passes the state as it is. */
export async function findLateDays(
  { catalog, facts, clock, target }: LateDaysParts,
  state: ExportState,
  holder: string,
): Promise<void> {
  const lookedAtMs = clock.now();
  const isSame = state.target === target;
  const sinceMs = isSame ? state.notedThroughMs : 0;
  // What was on its way at the last look may have been seen by none.
  const fromMs = Math.max(0, sinceMs - facts.upkeep.settlesWithinMs);
  const { storeNowMs, days } = await daysTouchedSince(facts, fromMs);
  const isAll = storeNowMs - sinceMs > notesReachMs;
  const changed: ExportDay[] = [...days];
  for (const { accountId } of await catalog.accounts.list()) {
    const isChanged = isAll || (await hasDecided(catalog, accountId, state.lookedAtMs - skewMs));
    if (isChanged) changed.push({ accountId, day: everyDay });
  }
  await catalog.exports.markDue(changed);
  await catalog.exports.note(holder, { target, lookedAtMs, notedThroughMs: storeNowMs });
}

/** Whether any playback was erased, accepted or refused since. Old facts leave their files. */
async function hasDecided(
  { erasures, verdicts }: LateDaysParts['catalog'],
  accountId: number,
  sinceMs: number,
): Promise<boolean> {
  const decided = (await verdicts.list(accountId)).map(({ at }) => at);
  const erased = (await erasures.list(accountId))
    .filter(({ kind }) => kind !== 'facts')
    .map(({ endedAt }) => endedAt);
  return [...decided, ...erased].some((at) => at !== undefined && at.getTime() >= sinceMs);
}
