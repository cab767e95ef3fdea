/** One viewer's attempt at one video: numbers its stretches, and begins anew with a new source. */
import type { Beacon } from './beacon.ts';
import type { Stretch } from './stretch-meter.ts';
import { createViewId } from './view-id.ts';

/** Gives the beacon of a stretch; the same object for the same stretch. */
export function createView(
  media: HTMLMediaElement,
  videoKey: string,
  firstView: string | undefined,
): (stretch: Stretch) => Beacon {
  let view = firstView ?? createViewId();
  let source: string;
  let told: Stretch | undefined;
  let next = 0;
  let beacon: Beacon;

  return (stretch) => {
    if (stretch !== told) {
      told = stretch;
      // A player that attaches its media anew, as after an error, makes a new name for the same.
      const current = media.currentSrc.replace(/^blob:.*/, '');
      if (next > 0 && current !== source) {
        view = createViewId();
        next = 0;
      }
      source = current;
      beacon = { view, stretch: next, at: stretch.startedAtMs, playMs: 0, videoKey };
      next += 1;
    }
    beacon.playMs = stretch.playMs;
    return beacon;
  };
}
