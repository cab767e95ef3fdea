/** The page of a share, also in the frames of other sites, and what it shows. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Catalog, Share } from '../../catalog/catalog.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { findDays } from '../../query/shares/pin.ts';
import { SharedView } from '../../wire/management/sessions.ts';
import { documented, type Operation } from '../openapi/operation.ts';
import { sendDashboard } from '../pages/dashboard-routes.ts';
import { securityHeaders } from '../server/security-headers.ts';
import type { AdmitReader } from './readers.ts';

interface SharedParts {
  readonly clock: Clock;
  readonly catalog: Pick<Catalog, 'shares' | 'videos'>;
  readonly admitReader: AdmitReader;
  readonly contentUrl: string | undefined;
}

interface PageRequest {
  Params: { tokenStart: string };
}

export function addSharedRoutes(app: FastifyInstance, parts: SharedParts): void {
  const { clock, catalog, admitReader } = parts;
  // The rest of the token is in the fragment: neither a server nor a proxy's log has it.
  app.get<PageRequest>('/shared/:tokenStart', async ({ params: { tokenStart } }, reply) => {
    const origins = await catalog.shares.originsOf(tokenStart);
    if (origins.length > 0) letEmbed(reply, origins, parts.contentUrl);
    return sendDashboard(reply);
  });

  app.get('/shared-view', documented(sharedView), async (request, reply) => {
    const { share } = await admitReader(request, reply, ['overview', 'video']);
    reply.header('cache-control', 'no-store');
    // A key has its own pages.
    if (share === undefined) return reply.status(204).send();
    return describeView(share);
  });

  async function describeView(share: Share): Promise<SharedView> {
    const { accountId, name, accessKey, timeZone, compare, filters, expiresAt } = share;
    const video =
      accessKey === undefined ? undefined : await catalog.videos.find(accountId, accessKey);
    return {
      ...{ name, timeZone, compare, filters },
      ...findDays(share, clock.now()),
      video: accessKey === undefined ? null : { accessKey, ...findLength(video) },
      expiresAt: expiresAt?.toISOString() ?? null,
    };
  }
}

/** Of a video that is deleted nothing is known but its statistics. */
function findLength(video: { readonly title: string; readonly durationMs: number } | undefined) {
  return { title: video?.title ?? '', lengthMs: video?.durationMs ?? 0 };
}

/** For this page alone. The header X-Frame-Options knows no list: the policy takes its place. */
function letEmbed(
  reply: FastifyReply,
  origins: readonly string[],
  contentUrl: string | undefined,
): void {
  const { 'content-security-policy': policy = '' } = securityHeaders(contentUrl);
  const ancestors = `frame-ancestors ${origins.join(' ')}`;
  reply.removeHeader('x-frame-options');
  reply.header(
    'content-security-policy',
    policy.replace("frame-ancestors 'none'", () => ancestors),
  );
}

const sharedView: Operation = {
  operationId: 'sharedView',
  tag: 'Dashboard',
  summary: 'Get what a share shows',
  description: 'Its days move at midnight of its time zone, if it shows the last ones.',
  scope: 'stats:read',
  isForShares: true,
  answers: {
    200: {
      description: 'The view of the share.',
      headers: ['RateLimit-Policy', 'RateLimit'],
      content: { 'application/json': SharedView },
    },
    204: {
      description: 'A key was sent, and no share.',
      headers: ['RateLimit-Policy', 'RateLimit'],
    },
  },
};
