/**
 * Tells the account and the operator of new values, and of those for which their day has no room:
 * in the ledger, by the hour in which they came, and in the metrics.
 */
import { Counter, type Registry } from 'prom-client';
import type { Clock } from '../../lib/time/clock.ts';
import { openColumns } from '../../store/facts.ts';
import type { AccountLedger, Outcome } from '../account-ledger.ts';
import type { NotedValue } from './dimension-limits.ts';

interface ValueNotesOptions {
  readonly accountLedger: Pick<AccountLedger, 'note'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly metrics: Registry;
}

export function createValueNotes({ accountLedger, clock, metrics }: ValueNotesOptions) {
  const counter = new Counter({
    name: 'playmeter_new_values_total',
    help: 'New values of dimensions in beacons: those that took a place of their day, and those counted as Other',
    labelNames: ['dimension', 'outcome'],
    registers: [metrics],
  });
  for (const dimension of openColumns) {
    for (const outcome of ['named', 'other']) counter.inc({ dimension, outcome }, 0);
  }
  return (values: readonly NotedValue[]): void => {
    const hour = new Date(clock.now()).toISOString().slice(11, 13);
    const outcomes = values.map(({ accountId, column, isOther }): Outcome => {
      counter.inc({ dimension: column, outcome: isOther ? 'other' : 'named' });
      return { accountId, code: isOther ? `OTHER_${column}_${hour}` : `NEW_${column}` };
    });
    accountLedger.note(outcomes);
  };
}
