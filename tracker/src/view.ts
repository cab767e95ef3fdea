/** One viewer's attempt at one film: numbers its stretches. Another film begins another view. */
import type { Beacon } from './beacon.ts';
import type { Stretch } from './stretch-meter.ts';
import { createViewId } from './view-id.ts';

export interface View {
  /** Before each look of the meter. */
  look(media: Pick<HTMLMediaElement, 'readyState' | 'duration'>): void;
  /** The beacon of a stretch, in a film of this length: the same object for the same stretch. */
  beaconOf(stretch: Stretch, lengthSeconds: number): Beacon;
}

interface ViewOptions {
  readonly videoKey: string;
  readonly view?: string | undefined;
  readonly token?: string | undefined;
}

/** By how much the lengths of two encodings of one film may differ. */
const encodingSeconds = 1;

export function createView({ videoKey, token, view: firstView }: ViewOptions): View {
  let view = firstView || createViewId();
  let next = 0;
  let current: Stretch | undefined;
  let beacon: Beacon;
  /** Infinity for a live stream, NaN for an unknown length. */
  let lengthSeconds: number;
  /** Nothing of what the element has now was played yet. */
  let fresh = true;

  return {
    look({ readyState, duration }) {
      if (!readyState) fresh = true;
      // A live stream may grow. What counts is how long it was when another load began.
      else if (!fresh) lengthSeconds = duration;
    },
    beaconOf(stretch, newSeconds) {
      if (stretch !== current) {
        current = stretch;
        // TRICKY: decided no sooner than something was played, since players may correct the length
        // until then. The address says nothing: another quality, a renewed signature or a player
        // that recovers from an error changes it, and two films may both be a `blob:`.
        // Two live streams differ by NaN, which is not more.
        if (fresh && Math.abs(newSeconds - lengthSeconds) > encodingSeconds) {
          view = createViewId();
          next = 0;
        }
        fresh = false;
        lengthSeconds = newSeconds;
        beacon = { view, stretch: next, at: stretch.startedAtMs, playMs: 0, videoKey, token };
        next += 1;
      }
      beacon.playMs = stretch.playMs;
      return beacon;
    },
  };
}
