/**
 * The classic script, which finds the videos of a page by itself:
 *   <script async src="https://stats.example.org/tracker.js" data-video-key="..."></script>
 * README.md describes its attributes.
 */
import { guard } from './guard.ts';
import { createMediaFinder } from './media-finder.ts';
import { startTracking } from './track.ts';

const noticeMs = 10_000;

interface Tracked {
  readonly videoKey: string;
  readonly stop: () => void;
}

guard(() => {
  const script = document.currentScript as HTMLScriptElement;
  const selector = script.dataset.for;
  const url = script.dataset.url || new URL('.', script.src).href;
  const tracked = new Map<HTMLMediaElement, Tracked>();

  const look = createMediaFinder((media) => {
    if (selector && !closest(media, selector)) return;
    const { videoKey, token } = (closest(media, '[data-video-key]') || script).dataset;
    const before = tracked.get(media);
    if (!videoKey || (before && before.videoKey === videoKey)) return;
    for (const [other, { stop }] of tracked) {
      // Only now: an element that is moved is out of the page for a moment.
      if (other === media || !other.isConnected) {
        tracked.delete(other);
        stop();
      }
    }
    // Without a selector this script takes only what nobody else on the page tracks.
    tracked.set(media, {
      videoKey,
      stop: startTracking(media, { url, videoKey, token }, !selector),
    });
  });

  look();
  setTimeout(() => {
    look();
    if (!tracked.size) console.info('playmeter: found no video');
  }, noticeMs);
})();

/** The nearest element that matches: this one or one around it, out of shadow roots too. */
function closest(start: Element, selector: string): HTMLElement | undefined {
  for (let element = start; element; element = (element.getRootNode() as ShadowRoot).host) {
    const match = element.closest<HTMLElement>(selector);
    if (match) return match;
  }
  return undefined;
}
