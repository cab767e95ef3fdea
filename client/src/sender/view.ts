/** A view of a player that says how it stands: what it played, and waited for, becomes beacons. */
import { type Beacon, beginBeacon, type StretchNumbers, type ViewDescription } from './beacon.ts';
import { createPlaybackMeter } from './playback-meter.ts';
import type { Sender } from './sender.ts';

export interface ViewOptions extends ViewDescription {
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
  /**
   * It should play and does not: the start was asked for, it stalls or seeks. Waits are reported
   * where this is told, then at every look.
   */
  readonly waiting?: boolean;
  /** It waits because the viewer has jumped. */
  readonly seeking?: boolean;
  /** Short code of a fatal error, for as long as it is in the way. */
  readonly error?: string | undefined;
  /** Bits per second of what is rendered. */
  readonly bitrate?: number | undefined;
  /** Shown and dropped so far, since the media was loaded: both or none. */
  readonly frames?: number | undefined;
  readonly droppedFrames?: number | undefined;
  /** Host that the media comes from. */
  readonly mediaHost?: string | undefined;
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
  { numbers = {}, heartbeatMs = 10_000, ...view }: ViewOptions,
): View {
  const counts = { stretch: 0, wait: 0 };
  const { clock } = sender;
  let host: string | undefined;
  const meter = createPlaybackMeter(sender, heartbeatMs, (report) => {
    const beacon = report as Beacon;
    if (!beacon.view) {
      if (!beginBeacon(report, view, counts, () => numbers)) return;
      beacon.mediaHost = host;
    }
    return beacon;
  });

  return {
    look(state, leaving) {
      const { playing, waiting, seeking, positionSeconds, rate = 1, live = false } = state;
      const { error, bitrate, frames, droppedFrames, mediaHost } = state;
      host = mediaHost;
      const sight = {
        ...{ monotonicMs: clock.monotonicMs(), dateMs: clock.dateMs(), loopSeconds: 0 },
        ...{ mediaSeconds: positionSeconds, rate, hasEnd: !live, playing: playing && rate !== 0 },
        wanted: waiting === undefined ? undefined : waiting || playing || error !== undefined,
        ...{ sought: seeking, dry: waiting, error, bitrate, frames, droppedFrames },
      };
      meter.look(sight, false, leaving);
    },
  };
}
