/** For hls.js 1: `import { observe } from '@playmeter/tracker/hlsjs'`. */
import { hostOf, tell } from './tell.ts';

/** What is read of `Hls`. */
export interface HlsPlayer {
  readonly media?: HTMLMediaElement | null;
  readonly levels: readonly { readonly bitrate: number }[];
  // biome-ignore lint/suspicious/noExplicitAny: hls.js types each event on its own
  on(event: any, listener: (event: any, data: any) => void): void;
}

interface Fragment {
  readonly level: number;
  readonly url: string;
  readonly duration: number;
  readonly stats: { readonly total: number };
}

/** Call it once, before the first source is loaded. */
export function observe(hls: HlsPlayer): void {
  // The fragment that is shown from now on, and not the one that is loaded.
  hls.on('hlsFragChanged', (_, { frag }: { frag: Fragment }) => {
    const { level, url, duration, stats } = frag;
    // A stream of one quality alone does not say its bitrate.
    const bitrate = hls.levels[level]?.bitrate || (stats.total * 8) / duration || undefined;
    tell(hls.media, { bitrate, mediaHost: hostOf(url) });
  });
  hls.on('hlsError', (_, { fatal, details }: { fatal: boolean; details: string }) => {
    if (fatal) tell(hls.media, { error: details });
  });
}
