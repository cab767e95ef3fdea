/** What there is to read about the interface: the OpenAPI document and the pages made of it. */
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { Fault } from '../wire/faults.ts';
import type { OpenApiDocument } from './openapi/openapi.ts';
import { documented } from './openapi/operation.ts';
import { referencePages } from './reference/reference-page.ts';
import { searchIndex } from './reference/search-index.ts';

const assetFolder = join(import.meta.dirname, 'reference');
const assets = ['reference.css', 'reference.js', 'search.js'];

/** `document` is called only once all routes are registered. */
export function addReferenceRoutes(app: FastifyInstance, document: () => OpenApiDocument): void {
  let text: string | undefined;
  app.get('/openapi.json', documented(openApiOperation), async (_request, reply) => {
    text ??= JSON.stringify(document());
    return reply.type('application/json').header('cache-control', 'no-cache').send(text);
  });

  let pages: ReadonlyMap<string, string> | undefined;
  const sendPage = async (request: FastifyRequest, reply: FastifyReply) => {
    pages ??= referencePages(document());
    const page = pages.get(new URL(request.url, 'http://here').pathname);
    if (page === undefined) throw new Fault('NOT_FOUND', 'There is no such page');
    return reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(page);
  };
  app.get('/docs', sendPage);
  app.get('/docs/:page', sendPage);

  let index: string | undefined;
  app.get('/docs/search.json', async (_request, reply) => {
    index ??= JSON.stringify(searchIndex(document()));
    return reply.type('application/json').header('cache-control', 'no-cache').send(index);
  });
  for (const file of assets) {
    app.get(`/docs/${file}`, async (_request, reply) => reply.sendFile(file, assetFolder));
  }
  app.get('/', async (_request, reply) => reply.redirect('/docs', 302));
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
  },
} as const;
