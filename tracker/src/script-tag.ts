/**
 * The classic script:
 *   <script async src="https://stats.example.org/tracker.js" data-video-key="..."></script>
 * `data-for` is a CSS selector of the element (default: the page's first video or audio),
 * `data-url` another server than the one that the script came from.
 */
import { guard } from './guard.ts';
import { type Tracking, track } from './track.ts';

guard(() => {
  const script = document.currentScript as HTMLScriptElement;
  const { videoKey = '', for: selector = 'video,audio', url } = script.dataset;
  const options = { videoKey, url: url ?? new URL('.', script.src).href };
  let tracked: Element | undefined;
  let tracking: Tracking | undefined;

  const look = guard(() => {
    const element = document.querySelector(selector);
    if (!element || element === tracked) return;
    tracked = element;
    tracking?.stop();
    tracking = track(element as HTMLMediaElement, options);
  });

  look();
  // Elements come and go later than the script. Media events do not bubble, but can be captured.
  document.addEventListener('play', look, true);
})();
