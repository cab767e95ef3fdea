/**
 * The classic script, which finds the videos of a page by itself:
 *   <script async src="https://stats.example.org/tracker.js" data-video-key="..."></script>
 * README.md describes its attributes.
 */
import { guard } from './guard.ts';
import { createMediaFinder } from './media-finder.ts';
import { startTracking, type TrackOptions } from './track.ts';

type Tracked = readonly [videoKey: string, stop: () => void];

guard(() => {
  const noticeMs = 10_000;
  const script = document.currentScript as HTMLScriptElement;
  const { dataset } = script;
  const selector = dataset.for;
  const url = dataset.url || new URL('.', script.src).href;
  const tracked = new Map<HTMLMediaElement, Tracked>();

  const look = createMediaFinder((media) => {
    if (selector && !closest(media, selector)) return;
    const own = closest(media, '[data-video-key]') || script;
    const { token } = own.dataset;
    // Frameworks write a data-view of their own.
    const options = { ...dataset, ...own.dataset, url, token, view: '' } as TrackOptions;
    const { videoKey } = options;
    const before = tracked.get(media);
    if (!videoKey || (before && before[0] === videoKey)) return;
    for (const [other, [, stop]] of tracked) {
      // Only now: an element that is moved is out of the page for a moment.
      if (other === media || !other.isConnected) {
        tracked.delete(other);
        stop();
      }
    }
    // Without a selector this script takes only what nobody else on the page tracks.
    tracked.set(media, [videoKey, startTracking(media, options, !selector)]);
  });

  look();
  setTimeout(() => {
    look();
    if (!tracked.size) console.info('playmeter: found no video');
  }, noticeMs);
})();

/** The nearest element that matches: this one or one around it, out of shadow roots too. */
function closest(element: Element | undefined, selector: string): HTMLElement | undefined {
  return (
    element &&
    (element.closest<HTMLElement>(selector) ||
      closest((element.getRootNode() as ShadowRoot).host, selector))
  );
}
