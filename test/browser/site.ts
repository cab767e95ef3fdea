/** A page owner's web site: the fixture pages, the tracker, and the clip as a media server sends it. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startLocalServer } from '../support/local-server.ts';
import { requireBuilt } from '../support/shared-parts.ts';
import { ffmpeg } from './streams.ts';

// Outside a test run, as in `npm run attack`, scripts/run.mjs has built them.
if (process.env.VITEST) requireBuilt('pages');

export interface Site {
  readonly url: string;
  /** Lets the clips that stall, at once or after some seconds, come to their end. */
  releaseMedia(): void;
  close(): Promise<void>;
}

const trackerFolder = new URL('../../tracker/dist/', import.meta.url);

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.mp4': 'video/mp4',
};

/** How much of a clip comes before it is released: the index and some seconds, or nothing. */
const sharesBeforeStall: Record<string, number> = { '/stalling.mp4': 0.35, '/late.mp4': 0 };

const clipFile = new URL('../../demo/clip.mp4', import.meta.url);
/** Other films: beginnings of the clip, of so many seconds. */
const cuts: Readonly<Record<string, number>> = { '/short.mp4': 7, '/ad.mp4': 3, '/second.mp4': 1 };

async function cutClip(seconds: number): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'playmeter-clip-'));
  const file = join(folder, 'cut.mp4');
  const cut = ['-v', 'error', '-i', fileURLToPath(clipFile), '-t', `${seconds}`];
  // Copied, it is as long as its last group of pictures.
  const encode = '-an -c:v libx264 -preset ultrafast -pix_fmt yuv420p -movflags +faststart';
  await promisify(execFile)(ffmpeg, [...cut, ...encode.split(' '), file]);
  const film = await readFile(file);
  await rm(folder, { recursive: true });
  return film;
}

export async function startSite(collectUrl: string): Promise<Site> {
  const clip = await readFile(clipFile);
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });

  const films = new Map<string, Promise<Buffer>>();
  const findFilm = (pathname: string): Promise<Buffer> => {
    const seconds = cuts[pathname];
    if (seconds === undefined) return Promise.resolve(clip);
    const film = films.get(pathname) ?? cutClip(seconds);
    films.set(pathname, film);
    return film;
  };

  const texts: Record<string, string> = {};
  for (const name of ['tracker.js', 'tracker.es2015.js', 'tracker.mjs']) {
    texts[`/${name}`] = await readFile(new URL(name, trackerFolder), 'utf8');
  }

  const server = await startLocalServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    response.setHeader('content-type', contentTypes[extname(pathname)] ?? 'text/plain');
    const shareBeforeStall = sharesBeforeStall[pathname];
    if (shareBeforeStall !== undefined) {
      const border = Math.floor(clip.length * shareBeforeStall);
      response.setHeader('content-length', clip.length);
      response.write(clip.subarray(0, border));
      await released;
      response.end(clip.subarray(border));
    } else if (pathname.endsWith('.mp4')) {
      sendRange(response, await findFilm(pathname), request.headers.range);
    } else {
      const page = texts[pathname] ?? (await pageOf(pathname));
      if (page === undefined) response.statusCode = 404;
      response.end(page?.replaceAll('COLLECT_URL', collectUrl));
    }
  });

  return {
    url: server.url,
    releaseMedia: release,
    async close() {
      release();
      await server.close();
    },
  };
}

function pageOf(pathname: string): Promise<string | undefined> {
  return readFile(new URL(`pages${pathname}`, import.meta.url), 'utf8').catch(() => undefined);
}

function sendRange(response: ServerResponse, file: Buffer, range = 'bytes=0-'): void {
  const [from = '0', to = ''] = range.replace('bytes=', '').split('-');
  const first = Number(from);
  const last = to === '' ? file.length - 1 : Number(to);
  response.statusCode = 206;
  response.setHeader('accept-ranges', 'bytes');
  response.setHeader('content-range', `bytes ${first}-${last}/${file.length}`);
  response.setHeader('content-length', last - first + 1);
  response.end(file.subarray(first, last + 1));
}
