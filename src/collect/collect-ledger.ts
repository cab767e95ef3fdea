import { Counter, type Registry } from 'prom-client';
import { type RefusalReason, refusalReasons } from '../wire/beacon.ts';

/**
 * Accounts for every beacon this process has received, in the metrics: received = counted + refused
 * for each reason + unavailable. By account and day see account-ledger.ts.
 */
export interface CollectLedger {
  received(beacons: number): void;
  counted(beacons: number): void;
  refused(reason: RefusalReason): void;
  /** Answered with 503: nothing was promised, the sender keeps them and sends them again. */
  unavailable(beacons: number): void;
}

export function createCollectLedger(metrics: Registry): CollectLedger {
  const registers = [metrics];
  const received = new Counter({
    name: 'playmeter_beacons_received_total',
    help: 'Beacons received: the sum of those counted, refused and unavailable',
    registers,
  });
  const counted = new Counter({
    name: 'playmeter_beacons_counted_total',
    help: 'Beacons acknowledged after they were durable',
    registers,
  });
  const refused = new Counter({
    name: 'playmeter_beacons_refused_total',
    help: 'Beacons refused for good, by reason',
    labelNames: ['reason'],
    registers,
  });
  const unavailable = new Counter({
    name: 'playmeter_beacons_unavailable_total',
    help: 'Beacons answered with 503, to be sent again',
    registers,
  });
  for (const reason of Object.keys(refusalReasons)) refused.inc({ reason }, 0);
  return {
    received: (beacons) => received.inc(beacons),
    counted: (beacons) => counted.inc(beacons),
    refused: (reason) => refused.inc({ reason }),
    unavailable: (beacons) => unavailable.inc(beacons),
  };
}
