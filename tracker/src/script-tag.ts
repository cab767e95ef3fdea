/**
 * The classic script, which finds the videos of a page by itself:
 *   <script async src="https://media.example.org/play.js" data-video-key="..."></script>
 * README.md describes its attributes.
 */
import { closest } from './closest.ts';
import { createMediaFinder } from './media-finder.ts';
import { startTracking, type Tracking, type TrackOptions } from './track.ts';
import { warn } from './warn.ts';

type Tracked = readonly [videoKey: string, tracking: Tracking];

try {
  const { currentScript, scripts } = document;
  // A module, and what a tag manager evaluates, is none: then the first tag with our attributes, or
  // else the one that the code was loaded from.
  const { dataset, src } = (currentScript ||
    document.querySelector('script[data-video-key],script[data-url]') ||
    [...scripts].find(
      (one) => one.src && (new Error().stack as string).includes(one.src),
    )) as HTMLScriptElement;
  const selector = dataset.for;
  const url = dataset.url || new URL('.', src);
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
    if (before && before[0] === videoKey) {
      // It may be held from now on, or no longer.
      before[1].resume();
    } else if (videoKey) {
      for (const [other, [, tracking]] of tracked) {
        // Only now: an element that is moved is out of the page for a moment.
        if (other === media || !other.isConnected) {
          tracked.delete(other);
          tracking.stop();
        }
      }
      // Without a selector this script takes only what nobody else on the page tracks.
      tracked.set(media, [videoKey, startTracking(media, options, !selector)]);
    }
  });

  look();
  const notice = () => {
    look();
    if (!tracked.size) warn('found no <video>: set data-video-key');
  };
  setTimeout(notice, 10_000);
} catch {
  // There is no tag, or it has no address.
  warn('found no script: set data-url');
}
