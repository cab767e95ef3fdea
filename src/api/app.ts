/** Builds the HTTP interface out of its parts; main.ts listens. */
import { createServer, type RequestListener, type Server } from 'node:http';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Registry } from 'prom-client';
import type { Catalog } from '../catalog/catalog.ts';
import type { CmcdCollector } from '../collect/cmcd/cmcd-collector.ts';
import type { Collector } from '../collect/collector.ts';
import type { PlayerLog } from '../collect/player-log/player-log.ts';
import type { Reporter } from '../report/reporter.ts';
import { type AddressLimit, createAddressLimit } from './address-limit.ts';
import { answerFaults, bodyFault, createFaultNotes } from './answer-faults.ts';
import { answerOptions, answerUnknown } from './answer-other-methods.ts';
import { answerBadAddress, answerBadBytes } from './answer-unreadable.ts';
import { boundBodies, createBodyRoom } from './body-room.ts';
import { addCmcdRoutes } from './cmcd-routes.ts';
import { addCollectRoutes } from './collect-routes.ts';
import { type TakeDirectly, takeBeaconsDirectly } from './direct-beacons.ts';
import { addHealthRoutes, type HealthParts } from './health-routes.ts';
import { addInfoRoutes } from './info-routes.ts';
import type { LedgerParts } from './manage/ledger-routes.ts';
import { addManageRoutes } from './manage/manage-routes.ts';
import { createRequestMeter, measureRequests } from './measure-requests.ts';
import { type NotedRoutes, noteRoutes, openApiDocument } from './openapi/document.ts';
import type { OpenApiDocument } from './openapi/openapi.ts';
import { addPlayerLogRoutes } from './player-log-routes.ts';
import { createRateLimit, type RateLimit } from './rate-limit.ts';
import { addReferenceRoutes } from './reference-routes.ts';
import { addReportRoutes } from './report-routes.ts';
import { allowOrigins, headersForPlayers, secureAnswers } from './secure.ts';
import { addWatchRoutes } from './watch-routes.ts';

export interface AppParts {
  readonly catalog: Catalog;
  readonly collector: Collector;
  readonly cmcd: CmcdCollector;
  readonly playerLog: PlayerLog;
  readonly reporter: Reporter;
  readonly facts: HealthParts['facts'] & LedgerParts['facts'];
  readonly accounts: LedgerParts['accounts'];
  readonly metrics: Registry;
  readonly logger: FastifyBaseLogger;
  readonly requestsPerMinute: number;
  /** That one address may send without a key. */
  readonly collectsPerMinute: number;
  readonly tracker: { readonly script: string; readonly module: string };
  readonly contentFolder: string;
  /** Content host of the videos, where it is not this service. */
  readonly contentUrl: string | undefined;
  /** Where the service is reached, if not at the address that a request names. */
  readonly publicUrl: string | undefined;
  /** Origins that may ask with a key from a browser; '*' is any. */
  readonly corsOrigins: readonly string[];
  readonly trustProxy: boolean;
}

const requestTimeoutMs = 60_000;
const keepAliveMs = 72_000;

export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const rateLimit = createRateLimit(parts.requestsPerMinute);
  const addressLimit = createAddressLimit(parts.collectsPerMinute);
  const observe = createRequestMeter(parts.metrics);
  const headers = headersForPlayers(parts.contentUrl);
  const bodyRoom = createBodyRoom();
  const noteFault = createFaultNotes();
  const direct = { ...parts, addressLimit, bodyRoom, observe, headers, noteFault };
  const takeDirectly = takeBeaconsDirectly(direct);
  const app = Fastify({
    loggerInstance: parts.logger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: parts.trustProxy,
    routerOptions: { maxParamLength: 512 },
    forceCloseConnections: 'idle',
    frameworkErrors: answerBadAddress,
    clientErrorHandler: answerBadBytes,
    serverFactory: (route) => startServer(takeDirectly, route),
  });
  answerFaults(app, noteFault);
  measureRequests(app, observe);
  secureAnswers(app, parts.contentUrl);
  answerOptions(app);
  boundBodies(app, bodyRoom);
  await allowOrigins(app, parts.corsOrigins);
  answerUnknown(app);
  takeJsonAsText(app);
  await addRoutes(app, { ...parts, rateLimit, addressLimit });
  return app;
}

function startServer(takeDirectly: TakeDirectly, route: RequestListener): Server {
  // Of a body that waits for room, as little is held as can be.
  const server = createServer({ highWaterMark: 4_096 }, (request, response) => {
    // One that stops leaves all to the framework, which lets go of the connections.
    if (!server.listening || !takeDirectly(request, response)) route(request, response);
  });
  server.requestTimeout = requestTimeoutMs;
  server.keepAliveTimeout = keepAliveMs;
  return server;
}

export async function describeInterface(): Promise<OpenApiDocument> {
  return openApiDocument((await listRoutes()).described);
}

/** Without a service: routes reach for their parts only when asked. */
export async function listRoutes(): Promise<NotedRoutes> {
  const app = Fastify();
  const routes = await addRoutes(app, {} as RouteParts);
  await app.ready();
  return routes;
}

interface RouteParts extends AppParts {
  readonly rateLimit: RateLimit;
  readonly addressLimit: AddressLimit;
}

async function addRoutes(app: FastifyInstance, parts: RouteParts): Promise<NotedRoutes> {
  const routes = noteRoutes(app);
  addReportRoutes(app, parts);
  addInfoRoutes(app, parts);
  addCollectRoutes(app, parts);
  addCmcdRoutes(app, parts);
  addPlayerLogRoutes(app, parts);
  await addManageRoutes(app, parts);
  addHealthRoutes(app, parts);
  await addWatchRoutes(app, parts);
  addReferenceRoutes(app, () => openApiDocument(routes.described));
  return routes;
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
