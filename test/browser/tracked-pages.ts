/** Pages with players as their makers document them, and the tracker beside each. */
import { page } from './player-pages.ts';

/** What a page does with its player; `show` is what docs/players.md shows. */
interface Player {
  readonly library: string;
  readonly make: string;
  /** Tracks with `options` and loads `film`, a URL without its ending. */
  readonly show: string;
}

export const trackedPlayers = {
  'hls.js': {
    library: '/hls.js',
    make: 'window.hls = new Hls(); hls.attachMedia(video);',
    show: `
      video.pause();
      track(video, options);
      hls.loadSource(film + '.m3u8');`,
  },
  'dash.js': {
    library: '/dash.js',
    make: 'const player = dashjs.MediaPlayer().create(); player.initialize(video, null, false);',
    show: `
      video.pause();
      track(video, options);
      player.attachSource(film + '.mpd');`,
  },
  'Shaka Player': {
    library: '/shaka.js',
    make: 'const player = new shaka.Player(); await player.attach(video);',
    show: `
      video.pause();
      track(video, options);
      player.load(film + '.mpd');`,
  },
  'video.js': {
    library: '/video.js',
    make: 'window.player = videojs(video);',
    show: `
      player.pause();
      track(player.el().querySelector('video'), options);
      player.src({ src: film + '.m3u8', type: 'application/x-mpegURL' });`,
  },
} as const satisfies Record<string, Player>;
export type TrackedPlayer = keyof typeof trackedPlayers;

/**
 * `show(videoKey)` loads the film, once more or for the first time, and tracks it as that video.
 */
export function trackedPages(serviceUrl: string): Record<string, string> {
  const pages = Object.entries(trackedPlayers).map(([name, { library, make, show }]) => {
    const script = `
      import { track } from '${serviceUrl}/tracker.mjs';
      ${make}
      window.show = async (videoKey) => {
        const film = location.origin + '/film';
        const canPlay = new Promise((resolve) => {
          document.addEventListener('canplay', resolve, { capture: true, once: true });
        });
        const options = { url: '${serviceUrl}', videoKey };
        ${show}
        await canPlay;
        window.measured = measure(document.querySelector('video'));
      };`;
    return [pathOf(name as TrackedPlayer), page(library, script)];
  });
  return Object.fromEntries(pages);
}

export function pathOf(player: TrackedPlayer): string {
  return trackedPlayers[player].library.replace('.js', '.html');
}
