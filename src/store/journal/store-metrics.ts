import { Counter, Histogram, type Registry } from 'prom-client';
import type { FailureKind } from '../client/store-failure.ts';

/** The metrics of the facts, for operators. */
export interface FactMetrics {
  journalDamaged(): void;
  /** Acknowledged facts that the store refuses because of a bug of ours; their file stays. */
  journalRefused(facts: number): void;
  statementDone(statement: string, seconds: number): void;
  statementFailed(statement: string, kind: FailureKind): void;
  rolledUp(seconds: number): void;
  rollUpFailed(): void;
}

export function createFactMetrics(metrics: Registry): FactMetrics {
  const registers = [metrics];
  const journalDamaged = new Counter({
    name: 'playmeter_journal_damaged_total',
    help: 'Journal files found damaged, from which acknowledged facts may be missing',
    registers,
  });
  const journalRefused = new Counter({
    name: 'playmeter_journal_refused_facts_total',
    help: 'Acknowledged facts that the store refuses; their files stay for the next start',
    registers,
  });
  const statementDone = new Histogram({
    name: 'playmeter_store_statement_seconds',
    help: 'Time that each statement to the statistics store took, by name',
    labelNames: ['statement'],
    buckets: [0.01, 0.1, 1, 10],
    registers,
  });
  const statementFailed = new Counter({
    name: 'playmeter_store_statement_failures_total',
    help: 'Statements that the statistics store did not run, by name and kind of failure',
    labelNames: ['statement', 'kind'],
    registers,
  });
  const rolledUp = new Histogram({
    name: 'playmeter_roll_up_seconds',
    help: 'Time that each roll-up took: summing what was touched since the last',
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
    registers,
  });
  const rollUpFailed = new Counter({
    name: 'playmeter_roll_up_failures_total',
    help: 'Roll-ups that failed and were tried again',
    registers,
  });
  return {
    journalDamaged: () => journalDamaged.inc(),
    journalRefused: (facts) => journalRefused.inc(facts),
    rolledUp: (seconds) => rolledUp.observe(seconds),
    rollUpFailed: () => rollUpFailed.inc(),
    statementDone: (statement, seconds) => statementDone.observe({ statement }, seconds),
    statementFailed: (statement, kind) => statementFailed.inc({ statement, kind }),
  };
}
