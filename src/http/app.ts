/** Builds the HTTP interface from its parts; main.ts listens. */
import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Registry } from 'prom-client';
import type { Catalog } from '../catalog/catalog.ts';
import type { Collector } from '../collect/collector.ts';
import type { Countries } from '../collect/enrich/country/countries.ts';
import type { CmcdCollector } from '../collect/forms/cmcd/cmcd-collector.ts';
import type { PlayerLog } from '../collect/forms/player-log/player-log.ts';
import type { Networks, TrustedProxies } from '../lib/network/network-list.ts';
import type { Clock } from '../lib/time/clock.ts';
import { noAccount } from '../operations/operation.ts';
import type { Curves } from '../query/curve-service.ts';
import type { QueryService } from '../query/query-service.ts';
import type { ViewersService } from '../query/viewers/viewers.ts';
import type { CountrySource } from '../vocabulary/country-source.ts';
import type { Role } from '../vocabulary/roles.ts';
import { parseQuery } from '../wire/parameters.ts';
import { type Authentication, createAuthenticate } from './authentication/authentication.ts';
import { addOidcRoutes } from './authentication/oidc/oidc-routes.ts';
import {
  createPeopleParts,
  type PeopleParts,
  type PeopleSettings,
} from './authentication/people-parts.ts';
import { addPersonRoutes } from './authentication/person-routes.ts';
import { answerByRole, collects } from './authentication/role-answers.ts';
import { addSessionRoutes } from './authentication/session-routes.ts';
import { createPlaceFinder } from './authentication/sign-in-place.ts';
import { addCmcdRoutes } from './beacons/cmcd-routes.ts';
import {
  addCollectRoutes,
  type TakeDirectly,
  takeBeaconsDirectly,
} from './beacons/direct-beacons.ts';
import { addPlayerLogRoutes } from './beacons/player-log-routes.ts';
import { createSenderReader, type SenderOf } from './beacons/sender.ts';
import {
  addHealthRoutes,
  createAskHealth,
  type HealthParts,
  type HealthSources,
} from './health-routes.ts';
import { addInfoRoutes } from './library/info-routes.ts';
import { boundBodies, createBodyMemory } from './limits/byte-limits.ts';
import { createLimits, type LimitSettings, type Limits } from './limits/limits.ts';
import { boundPages, type NoteLimited } from './limits/rate-limits.ts';
import { addManageRoutes, type ManageRoutesParts } from './management/operation-routes.ts';
import { createServiceState, type ServiceStateParts } from './management/service-state.ts';
import { type NotedRoutes, noteRoutes, openApiDocument } from './openapi/document.ts';
import type { OpenApiDocument } from './openapi/openapi.ts';
import { addDashboardRoutes } from './pages/dashboard-routes.ts';
import { addReferenceRoutes } from './pages/reference-routes.ts';
import { addWatchRoutes } from './pages/watch-routes.ts';
import { addCurveRoutes } from './questions/curve-routes.ts';
import { addAudienceRoutes } from './questions/query-routes.ts';
import { addReportRoutes } from './questions/statistics-routes.ts';
import { addViewersRoute } from './questions/viewers-routes.ts';
import {
  type ConnectionLimits,
  type LimitedConnections,
  limitConnections,
} from './server/connection-limits.ts';
import {
  answerFaults,
  answerOptions,
  answerStopping,
  answerUnknown,
  createFaultNotes,
} from './server/fault-answers.ts';
import { refuseFraming } from './server/framing.ts';
import { keepAlive } from './server/idle-timeout.ts';
import { refuseRepeatedHeaders } from './server/repeated-headers.ts';
import { createRequestMeter, measureRequests } from './server/request-metrics.ts';
import {
  allowOrigins,
  headersForPlayers,
  secureAnswers,
  securityHeaders,
} from './server/security-headers.ts';
import {
  createFindSender,
  type IsOperator,
  type ReportedCountry,
  recognizeOperator,
  reportedCountry,
  type SenderAddress,
  senderAddress,
} from './server/sender-address.ts';
import { answerUnreadable } from './server/unreadable-answers.ts';
import { type AdmitReader, createAdmitReader } from './shares/readers.ts';
import { addSharedRoutes } from './shares/shared-routes.ts';

