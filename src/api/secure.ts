/** What every answer carries for browsers: security headers, and who may ask from which page. */
import corsPlugin from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

const exposedHeaders = [
  'as-of',
  'complete-through',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'server-time',
];

/** What players on other sites load and report to, without a key. */
const forPlayers = /^\/(?:collect\/|play\/|v1\/player\/|tracker\.|content\/)/;

/** What every answer to a player carries, whatever site it plays on. */
export function headersForPlayers(contentUrl: string | undefined): Record<string, string> {
  return {
    ...securityHeaders(contentUrl),
    vary: 'Origin',
    'access-control-allow-origin': '*',
    'access-control-expose-headers': exposedHeaders.join(', '),
  };
}

/** Sets the security headers; `contentUrl` is the videos' content host, where it is another. */
export function secureAnswers(app: FastifyInstance, contentUrl: string | undefined): void {
  const headers = securityHeaders(contentUrl);
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
}

/** `corsOrigins` may ask with a key from a browser; '*' is any. */
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
 * The same for every answer, so they are put together once: a library that did so for each request
 * took a tenth of its time. No Strict-Transport-Security: it is for whoever ends TLS to say.
 */
function securityHeaders(contentUrl: string | undefined): Record<string, string> {
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
    // The tracker's script, the beacons and the media are there for other sites to use.
    'cross-origin-resource-policy': 'cross-origin',
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  };
}
