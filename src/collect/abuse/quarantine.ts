/** Suspects with what is decided about them; and verdicts, which the sums follow. */
import type { Catalog, CatalogRefusal, Decision, Verdict } from '../../catalog/catalog.ts';
import type { Logger } from '../../lib/logger.ts';
import { type Result, refuse } from '../../lib/result.ts';
import { repeat } from '../../lib/tasks/repeated-work.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { dayMs } from '../../lib/time/utc-day.ts';
import type { Suspects as StoredSuspects, SuspectSums } from '../../store/facts.ts';
import { readSuspectId, type Suspect, type SuspectName } from '../../vocabulary/suspects.ts';

const settleEveryMs = 5_000;

type WithVerdicts = Pick<Catalog, 'verdicts'>;

export interface KnownSuspect extends Suspect, SuspectSums {
  readonly decision: Decision | undefined;
}

export interface SuspectDays {
  readonly accountId: number;
  /** UTC, yyyy-mm-dd. */
  readonly firstDay: string;
  readonly lastDay: string;
}

export interface Suspects {
  /** Those with playback in these days; the most playback time first. */
  list(catalog: WithVerdicts, days: SuspectDays): Promise<KnownSuspect[]>;
  /** Resolves when the statistics follow the verdict. May be repeated. */
  decide(
    catalog: WithVerdicts,
    name: SuspectName,
    verdict: Verdict,
  ): Promise<Result<Decision, CatalogRefusal>>;
  /** Lets the sums follow what was decided by processes that died before they did. */
  settle(catalog: WithVerdicts): Promise<void>;
}

export function createSuspects(stored: StoredSuspects): Suspects {
  const follow = async ({ verdicts }: WithVerdicts, decisions: readonly Decision[]) => {
    for (const decision of decisions) await stored.sumAgain(decision);
    await verdicts.noteSummed(decisions);
  };
  return {
    async list({ verdicts }, { accountId, firstDay, lastDay }) {
      const fromMs = Date.parse(firstDay);
      const found = await stored.list({ accountId, fromMs, untilMs: Date.parse(lastDay) + dayMs });
      const decisions = found.length === 0 ? [] : await verdicts.list(accountId);
      const bySuspect = new Map(decisions.map((decision) => [decision.suspect, decision]));
      return found.flatMap((sums) => {
        const id = readSuspectId(sums.suspect);
        return id ? [{ ...sums, ...id, decision: bySuspect.get(sums.suspect) }] : [];
      });
    },

    async decide(catalog, name, verdict) {
      if (!(await stored.has(name))) return refuse({ code: 'NO_SUSPECT' });
      const decided = await catalog.verdicts.decide(name, verdict);
      if (decided.ok) await follow(catalog, [decided.value]);
      return decided;
    },

    async settle(catalog) {
      const decisions = await catalog.verdicts.unsummed();
      if (decisions.length > 0) await follow(catalog, decisions);
    },
  };
}

interface Settling extends WithVerdicts {
  readonly suspects: Pick<Suspects, 'settle'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Settles at once and every few seconds, until the returned function is called. */
export function keepSettled({ suspects, clock, logger, ...catalog }: Settling): () => void {
  const failure = 'sums do not follow the verdicts yet, trying again';
  return repeat(() => suspects.settle(catalog), { pauseMs: settleEveryMs, failure, clock, logger });
}

/** What verbs about suspects need: the stores, beside a running service or alone. */
export interface QuarantineReview {
  readonly catalog: Catalog;
  readonly suspects: Suspects;
  close(): Promise<void>;
}