export interface AppParts extends LimitSettings {
  readonly clock: Clock;
  readonly catalog: Catalog;
  readonly collector: Collector;
  readonly cmcd: CmcdCollector;
  readonly playerLog: PlayerLog;
  readonly curves: Curves;
  readonly queryService: QueryService;
  readonly viewersService: ViewersService;
  readonly countrySource: CountrySource;
  readonly signingSealer: ManageRoutesParts['signingSealer'];
  readonly ruleContext: ManageRoutesParts['ruleContext'];
  readonly peopleSettings: PeopleSettings;
  readonly facts: HealthSources['facts'] & ManageRoutesParts['facts'];
  readonly spool: HealthSources['spool'];
  readonly version: string;
  readonly examine: ServiceStateParts['examine'];
  readonly limitSettings: ServiceStateParts['limitSettings'];
  readonly accountLedger: ManageRoutesParts['accountLedger'];
  readonly suspects: ManageRoutesParts['suspects'];
  readonly eraser: ManageRoutesParts['eraser'];
  readonly importVideos: ManageRoutesParts['importVideos'];
  readonly composeMessage: ManageRoutesParts['composeMessage'];
  readonly metrics: Registry;
  readonly logger: FastifyBaseLogger;
  readonly wrongKeysPerMinute: number;
  readonly contentFolder: string;
  /** Content host of the videos, if it is not this service. */
  readonly contentUrl: string | undefined;
  /** The URL of the service, if it is not the one that a request names. */
  readonly publicUrl: string | undefined;
  /** Origins from which a browser may send requests with a key; '*' is any. */
  readonly corsOrigins: readonly string[];
  readonly trustedProxies: TrustedProxies;
  /** The header in which trusted proxies send the viewer's country. */
  readonly countryHeader: string | undefined;
  readonly countries: Countries;
  readonly connectionLimits: ConnectionLimits;
  /** Whether an address may read what is for the operator alone, without a key. */
  readonly isOperatorNetwork: Networks;
  readonly role: Role;
  /** The metrics of all processes of this node; default: of this one. */
  readonly metricsOfAll?: HealthParts['metricsOfAll'];
}

const requestTimeoutMs = 60_000;
/** For the head of a request: a connection that sends a byte at a time is not kept for longer. */
const headersTimeoutMs = 15_000;
const checkTimeoutsEveryMs = 5_000;
/** Without a byte in either direction: so long may no answer take, nor its receiver stand still. */
const silenceMs = 120_000;

export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const noteLimited: NoteLimited = ({ accountId }, reason) => {
    if (accountId === noAccount) return;
    parts.accountLedger.note([{ accountId, code: `LIMITED_${reason}` }]);
  };
  const limits = createLimits(parts, noteLimited);
  const meterOf = createRequestMeter(parts.metrics);
  const headers = headersForPlayers(parts.contentUrl);
  const bodyMemory = createBodyMemory();
  const noteFault = createFaultNotes(parts.clock, parts.metrics);
  const senders = createSenders(parts);
  const { addressOf, isProxy } = senders;
  const { keys, sessions, shares } = parts.catalog;
  const authentication = createAuthenticate({ ...parts, keys, sessions, addressOf });
  const placeOf = createPlaceFinder({ ...parts, ...senders });
  const people = createPeopleParts(parts.peopleSettings, { ...parts, placeOf });
  const asking = { ...limits, ...authentication, ...people, addressOf };
  const isOperator = recognizeOperator({
    ...{ ...parts, isProxy },
    findSender: createFindSender(parts.trustedProxies),
  });
  const connections = limitConnections({ ...parts, limits: parts.connectionLimits, isProxy });
  const direct = {
    ...parts,
    silenceMs,
    ...senders,
    ...authentication,
    noteSent: connections.noteSent,
    addressLimit: limits.addressLimit,
    bodyMemory,
    meterOf,
    headers,
    noteFault,
  };
  const takeDirectly = collects(parts.role) ? takeBeaconsDirectly(direct) : () => false;
  const commonHeaders = securityHeaders(parts.contentUrl);
  const refuse: RequestListener = ({ method = 'none' }, response) => {
    noteFault(parts.logger, answerStopping(response, commonHeaders));
    meterOf({ method, route: 'none', status: response.statusCode })(0);
  };
  const app = Fastify({
    loggerInstance: parts.logger,
    ...namedRequests(),
    // For the host and the protocol alone: addresses are read by sender-address.ts.
    trustProxy: parts.trustedProxies,
    routerOptions: { maxParamLength: 512, querystringParser: parseQuery },
    forceCloseConnections: 'idle',
    ...answerUnreadable(commonHeaders, (status) =>
      meterOf({ method: 'none', route: 'none', status })(0),
    ),
    serverFactory: (route) =>
      startServer({ takeDirectly, route, refuseWhileStopping: refuse }, connections),
  });
  app.addHook('onResponse', async (_request, reply) => connections.noteSent(reply.raw));
  app.addHook('preClose', async () => connections.leave(app.server));
  answerFaults(app, noteFault);
  measureRequests(app, meterOf);
  secureAnswers(app, parts.clock, parts.contentUrl);
  answerByRole(app, parts.role);
  refuseFraming(app);
  refuseRepeatedHeaders(app);
  answerOptions(app);
  boundBodies(app, bodyMemory);
  await allowOrigins(app, parts.corsOrigins);
  answerUnknown(app);
  // Only beacons come as text; see direct-beacons.ts.
  app.removeContentTypeParser('text/plain');
  const askHealth = createAskHealth(parts);
  await addRoutes(app, {
    ...parts,
    ...senders,
    ...asking,
    askHealth,
    state: createServiceState({ ...parts, askHealth }),
    admitReader: createAdmitReader({ ...parts, ...asking, shares }),
    isOperator,
  });
  return app;
}

