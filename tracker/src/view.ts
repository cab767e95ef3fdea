/** One viewer's attempt at one film: numbers its stretches. Another film begins another view. */
import type { Beacon } from './beacon.ts';
import { describeView, type ViewDescription, type ViewOptions } from './describe-view.ts';
import { guard } from './guard.ts';
import type { Stretch } from './stretch-meter.ts';
import { createViewId } from './view-id.ts';

export interface View {
  /** Before each look of the meter. */
  look(media: Pick<HTMLMediaElement, 'readyState' | 'duration'>): void;
  /** Makes the stretch the beacon that reports it. */
  beaconOf(stretch: Stretch): Beacon;
}

export function createView(options: ViewOptions): View {
  /** By how much the lengths of two encodings of one film may differ. */
  const encodingSeconds = 1;
  let { view } = options;
  /** By which this view may come again: tracked anew on this page, or after a reload. */
  let name = view;
  /** No two stretches of such a view have one number: the tab keeps the next one. */
  const goOn = guard((next: ViewDescription) => {
    const key = `playmeter ${next.videoKey} ${name}`;
    next.stretch = Math.max(next.stretch, +sessionStorage[key] || 0);
    sessionStorage[key] = next.stretch + 1;
  });
  let description: ViewDescription | undefined;
  /** Of the film of this view, and of what the element has now; Infinity for a live stream. */
  let lengthSeconds: number;
  let newSeconds: number;
  /** Nothing of what the element has now was played yet. */
  let fresh = true;

  return {
    look({ readyState, duration }) {
      newSeconds = duration;
      if (!readyState) fresh = true;
      // A live stream may grow. What counts is how long it was when another load began.
      else if (!fresh) lengthSeconds = duration;
    },
    beaconOf(stretch) {
      const beacon = stretch as Beacon;
      if (!beacon.view) {
        // TRICKY: decided no sooner than something was played, since players may correct the length
        // until then. The URL says nothing: another quality, a renewed signature or a player
        // that recovers from an error changes it, and two films may both be a `blob:`.
        // Two live streams differ by NaN, which is not more.
        if (!description || (fresh && Math.abs(newSeconds - lengthSeconds) > encodingSeconds)) {
          // Once a view: a page may change its URL while the film plays on.
          if (description) name = '';
          description = describeView(options, view || createViewId());
          view = '';
        }
        fresh = false;
        lengthSeconds = newSeconds;
        if (name) goOn(description);
        Object.assign(beacon, description);
        description.stretch += 1;
      }
      return beacon;
    },
  };
}
