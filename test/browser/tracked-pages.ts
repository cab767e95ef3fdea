/** Pages with players as their makers document them, and the tracker beside each. */
import { page } from './player-pages.ts';

/** What a page does with its player; `show` is what docs/players.md tells of it. */
interface Player {
  readonly library: string;
  readonly make: string;
  /** `film` is an address without its ending. */
  readonly load: string;
}

export const trackedPlayers = {
  'hls.js': {
    library: '/hls.js',
    make: 'window.hls = new Hls(); hls.attachMedia(video);',
    load: `hls.loadSource(film('.m3u8'));`,
  },
  'dash.js': {
    library: '/dash.js',
    make: 'const player = dashjs.MediaPlayer().create(); player.initialize(video, null, false);',
    load: `player.attachSource(film('.mpd'));`,
  },
  'Shaka Player': {
    library: '/shaka.js',
    make: 'const player = new shaka.Player(); const attached = player.attach(video);',
    load: `attached.then(() => player.load(film('.mpd')));`,
  },
  'video.js': {
    library: '/video.js',
    make: 'const player = videojs(video);',
    load: `player.src({ src: film('.m3u8'), type: 'application/x-mpegURL' });`,
  },
} as const satisfies Record<string, Player>;
export type TrackedPlayer = keyof typeof trackedPlayers;

/** `show(videoKey)` loads the film, once more or for the first time, and tracks it as that video. */
export function trackedPages(serviceUrl: string): Record<string, string> {
  const pages = Object.entries(trackedPlayers).map(([name, { library, make, load }]) => {
    const script = `
      ${make}
      const tracker = import('${serviceUrl}/tracker.mjs');
      window.show = async (videoKey) => {
        const { track } = await tracker;
        const film = (ending) => location.origin + '/film' + ending + '?' + videoKey;
        const canPlay = new Promise((resolve) => {
          video.addEventListener('canplay', resolve, { once: true });
        });
        window.advancedMs = 0;
        last = Infinity;
        ${load}
        track(video, { url: '${serviceUrl}', videoKey });
        await canPlay;
      };`;
    return [pathOf(name as TrackedPlayer), page(library, script)];
  });
  return Object.fromEntries(pages);
}

export function pathOf(player: TrackedPlayer): string {
  return trackedPlayers[player].library.replace('.js', '.html');
}
