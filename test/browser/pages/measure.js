/**
 * The page's own measurement, against which the tracker's is held: looks fifty times a second how
 * far the media came. Rougher than the tracker, but of another make.
 */
export function measure(media) {
  let advancedMs = 0;
  let last = media.currentTime;
  media.addEventListener('seeking', () => {
    last = media.currentTime;
  });
  setInterval(() => {
    const step = media.currentTime - last;
    last = media.currentTime;
    if (!media.seeking && step > 0) advancedMs += (step * 1000) / media.playbackRate;
  }, 20);
  return () => advancedMs;
}
