/**
 * The page's own measurement, against which the tracker's is held: looks fifty times a second how
 * far the media came. Rougher than the tracker, but of another make.
 */
export function measure(media) {
  let advancedMs = 0;
  let last = media.currentTime;
  media.addEventListener('seeking', () => {
    if (!media.loop) last = media.currentTime;
  });
  function look() {
    // Nothing is there yet: currentTime is where it is to begin.
    if (media.readyState === 0) return;
    let step = media.currentTime - last;
    last = media.currentTime;
    // No page here seeks in a loop: it came round.
    if (media.loop && step < 0) step += media.duration;
    if ((!media.seeking || media.loop) && step > 0) {
      advancedMs += (step * 1000) / media.playbackRate;
    }
  }
  setInterval(look, 20);
  return () => {
    // On a busy machine the last look may be long ago.
    look();
    return advancedMs;
  };
}

/** For how long the element said that it plays, also where the media stood still all the same. */
export function measureSaid(media) {
  let saidMs = 0;
  let last = performance.now();
  setInterval(() => {
    const now = performance.now();
    if (!media.paused && !media.seeking && media.readyState > 2) saidMs += now - last;
    last = now;
  }, 20);
  return () => saidMs;
}
