/** Builds the HTTP interface out of its parts; main.ts listens. */
import corsPlugin from '@fastify/cors';
import helmetPlugin from '@fastify/helmet';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Registry } from 'prom-client';
import type { Catalog } from '../catalog/catalog.ts';
import type { Collector } from '../collect/collector.ts';
import type { Facts } from '../facts/open-facts.ts';
import type { Reporter } from '../report/reporter.ts';
import { answerFaults, bodyFault } from './answer-faults.ts';
import { addCollectRoutes } from './collect-routes.ts';
import { addHealthRoutes } from './health-routes.ts';
import { createRateLimit } from './rate-limit.ts';
import { addReportRoutes } from './report-routes.ts';
import { addWatchRoutes } from './watch-routes.ts';

const exposedHeaders = [
  'as-of',
  'complete-through',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'server-time',
];

export interface AppParts {
  readonly catalog: Catalog;
  readonly collector: Collector;
  readonly reporter: Reporter;
  readonly facts: Facts;
  readonly metrics: Registry;
  readonly logger: FastifyBaseLogger;
  readonly requestsPerMinute: number;
  readonly tracker: { readonly script: string; readonly module: string };
  readonly contentFolder: string;
  /** Content host of the videos, where it is not this service. */
  readonly contentUrl: string | undefined;
  /** Origins that may ask with a key from a browser; '*' is any. */
  readonly corsOrigins: readonly string[];
  readonly trustProxy: boolean;
}

export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: parts.logger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: parts.trustProxy,
    routerOptions: { maxParamLength: 512 },
    requestTimeout: 60_000,
    forceCloseConnections: 'idle',
  });
  answerFaults(app);
  await secure(app, parts);
  takeJsonAsText(app);
  const rateLimit = createRateLimit(parts.requestsPerMinute);
  addCollectRoutes(app, parts);
  addReportRoutes(app, { ...parts, rateLimit });
  addHealthRoutes(app, parts);
  await addWatchRoutes(app, parts);
  return app;
}

async function secure(app: FastifyInstance, parts: AppParts): Promise<void> {
  const { corsOrigins, contentUrl } = parts;
  const contentOrigins = contentUrl === undefined ? [] : [new URL(contentUrl).origin];
  await app.register(helmetPlugin, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:', ...contentOrigins],
        mediaSrc: ["'self'", 'blob:', ...contentOrigins],
        connectSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    // The tracker's script, the beacons and the media are there for other sites to use.
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    strictTransportSecurity: false,
  });
  await app.register(corsPlugin, {
    // Players report from everywhere and send no key; asking is for the configured origins.
    delegator: (request, done) => {
      const open = request.url.startsWith('/collect/') || corsOrigins.includes('*');
      done(null, {
        origin: open ? '*' : [...corsOrigins],
        methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
        allowedHeaders: ['x-api-key', 'authorization', 'content-type', 'idempotency-key'],
        exposedHeaders,
        maxAge: 86_400,
      });
    },
  });
}

/** Browsers send text/plain without a preflight. */
function takeJsonAsText(app: FastifyInstance): void {
  app.addContentTypeParser('text/plain', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, JSON.parse(String(body)));
    } catch {
      done(bodyFault('is not valid JSON'));
    }
  });
}
