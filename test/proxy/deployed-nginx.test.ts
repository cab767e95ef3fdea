/** What the balancer of deploy/compose.yaml asks of a second node. The nodes are stand-ins. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startDeployedNginx } from './documented-nginx.ts';

/** All nodes say that they have no room, as while their stores are away. */
let asked: string[] = [];
let servers: Server[];
let nginx: Awaited<ReturnType<typeof startDeployedNginx>>;
beforeAll(async () => {
  servers = await Promise.all(
    ['node-1', 'node-2', 'node-3'].map(async (name) => {
      const server = createServer((request, response) => {
        asked.push(name);
        request.resume().on('end', () => response.writeHead(503).end());
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      return server;
    }),
  );
  nginx = await startDeployedNginx(servers.map((one) => (one.address() as AddressInfo).port));
});
afterAll(async () => {
  await nginx.stop();
  for (const server of servers) server.close().closeAllConnections();
});
beforeEach(() => {
  asked = [];
});

test.each([
  ['POST', '/collect/v1/beacons', 2],
  ['POST', '/collect/v1/cmcd/KEY', 2],
  ['GET', '/report/statistics/video/v2/query', 2],
  ['POST', '/manage/v1/videos', 1],
  ['PATCH', '/manage/v1/videos/1', 1],
  ['POST', '/session', 1],
])('%s %s is asked of %i nodes', async (method, path, nodes) => {
  const body = method === 'GET' ? {} : { body: '{}' };
  const { status } = await fetch(`http://127.0.0.1:${nginx.port}${path}`, { method, ...body });
  expect({ status, nodes: new Set(asked).size, times: asked.length }).toEqual({
    ...{ status: 503, nodes, times: nodes },
  });
});
