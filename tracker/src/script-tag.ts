/**
 * The classic script, which finds the videos of a page by itself:
 *   <script async src="https://stats.example.org/tracker.js" data-video-key="..."></script>
 * README.md describes its attributes.
 */
import { closest } from './closest.ts';
import { createMediaFinder } from './media-finder.ts';
import { startTracking, type Tracking, type TrackOptions } from './track.ts';
import { warn } from './warn.ts';

type Tracked = readonly [videoKey: string, tracking: Tracking];

const noticeMs = 10_000;

/**
 * As a module, or evaluated by a tag manager, it is no `currentScript`. Then these are the tags at
 * our address, or with our attributes.
 */
const ownTags = 'script[src*="/tracker."],script[data-video-key],script[data-url]';

try {
  const { currentScript } = document;
  const [first, ...others] = currentScript
    ? [currentScript as HTMLScriptElement]
    : document.querySelectorAll<HTMLScriptElement>(ownTags);
  start(first as HTMLScriptElement);
  others.forEach(start);
} catch {
  // There is none, or it has no address.
  warn('needs a script with data-url');
}

function start({ dataset, src }: HTMLScriptElement): void {
  const selector = dataset.for;
  const url = dataset.url || new URL('.', src).href;
  const tracked = new Map<HTMLMediaElement, Tracked>();

  const look = createMediaFinder((media) => {
    if (selector && !closest(media, selector)) return;
    const own = (closest(media, '[data-video-key]') || { dataset }).dataset;
    // Frameworks write a data-view of their own.
    const options = {
      ...dataset,
      ...own,
      url,
      token: own.token,
      view: '',
    } as unknown as TrackOptions;
    const { videoKey } = options;
    const before = tracked.get(media);
    if (before && (!videoKey || before[0] === videoKey)) {
      // It may be held from now on, or no longer.
      before[1].resume();
    } else if (videoKey) {
      take(media, options);
    }
  });

  function take(media: HTMLMediaElement, options: TrackOptions) {
    for (const [other, [, tracking]] of tracked) {
      // Only now: an element that is moved is out of the page for a moment.
      if (other === media || !other.isConnected) {
        tracked.delete(other);
        tracking.stop();
      }
    }
    // Without a selector this script takes only what nobody else on the page tracks.
    tracked.set(media, [options.videoKey, startTracking(media, options, !selector)]);
  }

  look();
  setTimeout(() => {
    look();
    if (!tracked.size) warn('found no <video>; it or the script needs a data-video-key');
  }, noticeMs);
}
