/** The dashboard: one page for all its paths, and the files that its build made. */
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import staticPlugin from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { projectFolder } from '../../lib/folders.ts';
import { Fault } from '../../vocabulary/faults.ts';

const folder = join(projectFolder, 'dashboard/dist');
const page = 'index.html';
const iconSeconds = 86_400;
const dashboardIcon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4" fill="#3b5bdb"/><path d="M4 11V8M8 11V4M12 11V6.5" stroke="#fff" stroke-width="2" stroke-linecap="round"/></svg>`;
/** Its script reads from the URL what to show. */
const paths = [
  ...['/', '/now', '/quality', '/library', '/videos/:accessKey'],
  ...['/settings', '/settings/:part', '/me', '/service'],
];

/** The dashboard is built when the service is installed. */
export async function requireDashboard(within = folder): Promise<void> {
  await access(join(within, page)).catch((cause) => {
    const detail = `${join(within, page)} is missing: start with npm start, which builds it`;
    throw new Fault('UNAVAILABLE', detail, { cause });
  });
}

export async function addDashboardRoutes(app: FastifyInstance): Promise<void> {
  await app.register(staticPlugin, {
    root: join(folder, 'assets'),
    prefix: '/dashboard-assets/',
    decorateReply: false,
    // Named after their content, and packed by the build.
    immutable: true,
    maxAge: '365d',
    preCompressed: true,
    index: false,
  });
  // Asked for by whatever shows no page: a feed, an answer of the interface in a tab.
  app.get('/favicon.ico', async (_request, reply) => {
    const icon = reply
      .type('image/svg+xml')
      .header('cache-control', `public, max-age=${iconSeconds}`);
    return icon.send(dashboardIcon);
  });
  for (const path of paths) {
    app.get(path, async (_request, reply) => sendDashboard(reply));
  }
}

export function sendDashboard(reply: FastifyReply): FastifyReply {
  return reply.header('cache-control', 'no-cache').sendFile(page, folder, { cacheControl: false });
}
