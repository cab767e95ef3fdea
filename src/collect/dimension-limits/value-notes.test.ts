import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { openColumns } from '../../store/facts.ts';
import type { Outcome } from '../account-ledger.ts';
import { createValueNotes } from './value-notes.ts';

test('new values are told by account and hour, and in the metrics by dimension', async () => {
  const clock = manualClock(Date.UTC(2026, 10, 20, 7, 59));
  const noted: Outcome[] = [];
  const accountLedger = { note: (outcomes: readonly Outcome[]) => void noted.push(...outcomes) };
  const metrics = new Registry();
  const note = createValueNotes({ accountLedger, clock, metrics });
  const seen = async () => {
    const [counter] = await metrics.getMetricsAsJSON();
    return counter?.values.map(({ labels, value }) => [labels.dimension, labels.outcome, value]);
  };
  expect(await seen()).toHaveLength(2 * openColumns.length);
  note([
    { accountId: 1, column: 'page', isOther: false },
    { accountId: 2, column: 'label1', isOther: true },
  ]);
  clock.advance(60_000);
  note([{ accountId: 2, column: 'label1', isOther: true }]);
  expect(noted).toEqual([
    { accountId: 1, code: 'NEW_page' },
    { accountId: 2, code: 'OTHER_label1_07' },
    { accountId: 2, code: 'OTHER_label1_08' },
  ]);
  expect((await seen())?.filter(([, , value]) => value !== 0)).toEqual([
    ['page', 'named', 1],
    ['label1', 'other', 2],
  ]);
});
