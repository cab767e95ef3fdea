import { Counter, type Registry } from 'prom-client';
import { assert } from '../../lib/assert.ts';
import type { Fact } from '../../store/facts.ts';
import {
  readSuspectId,
  type SuspectReason,
  suspectReasonCodes,
} from '../../vocabulary/suspects.ts';
import { type RefusalReason, refusalReasons } from '../../wire/beacons/beacon.ts';

/**
 * Counts every beacon that this process has received, in the metrics: received = counted + erased +
 * set apart and refused, each by reason, + unavailable. For counts by account and day see
 * account-ledger.ts.
 */
export interface CollectLedger {
  received(beacons: number): void;
  /** The outcome of a beacon that was acknowledged after it was durable. */
  kept(code: KeptCode): void;
  refused(reason: RefusalReason): void;
  /** Answered with 503: not acknowledged, so the sender keeps them and sends them again. */
  unavailable(beacons: number): void;
}

export function createCollectLedger(metrics: Registry): CollectLedger {
  const registers = [metrics];
  const countReceived = addQuickCounter(metrics, {
    name: 'playmeter_beacons_received_total',
    help: 'Beacons received: the sum of those counted, erased, set apart, refused and unavailable',
  });
  const count = addQuickCounter(metrics, {
    name: 'playmeter_beacons_counted_total',
    help: 'Beacons counted: acknowledged after they were durable',
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
    received: countReceived,
    kept(code) {
      if (code === 'COUNTED') count(1);
      else if (code === 'ERASED') erased.inc();
      else setApart.inc({ reason: code.slice('SUSPECT_'.length) });
    },
    refused: (reason) => refused.inc({ reason }),
    unavailable: (beacons) => unavailable.inc(beacons),
  };
}

/** For what happens ten thousand times a second: adding to a counter takes longer than a number. */
function addQuickCounter(
  metrics: Registry,
  about: { readonly name: string; readonly help: string },
) {
  let total = 0;
  new Counter({
    ...about,
    registers: [metrics],
    collect() {
      this.reset();
      this.inc(total);
    },
  });
  return (more: number): void => {
    total += more;
  };
}

/** The outcome of an accepted beacon: counted, or all or some of it set apart, or left out. */
export type KeptCode = 'COUNTED' | 'ERASED' | `SUSPECT_${SuspectReason}`;

export function outcomeOfFacts(facts: readonly Pick<Fact, 'suspect'>[]): KeptCode {
  const apart = facts.find(({ suspect }) => suspect !== '');
  if (!apart) return 'COUNTED';
  const suspect = readSuspectId(apart.suspect);
  assert(suspect, 'a fact that is set apart names its suspect');
  return `SUSPECT_${suspect.reason}`;
}