/** The log names a request by the id that its answer has. */
function namedRequests() {
  const logController = new LogController({
    disableRequestLogging: true,
    requestIdLogLabel: 'requestId',
  });
  return { genReqId: () => randomUUID(), logController };
}

/** Where requests come from, in the service's own view. */
function createSenders({ trustedProxies, countryHeader }: AppParts): Senders {
  const isProxy = (address: string) => trustedProxies(address, 0);
  const reported = reportedCountry(countryHeader, isProxy);
  return {
    isProxy,
    addressOf: senderAddress(trustedProxies),
    reportedCountry: reported,
    senderOf: createSenderReader(reported),
  };
}

interface Handlers {
  readonly takeDirectly: TakeDirectly;
  readonly route: RequestListener;
  readonly refuseWhileStopping: RequestListener;
}

function startServer(
  { takeDirectly, route, refuseWhileStopping }: Handlers,
  connections: LimitedConnections,
): Server {
  const options = {
    // While a body waits for room, as little of it as possible is held.
    highWaterMark: 4_096,
    requestTimeout: requestTimeoutMs,
    headersTimeout: headersTimeoutMs,
    connectionsCheckingInterval: checkTimeoutsEveryMs,
    // See idle-timeout.ts.
    keepAliveTimeout: 0,
  };
  const handle: RequestListener = (request, response) => {
    if (!server.listening) return refuseWhileStopping(request, response);
    if (takeDirectly(request, response)) return;
    request.socket.setTimeout(silenceMs);
    if (response.shouldKeepAlive) response.setHeader(...keepAlive);
    route(request, response);
  };
  const server = createServer(options, (_request, response) => connections.enter(response, handle));
  connections.bound(server);
  return server;
}

export async function describeInterface(): Promise<OpenApiDocument> {
  return openApiDocument((await listRoutes()).described);
}

/** Needs no service: routes use their parts only when a request comes. */
export async function listRoutes(): Promise<NotedRoutes> {
  const app = Fastify();
  const routes = await addRoutes(app, {} as RouteParts);
  await app.ready();
  return routes;
}

interface Senders {
  /** Whether the other end of a connection is a trusted proxy. */
  readonly isProxy: (address: string) => boolean;
  readonly addressOf: SenderAddress;
  readonly reportedCountry: ReportedCountry;
  readonly senderOf: SenderOf;
}

interface RouteParts extends AppParts, Senders, Limits, Authentication, PeopleParts {
  readonly admitReader: AdmitReader;
  readonly isOperator: IsOperator;
  readonly askHealth: HealthParts['askHealth'];
  readonly state: ManageRoutesParts['state'];
}

async function addRoutes(app: FastifyInstance, parts: RouteParts): Promise<NotedRoutes> {
  const routes = noteRoutes(app);
  app.decorateRequest('caller');
  addReportRoutes(app, parts);
  addCurveRoutes(app, parts);
  addAudienceRoutes(app, parts);
  addViewersRoute(app, parts);
  addInfoRoutes(app, parts);
  addCollectRoutes(app);
  addCmcdRoutes(app, parts);
  addPlayerLogRoutes(app, parts);
  await addManageRoutes(app, parts);
  addHealthRoutes(app, parts);
  await app.register(async (pages) => {
    boundPages(pages, parts);
    addSessionRoutes(pages, parts);
    addPersonRoutes(pages, parts);
    addOidcRoutes(pages, parts);
    await addWatchRoutes(pages, parts);
    await addDashboardRoutes(pages);
    addSharedRoutes(pages, parts);
    addReferenceRoutes(pages, () => openApiDocument(routes.described));
  });
  return routes;
}
