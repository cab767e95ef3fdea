/** Joins the parts on one media element: events -> sights -> stretches -> beacons -> server. */
import { createDelivery } from './delivery.ts';
import { guard } from './guard.ts';
import { createSight } from './sight.ts';
import { createStretchMeter } from './stretch-meter.ts';
import { createView } from './view.ts';

export interface TrackOptions {
  /** Where the Playmeter server is, e.g. `https://stats.example.org`. */
  readonly url: string;
  readonly videoKey: string;
  /** An identity of this view of the page's own, at most 64 characters; a UUID where left out. */
  readonly view?: string;
  /** How often playing on is told. */
  readonly heartbeatMs?: number;
}

export interface Tracking {
  /** Tells what was played so far, and takes every listener away. */
  stop(): void;
}

const mediaEvents =
  'playing timeupdate pause waiting seeking seeked ended ratechange emptied'.split(' ');

/** Events that end a stretch although the element still looks as if it were playing. */
const interruptions = ['waiting', 'emptied'];

/** Tracks a video or audio element. Once more on the same element, it takes over from before. */
export function track(media: HTMLMediaElement, options: TrackOptions): Tracking {
  let stop = () => {};
  guard(() => {
    stop = startTracking(media, options);
  })();
  return { stop: guard(() => stop()) };
}

function startTracking(media: HTMLMediaElement, options: TrackOptions): () => void {
  const { url, videoKey, view, heartbeatMs = 10_000 } = options;
  // Between copies of the tracker on one page, too, only an event reaches the one before.
  const takeOver = `playmeter ${url}`;
  media.dispatchEvent(new Event(takeOver));

  const delivery = createDelivery(url);
  const sight = createSight(media);
  const beaconOf = createView(media, videoKey, view);
  const meter = createStretchMeter(heartbeatMs, (stretch) => {
    delivery.put(beaconOf(stretch));
    delivery.flush();
  });

  const onMedia = guard(({ type }: Event) => meter.look(sight(), interruptions.includes(type)));
  const onLeaving = guard(({ type }: Event) => {
    if (type !== 'pagehide' && document.visibilityState === 'visible') return;
    meter.look(sight(), type === 'pagehide', true);
    delivery.flush(true);
  });
  // A page back from the browser's cache cannot count on the requests it left under way.
  const onReturn = guard((event: Event) => {
    if ((event as PageTransitionEvent).persisted) delivery.flush(true);
  });
  const onOnline = guard(() => delivery.online());

  const listeners: [EventTarget, string, (event: Event) => void][] = [
    ...mediaEvents.map((type): [EventTarget, string, typeof onMedia] => [media, type, onMedia]),
    [media, takeOver, stop],
    [document, 'visibilitychange', onLeaving],
    [window, 'pagehide', onLeaving],
    [window, 'pageshow', onReturn],
    [window, 'online', onOnline],
  ];

  function stop() {
    for (const [target, type, listener] of listeners) target.removeEventListener(type, listener);
    meter.look(sight(), true);
    delivery.flush(true);
  }

  for (const [target, type, listener] of listeners) target.addEventListener(type, listener);
  meter.look(sight());
  return stop;
}
