/** A page owner's web site: the fixture pages, the tracker, and the clip as a media server sends it. */
import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname } from 'node:path';
import { buildTracker } from '../../tracker/build.ts';

export interface Site {
  readonly url: string;
  /** Lets the clips that stall, at once or after some seconds, come to their end. */
  releaseMedia(): void;
  close(): Promise<void>;
}

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.mp4': 'video/mp4',
};

/** How much of a clip comes before it is released: the index and some seconds, or nothing. */
const sharesBeforeStall: Record<string, number> = { '/stalling.mp4': 0.35, '/late.mp4': 0 };

export async function startSite(collectUrl: string): Promise<Site> {
  const tracker = await buildTracker();
  const clip = await readFile(new URL('../../demo/clip.mp4', import.meta.url));
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });

  const texts: Record<string, string> = {
    '/tracker.js': tracker.script,
    '/tracker.mjs': tracker.module,
  };

  const server = createServer(async (request, response) => {
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
      sendRange(response, clip, request.headers.range);
    } else {
      const page = texts[pathname] ?? (await pageOf(pathname));
      if (page === undefined) response.statusCode = 404;
      response.end(page?.replaceAll('COLLECT_URL', collectUrl));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    releaseMedia: release,
    async close() {
      release();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
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
