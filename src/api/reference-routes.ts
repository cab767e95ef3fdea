/** What there is to read about the interface: the OpenAPI document and the page made of it. */
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import type { OpenApiDocument } from './openapi/openapi.ts';
import { documented } from './openapi/operation.ts';
import { referencePage } from './reference/reference-page.ts';

const assetFolder = join(import.meta.dirname, 'reference');
const assets = ['reference.css', 'reference.js'];

/** `document` is asked for only when all routes are there. */
export function addReferenceRoutes(app: FastifyInstance, document: () => OpenApiDocument): void {
  let text: string | undefined;
  app.get('/openapi.json', documented(openApiOperation), async (_request, reply) => {
    text ??= JSON.stringify(document());
    return reply.type('application/json').header('cache-control', 'no-cache').send(text);
  });

  let page: string | undefined;
  app.get('/docs', async (_request, reply) => {
    page ??= referencePage(document());
    return reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(page);
  });
  for (const file of assets) {
    app.get(`/docs/${file}`, async (_request, reply) => reply.sendFile(file, assetFolder));
  }
  app.get('/', async (_request, reply) => reply.redirect('/docs', 302));
}

const openApiOperation = {
  operationId: 'openapi',
  tag: 'Service',
  summary: 'This document',
  answers: {
    200: {
      description: 'The interface, in OpenAPI 3.1.',
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
