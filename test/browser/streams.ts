/** A media server with pages of players: films as HLS and DASH, and the players' code. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { promisify } from 'node:util';
import { startLocalServer } from '../support/local-server.ts';

const execute = promisify(execFile);
const { resolve } = createRequire(import.meta.url);
const modules = join(dirname(resolve('playwright-core/package.json')), '..');
export const ffmpeg = join(modules, '@ffmpeg-installer/linux-x64/ffmpeg');

const filmSeconds = 60;
const segmentSeconds = 2;

/** How many segments a player of the live stream finds. */
const liveSegments = 5;

const scripts: Record<string, string> = {
  '/measure.js': join(import.meta.dirname, 'pages/measure.js'),
  '/hls.js': join(modules, 'hls.js/dist/hls.js'),
  '/dash.js': join(modules, 'dashjs/dist/modern/umd/dash.all.min.js'),
  '/shaka.js': join(modules, 'shaka-player/dist/shaka-player.compiled.js'),
  '/video.js': join(modules, 'video.js/dist/video.min.js'),
  '/shaka-debug.js': join(modules, 'shaka-player/dist/shaka-player.compiled.debug.js'),
};

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.m3u8': 'application/vnd.apple.mpegurl',
  '.mpd': 'application/dash+xml',
  '.ts': 'video/mp2t',
  '.mp4': 'video/mp4',
};

export type Shape = number | Buffer;

export interface Streams {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * `pages` are whole pages by path. `shape` may hold a file back, and gives the status that it is
 * answered with, or what is sent in its place.
 */
export async function startStreams(
  pages: Readonly<Record<string, string>>,
  shape: (pathname: string) => Shape | Promise<Shape> = () => 200,
): Promise<Streams> {
  const folder = await mkdtemp(join(tmpdir(), 'playmeter-streams-'));
  await makeFilm(folder);
  let liveSinceMs = 0;
  const server = await startLocalServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://streams');
    if (pathname === '/live.m3u8') liveSinceMs ||= Date.now();
    response.setHeader('content-type', contentTypes[extname(pathname)] ?? 'text/html');
    const page = pathname === '/live.m3u8' ? livePlaylist(liveSinceMs) : pages[pathname];
    const file = scripts[pathname] ?? join(folder, pathname.slice(1));
    const body = page ?? (await readFile(file).catch(() => undefined));
    const shaped = await shape(pathname);
    const status = typeof shaped === 'number' ? shaped : 200;
    response.statusCode = body === undefined ? 404 : status;
    response.end(response.statusCode !== 200 ? '' : typeof shaped === 'number' ? body : shaped);
  });
  return {
    url: server.url,
    async close() {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The film as if it were sent live: a window that goes on with the clock. */
function livePlaylist(sinceMs: number): string {
  const first = Math.floor((Date.now() - sinceMs) / (segmentSeconds * 1_000));
  const segments = Array.from(
    { length: liveSegments },
    (_, index) => `#EXTINF:${segmentSeconds},\nfilm${first + index}.ts`,
  );
  const head = ['#EXTM3U', '#EXT-X-VERSION:3', `#EXT-X-TARGETDURATION:${segmentSeconds}`];
  return [...head, `#EXT-X-MEDIA-SEQUENCE:${first}`, ...segments, ''].join('\n');
}

/** Encoded once, put into both forms. */
async function makeFilm(folder: string): Promise<void> {
  // Small and few: many pages show it at once.
  const picture = `testsrc=size=160x90:rate=10:duration=${filmSeconds}`;
  const sound = `sine=frequency=440:duration=${filmSeconds}`;
  const film = join(folder, 'film.mp4');
  const encode = '-c:v libx264 -preset ultrafast -g 20 -pix_fmt yuv420p -c:a aac -b:a 64k';
  const inputs = ['-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', sound];
  await execute(ffmpeg, ['-v', 'error', ...inputs, ...encode.split(' '), film]);
  const copy = ['-v', 'error', '-i', film, '-c', 'copy'];
  const hls = ['-f', 'hls', '-hls_time', `${segmentSeconds}`, '-hls_playlist_type', 'vod'];
  await execute(ffmpeg, [...copy, ...hls, join(folder, 'film.m3u8')]);
  await execute(ffmpeg, [...copy, '-t', '30', ...hls, join(folder, 'short.m3u8')]);
  await execute(ffmpeg, [
    ...copy,
    '-f',
    'dash',
    '-seg_duration',
    `${segmentSeconds}`,
    join(folder, 'film.mpd'),
  ]);
}
