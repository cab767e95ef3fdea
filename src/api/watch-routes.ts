/** What a browser loads: the tracker, the page that plays a video, and the media kept here. */
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import staticPlugin from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import type { Catalog } from '../catalog/catalog.ts';
import { containerNames, mediaFileName, thumbnailFolder, thumbnailName } from '../wire/content.ts';
import { Fault } from '../wire/faults.ts';

interface WatchParts {
  readonly catalog: Pick<Catalog, 'publications'>;
  readonly tracker: { readonly script: string; readonly module: string };
  readonly contentFolder: string;
}

const pageFolder = join(import.meta.dirname, '../../demo');

interface WatchRequest {
  Params: { videoKey: string };
}

interface ThumbnailRequest {
  Params: { name: string };
}

export async function addWatchRoutes(app: FastifyInstance, parts: WatchParts): Promise<void> {
  const { catalog, tracker, contentFolder } = parts;
  await app.register(staticPlugin, {
    root: join(pageFolder, 'watch-assets'),
    prefix: '/watch-assets/',
    wildcard: false,
  });

  const scripts = { '/tracker.js': 'script', '/tracker.mjs': 'module' } as const;
  for (const [address, form] of Object.entries(scripts)) {
    app.get(address, async (_request, reply) => {
      reply.type('text/javascript; charset=utf-8').header('cache-control', 'public, max-age=3600');
      return tracker[form];
    });
  }

  app.get<WatchRequest>('/watch/:videoKey', async (request, reply) => {
    await requireVideo(request.params.videoKey);
    // Without it a browser tells no version of Windows or macOS with the beacons of the page.
    reply.header('accept-ch', 'Sec-CH-UA-Platform, Sec-CH-UA-Platform-Version');
    return reply.header('cache-control', 'no-store').sendFile('watch.html', pageFolder);
  });

  app.get<WatchRequest>('/content/:videoKey', async (request, reply) => {
    const videoId = await requireVideo(request.params.videoKey);
    return reply.sendFile(await findMedia(contentFolder, videoId), contentFolder);
  });

  app.get<ThumbnailRequest>('/content/thumbnails/:name', async ({ params: { name } }, reply) => {
    if (!thumbnailName.test(name)) throw new Fault('NOT_FOUND', 'There is no such picture');
    // What is at this address never changes: it is named after its bytes.
    const options = { maxAge: '365d', immutable: true };
    return reply.sendFile(name, join(contentFolder, thumbnailFolder), options);
  });

  async function requireVideo(videoKey: string): Promise<number> {
    const found = await catalog.publications.identify([videoKey]);
    const publication = found.get(videoKey);
    if (!publication) throw new Fault('NOT_FOUND', 'There is no video of this key');
    return publication.videoId;
  }
}

/** Whichever container it came in; the first name where it is not kept here. */
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
