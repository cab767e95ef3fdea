/** What goes into a page, by what the page is like. */
export const snippetKinds = ['one', 'several', 'player'] as const;

export function snippetOf(
  kind: (typeof snippetKinds)[number],
  url: string,
  videoKey: string,
): string {
  return {
    one: `<script async src="${url}/play.js" data-video-key="${videoKey}"></script>`,
    several: [
      `<script async src="${url}/play.js"></script>`,
      `<video src="film.mp4" data-video-key="${videoKey}" controls></video>`,
    ].join('\n'),
    player: [
      '<script type="module">',
      `  import { track } from '${url}/play.mjs';`,
      "  const video = document.querySelector('video');",
      `  track(video, { url: '${url}', videoKey: '${videoKey}' });`,
      '</script>',
    ].join('\n'),
  }[kind];
}
