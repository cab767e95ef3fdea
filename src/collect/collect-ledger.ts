import { Counter, type Registry } from 'prom-client';
import { type RefusalReason, refusalReasons } from '../wire/beacon.ts';
import { suspectReasonCodes } from '../wire/suspects.ts';
import type { KeptCode } from './outcome-of-facts.ts';

/**
 * Counts every beacon that this process has received, in the metrics: received = counted + erased +
 * set apart and refused, each by reason, + unavailable. For counts by account and day see
 * account-ledger.ts.
 */
export interface CollectLedger {
  received(beacons: number): void;
  /** The outcomes of beacons that were acknowledged after they were durable. */
  kept(codes: readonly KeptCode[]): void;
  refused(reason: RefusalReason): void;
  /** Answered with 503: not acknowledged, so the sender keeps them and sends them again. */
  unavailable(beacons: number): void;
}

export function createCollectLedger(metrics: Registry): CollectLedger {
  const registers = [metrics];
  const received = new Counter({
    name: 'playmeter_beacons_received_total',
    help: 'Beacons received: the sum of those counted, erased, set apart, refused and unavailable',
    registers,
  });
  const counted = new Counter({
    name: 'playmeter_beacons_counted_total',
    help: 'Beacons counted: acknowledged after they were durable',
    registers,
  });
  const setApart = new Counter({
    name: 'playmeter_beacons_set_apart_total',
    help: 'Beacons acknowledged after they were durable, but set apart as unusual, by reason',
    labelNames: ['reason'],
    registers,
  });
  const erased = new Counter({
    name: 'playmeter_beacons_erased_total',
    help: 'Beacons acknowledged and left out, because their playback was erased before',
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
  for (const reason of suspectReasonCodes) setApart.inc({ reason }, 0);
  return {
    received: (beacons) => received.inc(beacons),
    kept(codes) {
      const others = codes.filter((code) => code !== 'COUNTED');
      for (const code of others) {
        if (code === 'ERASED') erased.inc();
        else setApart.inc({ reason: code.slice('SUSPECT_'.length) });
      }
      counted.inc(codes.length - others.length);
    },
    refused: (reason) => refused.inc({ reason }),
    unavailable: (beacons) => unavailable.inc(beacons),
  };
}
