/** What a browser loads: the tracker, the page that plays a video, and the media kept here. */
import { join } from 'node:path';
import staticPlugin from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import type { Catalog } from '../catalog/catalog.ts';
import { Fault } from '../wire/faults.ts';

interface WatchParts {
  readonly catalog: Pick<Catalog, 'publications'>;
  readonly tracker: { readonly script: string; readonly module: string };
  readonly contentFolder: string;
}

const pageFolder = join(import.meta.dirname, '../../demo');
const pageFiles = ['watch.js', 'watch.css'];

interface WatchRequest {
  Params: { videoKey: string };
}

export async function addWatchRoutes(app: FastifyInstance, parts: WatchParts): Promise<void> {
  const { catalog, tracker, contentFolder } = parts;
  await app.register(staticPlugin, { root: pageFolder, serve: false });

  const scripts = { '/tracker.js': tracker.script, '/tracker.mjs': tracker.module };
  for (const [address, text] of Object.entries(scripts)) {
    app.get(address, async (_request, reply) => {
      reply.type('text/javascript; charset=utf-8').header('cache-control', 'public, max-age=3600');
      return text;
    });
  }

  app.get<WatchRequest>('/watch/:videoKey', async (request, reply) => {
    await requireVideo(request.params.videoKey);
    return reply.header('cache-control', 'no-store').sendFile('watch.html');
  });
  for (const file of pageFiles) {
    app.get(`/watch-assets/${file}`, async (_request, reply) => reply.sendFile(file));
  }

  app.get<WatchRequest>('/content/:videoKey', async (request, reply) => {
    const videoId = await requireVideo(request.params.videoKey);
    return reply.sendFile(`${videoId}.mp4`, contentFolder);
  });

  async function requireVideo(videoKey: string): Promise<number> {
    const found = await catalog.publications.identify([videoKey]);
    const publication = found.get(videoKey);
    if (!publication) throw new Fault('NOT_FOUND', 'There is no video of this key');
    return publication.videoId;
  }
}
