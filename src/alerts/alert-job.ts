/** Judges rules and delivers their messages, again and again. */
import type { Registry } from 'prom-client';
import { Counter } from 'prom-client';
import { repeat } from '../lib/tasks/repeated-work.ts';
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
  const { clock, logger } = parts;
  const delivering = { ...parts, attempted: countAttempts(parts.metrics) };
  const pace = { failure: 'alerts and reports wait, trying again', clock, logger };
  const judge = (signal: AbortSignal) => judgeRules(parts, signal);
  const deliver = (signal: AbortSignal) => deliverDue(delivering, signal);
  const stops = [
    repeat(judge, { pauseMs: judgeEveryMs, ...pace }),
    repeat(deliver, { pauseMs: deliverEveryMs, ...pace }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
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
