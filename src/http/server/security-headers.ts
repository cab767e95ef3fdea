/** Headers of every answer for browsers: security, and which origins may send requests (CORS). */
import corsPlugin from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../lib/time/clock.ts';

const exposedHeaders = [
  'as-of',
  'complete-through',
  'country-attribution',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'server-time',
  'viewer-basis',
  'x-request-id',
];

/** Paths that players on other sites use without a key. */
export const forPlayers = /^\/(?:collect\/|play\/|v1\/player\/|(?:tracker|play)\.|content\/)/;

/** Where playback is reported. */
const forSenders = /^\/(?:collect|play\/api|video\/api|v1\/player|v1\/new\/player)\//;

/** Answers with an account's data: for programs, never to be opened by a browser as a page. */
const forPrograms = /^\/(?:(?:report|info|manage)\/|session$|shared-view$)/;

/** How such an answer is named where it is saved. */
export function attachment(fileName: string): string {
  return `attachment; filename="${fileName}"`;
}

/** Headers of every answer to a player, on any site. */
export function headersForPlayers(contentUrl: string | undefined): Record<string, string> {
  return {
    ...securityHeaders(contentUrl),
    vary: 'Origin',
    'access-control-allow-origin': '*',
    'access-control-expose-headers': exposedHeaders.join(', '),
  };
}

/**
 * Senders correct their clocks by it, and take answers without it for those of a proxy in between,
 * after which they send again.
 */
export function serverTime(clock: Clock): Record<string, string> {
  return { 'server-time': String(clock.now()) };
}

/** Sets the headers that every answer has; `contentUrl` is the content host, if it is another one. */
export function secureAnswers(
  app: FastifyInstance,
  clock: Clock,
  contentUrl: string | undefined,
): void {
  const headers = securityHeaders(contentUrl);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers);
    if (forSenders.test(request.url)) reply.headers(serverTime(clock));
    if (forPrograms.test(request.url)) {
      reply.header('content-disposition', attachment('answer.json'));
    }
    done();
  });
}

/** Browsers may send requests with a key from `corsOrigins`; '*' is any. */
export async function allowOrigins(
  app: FastifyInstance,
  corsOrigins: readonly string[],
): Promise<void> {
  await app.register(corsPlugin, {
    delegator: (request, done) => {
      const open = forPlayers.test(request.url) || corsOrigins.includes('*');
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

/**
 * The same for every answer, so they are built once: a library that did so for each request
 * took a tenth of its time. No Strict-Transport-Security: that is up to the proxy that ends TLS.
 */
export function securityHeaders(contentUrl: string | undefined): Record<string, string> {
  const contentOrigin = contentUrl === undefined ? '' : ` ${new URL(contentUrl).origin}`;
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' data:${contentOrigin}`,
    `media-src 'self' blob:${contentOrigin}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    'content-security-policy': policy.join(';'),
    // The tracker's script, the beacons and the media are meant for other sites.
    'cross-origin-resource-policy': 'cross-origin',
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  };
}
