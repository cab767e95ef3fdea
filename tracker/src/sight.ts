/** Looks at a media element. */
import type { Sight } from '../../client/src/sender/stretch-meter.ts';

/** Players write Infinity or 2 ** 32 for the length of a live stream. */
export const longestFilmSeconds = 1e9;

/** Of longer films each time round is a stretch of its own, so that it is known what was seen again. */
const longestClipSeconds = 60;

/** A seek to before this, in a loop, is the media coming round. */
const beginningSeconds = 0.1;

/** Browsers round the two ends of a range each in their own way. */
const roundingSeconds = 0.05;

/** What adapters of players put on the element as `playmeter`, before its event of that name. */
export interface Told {
  /** Bits per second of what is rendered. */
  bitrate?: number | undefined;
  /** Short code of the player's fatal error, until it has got over it. */
  error?: string | undefined;
  mediaHost?: string | undefined;
}
export type TrackedMedia = HTMLMediaElement &
  Partial<Pick<HTMLVideoElement, 'getVideoPlaybackQuality'>> & { playmeter?: Told };

type ErrorName = Exclude<keyof typeof MediaError, 'prototype'>;

/** Gives a look at the element as it is at an event. */
export function createSight(media: TrackedMedia): (eventType: string) => Sight {
  let lastPosition = 0;

  return (eventType) => {
    const {
      currentTime,
      duration,
      loop,
      playbackRate,
      paused,
      ended,
      readyState,
      played,
      networkState,
      error,
      playmeter: told = {},
    } = media;
    const isAtRest = paused || ended || !playbackRate;
    // It plays by itself once enough is there, unless the browser refuses that.
    const isToPlay = media.autoplay && paused && networkState % 3 && played && !played.length;
    const { totalVideoFrames: frames, droppedVideoFrames: droppedFrames } = (
      media.getVideoPlaybackQuality ? media.getVideoPlaybackQuality() : {}
    ) as Partial<VideoPlaybackQuality>;
    const isClip = loop && duration <= longestClipSeconds;
    // On a busy machine a seek may be over before its event comes. In a loop that is no matter: the
    // meter takes a jump for what it is.
    const comesRound = loop && currentTime <= beginningSeconds;
    const seeking = isClip
      ? media.seeking && !comesRound
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
      playing: !(isAtRest || seeking || !readyState || error),
      wanted: isToPlay ? readyState < 4 : !isAtRest,
      byItself: isToPlay,
      // No viewer jumps where a film comes round.
      sought: seeking && !comesRound,
      // `play`, `canplaythrough` and `progress`.
      early: /y$|can|pro/.test(eventType),
      dry: eventType === 'waiting',
      empty: !readyState,
      ...told,
      // `MEDIA_ERR_DECODE` and the like.
      error: error
        ? Object.keys(MediaError).find((name) => MediaError[name as ErrorName] === error.code)
        : told.error,
      frames,
      droppedFrames,
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
