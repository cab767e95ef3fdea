import type { Playmeter } from './preload';

declare const playmeter: Playmeter;

const video = document.querySelector('video') as HTMLVideoElement;
let positionSeconds = 0;

function look({ type }: Event): void {
  const { paused, ended, seeking, currentTime, playbackRate } = video;
  // Once seeking, currentTime is where it goes to, and not how far it had come.
  if (!seeking) positionSeconds = currentTime;
  const playing = !(paused || ended || seeking || type === 'waiting');
  playmeter.look({ playing, positionSeconds, rate: playbackRate }, type === 'visibilitychange');
}

playmeter.load('VIDEO_KEY');
const events = 'playing timeupdate pause waiting seeking ended ratechange';
for (const type of events.split(' ')) video.addEventListener(type, look);
document.addEventListener('visibilitychange', look);
