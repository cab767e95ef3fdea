/** Measures how a player plays and waits, and hands to the sender what there is to report. */
import type { Beacon, Report } from './beacon.ts';
import type { Sender } from './sender.ts';
import { createStretchMeter, type Sight } from './stretch-meter.ts';
import { createWaitMeter } from './wait-meter.ts';

export interface PlaybackMeter {
  /** `cut` ends the stretch here. `leaving`: there may be no later, so all is reported at once. */
  look(sight: Sight, cut?: boolean, leaving?: boolean): void;
}

/** `beaconOf` makes a report the beacon that carries it; undefined if none is to be sent. */
export function createPlaybackMeter(
  sender: Sender,
  heartbeatMs: number,
  beaconOf: (report: Report) => Beacon | undefined,
): PlaybackMeter {
  let hasNews: boolean | undefined;
  const report = (news: Report) => {
    const beacon = beaconOf(news);
    if (beacon) {
      sender.put(beacon);
      // A wait that is over leaves with the stretch that it led to.
      if (beacon.outcome !== 'played') hasNews = true;
    }
  };
  const stretches = createStretchMeter(heartbeatMs, report);
  const waits = createWaitMeter(heartbeatMs, report);

  return {
    look(sight, cut, leaving) {
      hasNews = leaving;
      waits.look(sight, stretches.look(sight, cut, leaving), leaving);
      if (hasNews) sender.flush(leaving);
    },
  };
}
