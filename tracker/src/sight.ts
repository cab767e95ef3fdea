/** Looks at a media element. */
import type { Sight } from '../../client/src/sender/stretch-meter.ts';

/** Players write Infinity or 2 ** 32 for the length of a live stream. */
const longestFilmSeconds = 1e9;

/** Of longer films each time round is a stretch of its own, so that it is known what was seen again. */
const longestClipSeconds = 60;

/** A seek to before this, in a loop, is the media coming round. */
const beginningSeconds = 0.1;

/** Browsers round the two ends of a range each in their own way. */
const roundingSeconds = 0.05;

/** Gives a look at the element as it is at an event. */
export function createSight(media: HTMLMediaElement): (eventType: string) => Sight {
  let lastPosition = 0;

  return (eventType) => {
    const { currentTime, duration, loop, playbackRate, paused, ended, readyState, played } = media;
    const isClip = loop && duration <= longestClipSeconds;
    // On a busy machine a seek may be over before its event comes. In a loop that is no matter: the
    // meter takes a jump for what it is.
    const seeking = isClip
      ? media.seeking && currentTime > beginningSeconds
      : media.seeking || eventType === 'seeking';
    // TRICKY: once seeking, currentTime is where it goes to. How far it had come, up to a quarter
    // of a second after the last sight, only the played ranges still show. Custom elements that
    // behave like media elements may lack them.
    const mediaSeconds = seeking && played ? playedUntil(played, lastPosition) : currentTime;
    lastPosition = currentTime;
    return {
      monotonicMs: performance.now(),
      dateMs: Date.now(),
      mediaSeconds,
      rate: playbackRate,
      hasEnd: duration < longestFilmSeconds,
      loopSeconds: isClip ? duration : 0,
      // Before anything of the media is there, currentTime is where it is to begin.
      playing: !(paused || seeking || ended || !readyState || !playbackRate),
    };
  };
}

/** The end of the range that was played around a position. */
export function playedUntil(played: TimeRanges, position: number): number {
  for (let index = 0; index < played.length; index += 1) {
    const end = played.end(index);
    if (played.start(index) - roundingSeconds <= position && position <= end) return end;
  }
  return position;
}
