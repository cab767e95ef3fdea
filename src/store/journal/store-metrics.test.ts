import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { createFactMetrics } from './store-metrics.ts';

test('each is counted under its name, and how long roll-ups take in portions', async () => {
  const registry = new Registry();
  const metrics = createFactMetrics(registry);
  metrics.journalDamaged();
  metrics.journalRefused(5);
  metrics.statementDone('read ledger', 0.05);
  metrics.statementDone('read ledger', 0.5);
  metrics.statementFailed('read ledger', 'outage');
  metrics.statementFailed('read ledger', 'outage');
  metrics.rollUpFailed();
  metrics.rolledUp(0.3);
  metrics.rolledUp(70);
  const lines = (await registry.metrics()).split('\n').filter((line) => /^[^#]/.test(line));
  const buckets = [
    ...['0.01', '0.025', '0.05', '0.1', '0.25'].map((most) => [most, 0]),
    ...['0.5', '1', '2.5', '10', '60'].map((most) => [most, 1]),
    ['+Inf', 2],
  ];
  const ofStatement = 'playmeter_store_statement_seconds';
  expect(lines).toEqual([
    'playmeter_journal_damaged_total 1',
    'playmeter_journal_refused_facts_total 5',
    ...[
      ['0.01', 0],
      ['0.1', 1],
      ['1', 2],
      ['10', 2],
      ['+Inf', 2],
    ].map(
      ([most, count]) => `${ofStatement}_bucket{le="${most}",statement="read ledger"} ${count}`,
    ),
    `${ofStatement}_sum{statement="read ledger"} 0.55`,
    `${ofStatement}_count{statement="read ledger"} 2`,
    'playmeter_store_statement_failures_total{statement="read ledger",kind="outage"} 2',
    ...buckets.map(([most, count]) => `playmeter_roll_up_seconds_bucket{le="${most}"} ${count}`),
    'playmeter_roll_up_seconds_sum 70.3',
    'playmeter_roll_up_seconds_count 2',
    'playmeter_roll_up_failures_total 1',
  ]);
});
