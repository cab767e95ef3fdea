/** What there is to read: the OpenAPI document, and the documentation. */

import { hash } from 'node:crypto';
import { basename, dirname } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { projectFolder } from '../../lib/folders.ts';
import { makeOnce } from '../../lib/values/memo.ts';
import { Fault } from '../../vocabulary/faults.ts';
import type { OpenApiDocument } from '../openapi/openapi.ts';
import { documented, type Operation } from '../openapi/operation.ts';
import { guideSite } from './guides/guide-pages.ts';
import { type Language, sayIn } from './messages/messages.ts';
import { readPlainFrame } from './page-frame.ts';
import { readerLanguage } from './reader-language.ts';

/** Served as they are written. */
const assets = ['src/http/pages/guides/docs.css', 'src/http/pages/guides/search.js'];

const pagePaths = ['/docs', '/docs/:page', '/docs/guide/:guide', '/docs/guide/decisions/:decision'];

interface Site {
  readonly pages: ReadonlyMap<string, FixedAnswer>;
  readonly pictures: ReadonlyMap<string, string>;
  readonly index: FixedAnswer;
}

async function siteIn(title: string, language: Language): Promise<Site> {
  const frame = await readPlainFrame('/docs', language);
  const guides = guideSite({ site: title, language, say: sayIn(language), frame });
  return {
    pages: new Map(
      [...guides.pages].map(([path, page]) => [
        path,
        fixedAnswer('text/html; charset=utf-8', page),
      ]),
    ),
    pictures: guides.pictures,
    index: fixedAnswer('application/json', JSON.stringify(guides.entries)),
  };
}

/** `document` is called only once all routes are registered. */
export function addReferenceRoutes(app: FastifyInstance, document: () => OpenApiDocument): void {
  let openApi: FixedAnswer | undefined;
  app.get('/openapi.json', documented(openApiOperation), async (request, reply) => {
    openApi ??= fixedAnswer('application/json', JSON.stringify(document()));
    return sendFixed(request, reply, openApi);
  });

  const madeIn = makeOnce((language: Language) => siteIn(document().info.title, language));
  const siteFor = (request: FastifyRequest, reply: FastifyReply): Promise<Site> =>
    madeIn(readerLanguage(request, reply));
  const sendPage = async (request: FastifyRequest, reply: FastifyReply) => {
    const page = (await siteFor(request, reply)).pages.get(
      new URL(request.url, 'http://here').pathname,
    );
    if (page === undefined) throw new Fault('NOT_FOUND', 'There is no such page');
    return sendFixed(request, reply, page);
  };
  for (const path of pagePaths) app.get(path, sendPage);

  app.get('/docs/search.json', async (request, reply) => {
    return sendFixed(request, reply, (await siteFor(request, reply)).index);
  });
  app.get('/docs/pictures/:picture', async (request, reply) => {
    const file = (await siteFor(request, reply)).pictures.get(
      new URL(request.url, 'http://here').pathname,
    );
    if (file === undefined) throw new Fault('NOT_FOUND', 'There is no such picture');
    return reply.sendFile(basename(file), dirname(file));
  });
  for (const asset of assets) {
    const path = `/docs/${basename(asset)}`;
    app.get(path, async (_request, reply) => reply.sendFile(asset, projectFolder));
  }
}

const openApiOperation = {
  operationId: 'openapi',
  tag: 'Service',
  summary: 'Get the OpenAPI document',
  answers: {
    200: {
      description: 'The interface in OpenAPI 3.1.',
      content: {
        'application/json': Type.Object({
          openapi: Type.String({ pattern: '^3\\.1\\.', examples: ['3.1.1'] }),
          info: Type.Object({}),
          paths: Type.Object({}),
        }),
      },
    },
    304: { description: 'The document that `If-None-Match` names has not changed.' },
  },
  faults: ['RATE_LIMITED'],
} as const satisfies Operation;

interface FixedAnswer {
  readonly type: string;
  readonly bytes: Buffer;
  readonly etag: string;
}

/** Answers that are the same for everybody: made once, and sent as the same bytes each time. */
function fixedAnswer(type: string, text: string): FixedAnswer {
  const bytes = Buffer.from(text);
  return { type, bytes, etag: `"${hash('sha256', bytes, 'base64url').slice(0, 27)}"` };
}

/** A reader that has it asks again each time, and gets 304. */
function sendFixed(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, bytes, etag }: FixedAnswer,
): FastifyReply {
  reply.headers({ 'cache-control': 'no-cache', etag });
  if (request.headers['if-none-match']?.includes(etag)) return reply.status(304).send();
  return reply.type(type).send(bytes);
}
