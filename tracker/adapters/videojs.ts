/** For video.js 8: `import { observe } from '@playmeter/tracker/videojs'`. */
import { hostOf, tell } from './tell.ts';

/** What is read of a video.js player. */
export interface VideoJsPlayer {
  el(): Element;
  error(): { readonly code: number } | null;
  textTracks(): ArrayLike<TextTrack> & EventTarget;
  on(types: string[] | string, listener: () => void): void;
}

interface SegmentCue extends TextTrackCue {
  readonly value: {
    readonly bandwidth?: number;
    readonly byteLength: number;
    readonly uri: string;
  };
}

/** Of video.js's own list, which begins as the browsers'. */
const codes = ['ABORTED', 'NETWORK', 'DECODE', 'SRC_NOT_SUPPORTED', 'ENCRYPTED'];

/** Call it once. */
export function observe(player: VideoJsPlayer): void {
  // It may be another one after `reset()`.
  const media = () => player.el().querySelector('video');
  player.on('error', () => {
    const error = player.error();
    if (error) tell(media(), { error: `MEDIA_ERR_${codes[error.code - 1] ?? error.code}` });
  });
  // Its cues are the segments. The browser says late which are active, and a stretch keeps the host
  // that is known when it begins.
  player.on(['playing', 'timeupdate'], () => {
    const { currentTime = 0 } = media() ?? {};
    const track = Array.from(player.textTracks()).find((one) => one.label === 'segment-metadata');
    const cue = (Array.from(track?.cues ?? []) as SegmentCue[]).find(
      ({ startTime, endTime }) => startTime <= currentTime && currentTime < endTime,
    );
    if (!cue) return;
    const { startTime, endTime, value } = cue;
    // A stream of one quality alone does not say its bitrate.
    const bitrate = value.bandwidth || (value.byteLength * 8) / (endTime - startTime) || undefined;
    tell(media(), { bitrate, mediaHost: hostOf(value.uri) });
  });
}
