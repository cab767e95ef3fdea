/** A view of a player that says how it stands: what it played becomes beacons. */
import { type Beacon, beginBeacon, type StretchNumbers, type ViewDescription } from './beacon.ts';
import type { Sender } from './sender.ts';
import { createStretchMeter } from './stretch-meter.ts';

export interface ViewOptions extends Omit<ViewDescription, 'stretch'> {
  /** Where the view may come again, after the program was ended or in another sender. */
  readonly numbers?: StretchNumbers;
  /** How often a view that plays on is reported; default: 10,000. */
  readonly heartbeatMs?: number;
}

/** How a player stands. */
export interface PlayerState {
  /** Neither paused, nor stalled, nor seeking, nor ended, nor showing an advertisement. */
  readonly playing: boolean;
  /** How far into the media; at a seek, how far it had come. */
  readonly positionSeconds: number;
  /** 1, the default, is the media's own pace. */
  readonly rate?: number;
  /** A live stream has no positions. */
  readonly live?: boolean;
}

export interface View {
  /**
   * Call it at every event of the player, and while it plays several times a second. `leaving`: in
   * the background the program may be ended, so all is reported at once.
   */
  look(state: PlayerState, leaving?: boolean): void;
}

export function createView(
  sender: Sender,
  { numbers, heartbeatMs = 10_000, ...about }: ViewOptions,
): View {
  const view = { ...about, stretch: 0 };
  const { clock } = sender;
  const meter = createStretchMeter(heartbeatMs, (stretch) => {
    const beacon = stretch as Beacon;
    if (!beacon.view) beginBeacon(stretch, view, numbers && (() => numbers));
    sender.put(beacon);
    sender.flush(false);
  });

  return {
    look({ playing, positionSeconds, rate = 1, live = false }, leaving = false) {
      const sight = {
        ...{ monotonicMs: clock.monotonicMs(), dateMs: clock.dateMs(), loopSeconds: 0 },
        ...{ mediaSeconds: positionSeconds, rate, hasEnd: !live, playing: playing && rate !== 0 },
      };
      meter.look(sight, false, leaving);
      if (leaving) sender.flush(true);
    },
  };
}
