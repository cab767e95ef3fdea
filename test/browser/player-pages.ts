/** Pages with players as their makers document them, pointed at an event target and nothing else. */
const playerNames = ['hls.js', 'dash.js', 'Shaka Player', 'Shaka Player, minified'] as const;
export type PlayerName = (typeof playerNames)[number];

/** In kbit/s, as its playlist says. */
export const filmBitrate = 300;

/** Seconds between two reports of a player that does nothing else. */
export const intervalSeconds = 2;

export const pagePaths: Readonly<Record<PlayerName, string>> = {
  'hls.js': '/hls.html',
  'dash.js': '/dash.html',
  'Shaka Player': '/shaka-debug.html',
  'Shaka Player, minified': '/shaka.html',
};

/** Each takes `?key=VIDEO_KEY`, and `&autoplay`. */
export function playerPages(serviceUrl: string): Record<string, string> {
  const target = `'${serviceUrl}/collect/v1/cmcd/' + query.get('key')`;
  const reports = `url: ${target}, events: ['ps', 't', 'e'], interval: ${intervalSeconds}`;
  const hls = `
    const hls = new Hls({ cmcd: { version: 2, eventTargets: [{ ${reports} }] } });
    hls.loadSource(location.origin + '/films.m3u8');
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
    // A stream of one quality alone does not say its bitrate.
    '/films.m3u8': `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=${filmBitrate * 1_000}\nfilm.m3u8\n`,
    '/hls.html': page('/hls.js', hls),
    '/dash.html': page('/dash.js', dash),
    '/shaka.html': page('/shaka.js', shaka),
    '/shaka-debug.html': page('/shaka-debug.js', shaka),
  };
}

/** A page with a `video`, which it measures, and a library; the script drives them. */
export function page(library: string, script: string): string {
  return `<!doctype html>
    <link rel="icon" href="data:,">
    <video muted controls></video>
    <script src="${library}"></script>
    <script type="module">
    import { measure, measureSaid } from '/measure.js';
    const query = new URLSearchParams(location.search);
    const video = document.querySelector('video');
    video.autoplay = query.has('autoplay');
    window.measured = measure(video);
    window.saidToPlay = measureSaid(video);
    ${script}
    </script>`;
}
