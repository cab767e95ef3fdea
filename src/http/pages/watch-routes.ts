/** What a browser loads: the tracker, the page that plays a video, and the media stored here. */
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import staticPlugin from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Catalog } from '../../catalog/catalog.ts';
import { projectFolder } from '../../lib/folders.ts';
import { makeOnce } from '../../lib/values/memo.ts';
import { Fault } from '../../vocabulary/faults.ts';
import {
  containerNames,
  mediaFileName,
  thumbnailFolder,
  thumbnailName,
} from '../../wire/library/content-files.ts';
import { escapeHtml } from './guides/html.ts';
import { type Language, type MessageName, sayIn } from './messages/messages.ts';
import { readPlainFrame } from './page-frame.ts';
import { readerLanguage } from './reader-language.ts';

interface WatchParts {
  readonly catalog: Pick<Catalog, 'publications' | 'thumbnails'>;
  readonly contentFolder: string;
}

const pageFolder = join(projectFolder, 'demo');
const trackerFolder = join(projectFolder, 'tracker/dist');
/** By the names of pages: blockers have rules for a script that is called a tracker. */
const trackerFiles = {
  'play.js': 'tracker.js',
  'play.es2015.js': 'tracker.es2015.js',
  'play.mjs': 'tracker.mjs',
};

interface WatchRequest {
  Params: { videoKey: string };
}

interface ThumbnailRequest {
  Params: { name: string };
}

/** The tracker is built when the service is installed; without it no page would be counted. */
export async function requireTracker(folder = trackerFolder): Promise<void> {
  for (const name of Object.values(trackerFiles)) {
    await access(join(folder, name)).catch((cause) => {
      const detail = `${join(folder, name)} is missing: start with npm start, which builds it`;
      throw new Fault('UNAVAILABLE', detail, { cause });
    });
  }
}

export async function addWatchRoutes(app: FastifyInstance, parts: WatchParts): Promise<void> {
  const { catalog, contentFolder } = parts;
  await app.register(staticPlugin, {
    root: join(pageFolder, 'watch-assets'),
    prefix: '/watch-assets/',
    wildcard: false,
  });

  for (const [neutralName, file] of Object.entries(trackerFiles)) {
    for (const name of [file, neutralName]) {
      app.get(`/${name}`, async (_request, reply) =>
        reply.sendFile(file, trackerFolder, { maxAge: '1h' }),
      );
    }
  }

  app.get('/watch', async (request, reply) => sendPage(request, reply));

  app.get<WatchRequest>('/watch/:videoKey', async (request, reply) => {
    const { headers, params } = request;
    const isKnown = (await findVideo(params.videoKey)) !== undefined;
    // People get the page all the same; it leads to the library.
    if (!isKnown && !headers.accept?.includes('text/html')) throw unknownVideo();
    return sendPage(request, reply.status(isKnown ? 200 : 404));
  });

  const pageIn = makeOnce(readPage);
  async function sendPage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const language = readerLanguage(request, reply);
    reply.header('cache-control', 'no-store').type('text/html; charset=utf-8');
    return reply.send(await pageIn(language));
  }

  app.get<WatchRequest>('/content/:videoKey', async (request, reply) => {
    const videoId = await findVideo(request.params.videoKey);
    if (videoId === undefined) throw unknownVideo();
    return reply.sendFile(await findMedia(contentFolder, videoId), contentFolder);
  });

  app.get<ThumbnailRequest>('/content/thumbnails/:name', async ({ params: { name } }, reply) => {
    if (!thumbnailName.test(name) || (await catalog.thumbnails.isClosed(name))) {
      throw new Fault('NOT_FOUND', 'There is no such picture');
    }
    // The content of this URL never changes: it is named after its bytes.
    const options = { maxAge: '365d', immutable: true };
    return reply.sendFile(name, join(contentFolder, thumbnailFolder), options);
  });

  async function findVideo(videoKey: string): Promise<number | undefined> {
    return (await catalog.publications.identify([videoKey])).get(videoKey)?.videoId;
  }
}

/** The page in the dashboard's frame. Its links are relative, and so are those of the frame. */
async function readPage(language: Language): Promise<string> {
  const [page, frame] = await Promise.all([
    readFile(join(pageFolder, 'watch.html'), 'utf8'),
    readPlainFrame('/watch', language),
  ]);
  return page
    .replace('<html lang="en">', `<html lang="${language}">`)
    .replace(/<!-- frame (head|start|end) -->/g, (_mark, part: keyof typeof frame) =>
      frame[part].replaceAll('="/', '="../'),
    )
    .replace(/\{\{([\w.]+)\}\}/g, (_mark, name: string) =>
      escapeHtml(sayIn(language)(name as MessageName)),
    );
}

function unknownVideo(): Fault {
  return new Fault('NOT_FOUND', 'No video has this key');
}

/** The media file in any container; the first name if it is not stored here. */
async function findMedia(contentFolder: string, videoId: number): Promise<string> {
  for (const container of containerNames) {
    const name = mediaFileName(videoId, container);
    const isThere = await access(join(contentFolder, name)).then(
      () => true,
      () => false,
    );
    if (isThere) return name;
  }
  return mediaFileName(videoId, containerNames[0]);
}
