/**
 * The page's own measurement, with which the tracker's is compared: looks fifty times a second how
 * far the media came. Rougher than the tracker, but made in another way. It begins, also after a
 * pause, with the event that tells of it. On a busy machine that comes up to a second after the
 * media began to advance, which a tracker that looks at events alone cannot know.
 */
export function measure(media) {
  let advancedMs = 0;
  let beganMs = Number.NaN;
  let behindMs = 0;
  let last = media.currentTime;
  let isTold = false;
  media.addEventListener('seeking', () => {
    if (!media.loop) last = media.currentTime;
  });
  for (const type of ['playing', 'timeupdate']) {
    media.addEventListener(type, () => {
      if (isTold || media.paused) return;
      isTold = true;
      last = media.currentTime;
    });
  }
  media.addEventListener('pause', () => {
    look();
    isTold = false;
  });
  function look() {
    // Nothing is there yet: currentTime is where it is to begin.
    if (!isTold || media.readyState === 0) return;
    let step = media.currentTime - last;
    last = media.currentTime;
    // No page here seeks in a loop: it came round.
    if (media.loop && step < 0) step += media.duration;
    if ((!media.seeking || media.loop) && step > 0) {
      const stepMs = (step * 1000) / media.playbackRate;
      if (advancedMs === 0) beganMs = Date.now() - stepMs;
      advancedMs += stepMs;
      behindMs = Date.now() - beganMs - advancedMs;
    }
  }
  setInterval(look, 20);
  const measured = () => {
    // On a busy machine the last look may be long ago.
    look();
    return advancedMs;
  };
  measured.began = () => beganMs;
  measured.behindMs = () => behindMs;
  return measured;
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

/**
 * The parts of the media that are played, in order: each from where, until where, and at which
 * rate. The page seeks and changes the rate by `watch` alone, so that it knows where a part ends.
 */
export function measureParts(media) {
  const parts = [];
  let part;
  let last;
  function look() {
    const { currentTime, playbackRate } = media;
    if (currentTime > last) {
      if (!part) {
        part = { fromMs: last * 1000, rate: playbackRate };
        parts.push(part);
      }
      part.untilMs = currentTime * 1000;
    }
    last = currentTime;
  }
  setInterval(look, 20);
  return {
    parts() {
      look();
      return parts;
    },
    /** Changes members of the element, and lets so much of the media play. */
    async watch(change, partMs) {
      look();
      part = undefined;
      Object.assign(media, change);
      last = media.currentTime;
      await media.play();
      while (!part || part.untilMs - part.fromMs < partMs) {
        await new Promise((next) => setTimeout(next, 20));
      }
    },
  };
}
