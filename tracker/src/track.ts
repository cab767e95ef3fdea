/** Joins the parts on one media element: events -> sights -> stretches -> beacons -> server. */
import { createDelivery } from './delivery.ts';
import type { ViewOptions } from './describe-view.ts';
import { guard } from './guard.ts';
import { createSight } from './sight.ts';
import { createStretchMeter } from './stretch-meter.ts';
import { createView } from './view.ts';

export interface TrackOptions extends ViewOptions {
  /** Where the Playmeter server is, e.g. `https://stats.example.org`. */
  readonly url: string;
  /** How often a view that plays on is reported; default: 10,000. */
  readonly heartbeatMs?: number;
}

export interface Tracking {
  /** Reports what was played so far, and removes every listener. */
  stop(): void;
}

/** Tracks a video or audio element. Called again on the same element, it begins another view. */
export function track(media: HTMLMediaElement, options: TrackOptions): Tracking {
  let stop = () => {};
  guard(() => {
    stop = startTracking(media, options, false);
  })();
  return { stop: guard(() => stop()) };
}

/** `yields` leaves an element alone that is tracked already. Gives what stops the tracking. */
export function startTracking(
  media: HTMLMediaElement,
  options: TrackOptions,
  yields: boolean,
): () => void {
  const { url, heartbeatMs = 10_000 } = options;
  // Only an event reaches another copy of the tracker on the page. Whoever yields can be refused.
  const takeOver = `playmeter:${url}`;
  if (!media.dispatchEvent(new Event(takeOver, { cancelable: yields }))) return () => {};

  const delivery = createDelivery(url);
  const sight = createSight(media);
  const view = createView(options);
  const meter = createStretchMeter(heartbeatMs, (stretch) => {
    delivery.put(view.beaconOf(stretch));
    delivery.flush(false);
  });

  function look(type: string, due?: boolean) {
    view.look(media);
    // At these events the element still looks as if it were playing.
    meter.look(sight(type), /waiting|emptied/.test(type), due);
  }

  const onEvent = guard((event: Event) => {
    const { type } = event;
    if (type === takeOver) {
      if (event.cancelable) event.preventDefault();
      else stop();
    } else if (type === 'online') {
      delivery.online();
    } else {
      // The page may not return; back from the browser's cache, it cannot count on the requests
      // that it left under way.
      const isDue = /pagehide|visibility/.test(type) || (event as PageTransitionEvent).persisted;
      look(type, isDue);
      if (isDue) delivery.flush(true);
    }
  });

  function listen(method: 'addEventListener' | 'removeEventListener') {
    const mediaEvents = 'playing timeupdate pause waiting seeking ended ratechange emptied';
    const pageEvents = 'pagehide pageshow online visibilitychange';
    for (const type of `${mediaEvents} ${takeOver}`.split(' ')) media[method](type, onEvent);
    for (const type of pageEvents.split(' ')) window[method](type, onEvent, true);
  }

  let isStopped = false;
  function stop() {
    // Once more, as when another tracking has taken over, it would measure the other one's time.
    if (isStopped) return;
    isStopped = true;
    listen('removeEventListener');
    look('emptied');
    delivery.flush(true);
  }

  listen('addEventListener');
  look('');
  return stop;
}
