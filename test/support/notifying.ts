/** A second node beside a test service, whose rounds of judging and delivering a test runs. */
import { pino } from 'pino';
import { deliverDue } from '../../src/alerts/delivery/delivery-job.ts';
import { judgeRules } from '../../src/alerts/evaluation/rule-evaluation.ts';
import { createSenders } from '../../src/app/parts/alert-senders.ts';
import { createQueryParts } from '../../src/app/parts/query-parts.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import type { TestService } from './service.ts';

/** Of each service that the rounds are beside, by its environment. */
export const secret = 'a secret of the service, for its tests';

export interface Rounds {
  /** Sums what was collected, judges all rules, and delivers what is due. */
  run(): Promise<void>;
  /** The same without summing, as while the store lags. */
  judge(): Promise<void>;
}

export function roundsBeside(service: TestService, now: () => number): Rounds {
  const { catalog, facts, config } = service;
  const clock = { ...systemClock, now };
  const logger = pino({ level: 'silent' });
  const answering = createQueryParts({ facts, catalog, secret }, { config, clock });
  const senders = createSenders(config, { secret, clock });
  const judge = async (): Promise<void> => {
    await judgeRules({ ...answering, catalog, facts, clock, logger });
    await deliverDue({ catalog, senders, clock, logger, attempted: () => {} });
  };
  return {
    judge,
    async run() {
      await facts.rollUp();
      await judge();
    },
  };
}
