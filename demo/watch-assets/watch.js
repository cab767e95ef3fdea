/** Plays the video that the address names, and reports it as any page does. */
import { track } from '../play.mjs';

const base = new URL('../', import.meta.url);
const [, videoKey = ''] = /\/watch\/([^/]+)$/.exec(decodeURIComponent(location.pathname)) ?? [];
const video = /** @type {HTMLVideoElement} */ (document.querySelector('video'));

/** @param {boolean} isMissing */
function show(isMissing) {
  for (const part of document.querySelectorAll('video, #counted'))
    part.toggleAttribute('hidden', isMissing);
  document.querySelector('#missing')?.toggleAttribute('hidden', !isMissing);
}

if (videoKey === '') show(true);
else {
  track(video, { url: base.href, videoKey, heartbeatMs: 1_000 });
  video.addEventListener('error', () => show(true));
  video.src = new URL(`content/${encodeURIComponent(videoKey)}`, base).href;
}
