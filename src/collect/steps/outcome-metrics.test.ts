import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { suspectReasonCodes } from '../../vocabulary/suspects.ts';
import { refusalReasons } from '../../wire/beacons/beacon.ts';
import { type CollectLedger, createCollectLedger } from './outcome-metrics.ts';

/** What each metric says after this, by the name between `playmeter_beacons_` and `_total`. */
async function counted(note: (ledger: CollectLedger) => void) {
  const metrics = new Registry();
  note(createCollectLedger(metrics));
  const all = await metrics.getMetricsAsJSON();
  return Object.fromEntries(
    all.map(({ name, values }) => [
      name.replace(/^playmeter_beacons_(.*)_total$/, '$1'),
      Object.fromEntries(values.map(({ labels, value }) => [labels.reason ?? '', value])),
    ]),
  );
}

const zeros = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 0]));
const nothing = {
  ...{ received: { '': 0 }, counted: { '': 0 }, erased: { '': 0 }, unavailable: { '': 0 } },
  set_apart: zeros(suspectReasonCodes),
  refused: zeros(Object.keys(refusalReasons)),
};

test('each reason is there before anything is counted', async () => {
  expect(await counted(() => {})).toEqual(nothing);
});

test('each beacon is counted by what became of it', async () => {
  const reason = 'LENGTH';
  const found = await counted((ledger) => {
    ledger.received(9);
    const kept = ['COUNTED', `SUSPECT_${reason}`, 'COUNTED', 'ERASED', 'COUNTED'] as const;
    kept.forEach(ledger.kept);
    ledger.refused('BOT');
    ledger.unavailable(3);
  });
  expect(found).toEqual({
    ...{ received: { '': 9 }, counted: { '': 3 }, erased: { '': 1 }, unavailable: { '': 3 } },
    set_apart: { ...nothing.set_apart, [reason]: 1 },
    refused: { ...nothing.refused, BOT: 1 },
  });
});
