/** What there is to read about the interface: the OpenAPI document and the pages made of it. */
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { Fault } from '../wire/faults.ts';
import { type KeptAnswer, keepAnswer, sendKept } from './kept-answer.ts';
import type { OpenApiDocument } from './openapi/openapi.ts';
import { documented, type Operation } from './openapi/operation.ts';
import { referencePages } from './reference/reference-page.ts';
import { searchIndex } from './reference/search-index.ts';

const assetFolder = join(import.meta.dirname, 'reference');
const assets = ['reference.css', 'reference.js', 'search.js'];

/** `document` is called only once all routes are registered. */
export function addReferenceRoutes(app: FastifyInstance, document: () => OpenApiDocument): void {
  let openApi: KeptAnswer | undefined;
  app.get('/openapi.json', documented(openApiOperation), async (request, reply) => {
    openApi ??= keepAnswer('application/json', JSON.stringify(document()));
    return sendKept(request, reply, openApi);
  });

  let pages: ReadonlyMap<string, KeptAnswer> | undefined;
  const sendPage = async (request: FastifyRequest, reply: FastifyReply) => {
    pages ??= new Map(
      [...referencePages(document())].map(([path, page]) => [
        path,
        keepAnswer('text/html; charset=utf-8', page),
      ]),
    );
    const page = pages.get(new URL(request.url, 'http://here').pathname);
    if (page === undefined) throw new Fault('NOT_FOUND', 'There is no such page');
    return sendKept(request, reply, page);
  };
  app.get('/docs', sendPage);
  app.get('/docs/:page', sendPage);

  let index: KeptAnswer | undefined;
  app.get('/docs/search.json', async (request, reply) => {
    index ??= keepAnswer('application/json', JSON.stringify(searchIndex(document())));
    return sendKept(request, reply, index);
  });
  for (const file of assets) {
    app.get(`/docs/${file}`, async (_request, reply) => reply.sendFile(file, assetFolder));
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
