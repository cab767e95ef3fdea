/** Judges rules and delivers their messages, again and again. */
import type { Registry } from 'prom-client';
import { Counter } from 'prom-client';
import type { Logger } from '../lib/logger.ts';
import { type Clock, sleep } from '../lib/time/clock.ts';
import { type DeliverParts, deliverDue } from './delivery/delivery-job.ts';
import { judgeRules, type RuleEvaluationParts } from './evaluation/rule-evaluation.ts';

const judgeEveryMs = 20_000;
const deliverEveryMs = 5_000;

export interface NotifyParts
  extends RuleEvaluationParts,
    Omit<DeliverParts, 'catalog' | 'clock' | 'logger' | 'attempted'> {
  readonly catalog: RuleEvaluationParts['catalog'] & DeliverParts['catalog'];
  readonly metrics: Registry;
}

/** Until the returned function is called. */
export function keepNotifying(parts: NotifyParts): () => void {
  const stopping = new AbortController();
  const { signal } = stopping;
  const { clock, logger } = parts;
  const delivering = { ...parts, attempted: countAttempts(parts.metrics) };
  void again(judgeEveryMs, () => judgeRules(parts, signal), { clock, logger, signal });
  void again(deliverEveryMs, () => deliverDue(delivering, signal), { clock, logger, signal });
  return () => stopping.abort();
}

function countAttempts(metrics: Registry): DeliverParts['attempted'] {
  const attempts = new Counter({
    name: 'playmeter_deliveries_total',
    help: 'Attempts to deliver a message of an alert or a report, by channel and state after it',
    labelNames: ['channel', 'outcome'],
    registers: [metrics],
  });
  return (channel, outcome) => attempts.inc({ channel, outcome });
}

interface Pace {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

async function again(everyMs: number, work: () => Promise<void>, { clock, logger, signal }: Pace) {
  while (!signal.aborted) {
    try {
      await work();
    } catch (error) {
      if (!signal.aborted) logger.warn({ err: error }, 'alerts and reports wait, trying again');
    }
    await sleep(clock, everyMs, signal);
  }
}
