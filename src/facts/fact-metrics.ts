import { Counter, type Registry } from 'prom-client';
import type { FailureKind } from './store-failure.ts';

/** The metrics of the facts, for operators. */
export interface FactMetrics {
  journalDamaged(): void;
  /** Acknowledged facts that the store refuses because of a bug of ours; their file stays. */
  journalRefused(facts: number): void;
  statementFailed(statement: string, kind: FailureKind): void;
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
  const statementFailed = new Counter({
    name: 'playmeter_store_statement_failures_total',
    help: 'Statements that the statistics store did not run, by name and kind of failure',
    labelNames: ['statement', 'kind'],
    registers,
  });
  return {
    journalDamaged: () => journalDamaged.inc(),
    journalRefused: (facts) => journalRefused.inc(facts),
    statementFailed: (statement, kind) => statementFailed.inc({ statement, kind }),
  };
}
