/** Joins the parts on one media element: events -> sights -> stretches and waits -> beacons -> server. */

import { guard } from '../../client/src/sender/guard.ts';
import { createPlaybackMeter } from '../../client/src/sender/playback-meter.ts';
import { closest } from './closest.ts';
import { createDelivery } from './delivery.ts';
import type { ViewOptions } from './describe-view.ts';
import { createSight } from './sight.ts';
import { createView, type ViewedFilm } from './view.ts';
import { warn } from './warn.ts';

export interface TrackOptions extends ViewOptions {
  /** Where the Playmeter server is, e.g. `https://media.example.org`. */
  readonly url: string;
  /** How often a view that plays on is reported; default: 10,000. */
  readonly heartbeatMs?: number;
  /** Shows each report in the console. */
  readonly debug?: boolean | undefined;
}

export interface Tracking {
  /** Counts nothing from now on, as while an advertisement plays; the view does not end. */
  hold(): void;
  /** Counts again. */
  resume(): void;
  /** Reports what was played so far, and removes every listener. */
  stop(): void;
}

/**
 * Tracks a video or audio element, in place of what tracked it before. A film that was viewed in
 * the element before, with these options, goes on in its view.
 */
export function track(media: HTMLMediaElement, options: TrackOptions): Tracking {
  return startTracking(media, options, false);
}

/** `yields` leaves an element alone that is tracked already. */
export function startTracking(
  media: HTMLMediaElement,
  options: TrackOptions,
  yields: boolean,
): Tracking {
  try {
    if (!options.videoKey) throw 'no videoKey';
    // A server that is written in two ways is one.
    const url = new URL(options.url || '/', document.baseURI).href.replace(/\/+$/, '');
    // Only an event reaches another copy of the tracker on the page. Whoever yields can be refused.
    const takeOver = `playmeter:${url}`;
    if (media.dispatchEvent(new Event(takeOver, { cancelable: yields }))) {
      return measure(media, options, url, takeOver);
    }
  } catch (error) {
    warn(`track(video, { url, videoKey }): ${error}`);
  }
  return { hold() {}, resume() {}, stop() {} };
}

/** A page has one of them: what tracks an element later finds the films of what did before. */
const viewedIn = new WeakMap<HTMLMediaElement, ViewedFilm[]>();

function measure(
  media: HTMLMediaElement,
  options: TrackOptions,
  url: string,
  takeOver: string,
): Tracking {
  const { heartbeatMs = 10_000, debug } = options;
  const delivery = createDelivery(url);
  const sight = createSight(media);
  const viewed = viewedIn.get(media) || [];
  viewedIn.set(media, viewed);
  const view = createView(options, viewed);
  const meter = createPlaybackMeter(delivery, heartbeatMs, (report) => {
    const beacon = view.beaconOf(report);
    // As an attribute it is empty.
    if (beacon && (debug || (debug as unknown) === ''))
      console.log('playmeter:', JSON.stringify(beacon));
    return beacon;
  });
  let isHeld: boolean;
  let isStopped: boolean;

  function look(type: string, leaving?: boolean) {
    // When another tracking has taken over, it would measure the other one's time.
    if (isStopped) return;
    view.look(media);
    const seen = sight(type);
    if (isHeld || closest(media, '[data-hold]')) seen.playing = seen.wanted = false;
    // At these events the element still looks as if it were playing; where a loop comes round, it
    // waits for no more than a moment.
    meter.look(seen, /waiting|emptied/.test(type) && !(media.seeking && seen.playing), leaving);
  }

  const setHeld = (held: boolean) =>
    guard(() => {
      isHeld = held;
      look('');
    });

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
    }
  });

  function listen(method: 'addEventListener' | 'removeEventListener') {
    const mediaEvents =
      'playing timeupdate pause waiting seeking ended ratechange emptied ' +
      'loadstart play canplaythrough progress error playmeter';
    const pageEvents = 'pagehide pageshow online visibilitychange';
    for (const type of `${mediaEvents} ${takeOver}`.split(' ')) media[method](type, onEvent);
    for (const type of pageEvents.split(' ')) window[method](type, onEvent, true);
  }

  function stop() {
    listen('removeEventListener');
    look('emptied', true);
    isStopped = true;
  }

  listen('addEventListener');
  look('');
  return { hold: setHeld(true), resume: setHeld(false), stop: guard(stop) };
}
