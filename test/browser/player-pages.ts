/** Pages with players as their makers document them, pointed at an event target and nothing else. */
export const playerNames = ['hls.js', 'dash.js', 'Shaka Player', 'Shaka Player, minified'] as const;
export type PlayerName = (typeof playerNames)[number];

/** Seconds between two reports of a player that does nothing else. */
export const intervalSeconds = 2;

export const pagePaths: Readonly<Record<PlayerName, string>> = {
  'hls.js': '/hls.html',
  'dash.js': '/dash.html',
  'Shaka Player': '/shaka-debug.html',
  'Shaka Player, minified': '/shaka.html',
};

export function playerPages(target: string): Record<string, string> {
  const reports = `url: '${target}', events: ['ps', 't', 'e'], interval: ${intervalSeconds}`;
  const hls = `
    const hls = new Hls({ cmcd: { version: 2, eventTargets: [{ ${reports} }] } });
    hls.loadSource(location.origin + '/film.m3u8');
    hls.attachMedia(video);`;
  // dash.js sends the keys that are named, and no others.
  const keys = `enabledKeys: ['e', 'sid', 'sn', 'ts', 'sta', 'msd', 'v']`;
  const dash = `
    const player = dashjs.MediaPlayer().create();
    player.updateSettings({ streaming: { cmcd: {
      enabled: true, version: 2, eventTargets: [{ enabled: true, ${reports}, ${keys} }] } } });
    player.initialize(video, location.origin + '/film.mpd', video.autoplay);`;
  const shaka = `
    const player = new shaka.Player();
    player.configure({ cmcd: { enabled: true, version: 2, eventTargets: [{ ${reports} }] } });
    player.attach(video).then(() => player.load(location.origin + '/film.mpd'));`;
  return {
    '/hls.html': page('/hls.js', hls),
    '/dash.html': page('/dash.js', dash),
    '/shaka.html': page('/shaka.js', shaka),
    '/shaka-debug.html': page('/shaka-debug.js', shaka),
  };
}

/** Measures in `advancedMs` by how much the media has advanced since `last` was set. */
export function page(library: string, script: string): string {
  return `<!doctype html>
    <video muted controls></video>
    <script src="${library}"></script>
    <script>
    const video = document.querySelector('video');
    video.autoplay = location.search === '?autoplay';
    window.advancedMs = 0;
    let last = 0;
    video.addEventListener('seeking', () => { last = video.currentTime; });
    setInterval(() => {
      const step = video.currentTime - last;
      last = video.currentTime;
      if (!video.seeking && step > 0) window.advancedMs += step * 1_000;
    }, 20);
    ${script}
    </script>`;
}
