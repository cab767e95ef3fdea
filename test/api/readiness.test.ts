/** Which of a service's two tasks it can do, and what is counted where it cannot. */
import Fastify from 'fastify';
import { Registry } from 'prom-client';
import { expect, onTestFinished, test } from 'vitest';
import { addHealthRoutes, createAskHealth } from '../../src/http/health-routes.ts';
import type { Role } from '../../src/vocabulary/roles.ts';
import { startTestService } from '../support/service.ts';

interface Ill {
  readonly catalog?: string;
  readonly statistics?: string;
  readonly collecting?: string;
}

/** The statuses of /readyz without a purpose, for beacons and for questions. */
async function readiness(ill: Ill, role: Role = 'all') {
  const app = Fastify();
  onTestFinished(() => app.close());
  const pingOf = (failure: string | undefined) => async () => {
    if (failure !== undefined) throw new Error(failure);
  };
  addHealthRoutes(app, {
    askHealth: createAskHealth({
      catalog: { ping: pingOf(ill.catalog) },
      facts: { ping: pingOf(ill.statistics), whyNotReady: () => undefined },
      spool: { whyNotReady: () => ill.collecting },
    }),
    role,
    metrics: new Registry(),
    isOperator: () => true,
    authenticateOperator: () => Promise.reject(new Error('nobody has a key')),
  });
  const paths = ['/readyz', '/readyz?for=collect', '/readyz?for=report'];
  const answers = await Promise.all(paths.map((path) => app.inject(path)));
  for (const answer of answers) {
    const { status, ...parts } = answer.json();
    const well = { catalog: 'ok', statistics: 'ok', collecting: 'ok' };
    expect([status, parts]).toEqual([
      answer.statusCode === 200 ? 'ok' : 'unavailable',
      { ...well, ...ill },
    ]);
  }
  return answers.map(({ statusCode }) => statusCode);
}

test.each<[string, Ill, Role, number[]]>([
  ['all is well', {}, 'all', [200, 200, 200]],
  ['the disk is full', { collecting: 'The disk is full' }, 'all', [503, 503, 200]],
  ['facts wait in the journal', { statistics: 'gone' }, 'all', [503, 200, 503]],
  ['the catalog is away', { catalog: 'gone' }, 'all', [503, 503, 503]],
  ['a full disk where no beacons come', { collecting: 'full' }, 'report', [200, 503, 200]],
  ['a full disk where beacons come', { collecting: 'full' }, 'collect', [503, 503, 200]],
])('%s', async (_, ill, role, statuses) => {
  expect(await readiness(ill, role)).toEqual(statuses);
});

test('beacons that are refused before they are read are counted, by the reason', async () => {
  const environment = { CLICKHOUSE_URL: 'http://127.0.0.1:9' };
  const service = await startTestService({ environment, waitsForStores: false });
  onTestFinished(() => service.stop());
  const beacons = [{ view: 'v', stretch: 0, playMs: 1_000, videoKey: 'x' }];
  expect((await service.send(beacons)).status).toBe(503);
  const inPortions = await service.send(beacons, { 'content-type': 'text/plain; a=b' });
  expect(inPortions.status).toBe(503);
  const metrics = await (await service.request('/metrics')).text();
  const counted = (reason: string) =>
    new RegExp(`^playmeter_requests_unavailable_total{reason="${reason}"} (\\d+)$`, 'm').exec(
      metrics,
    )?.[1];
  expect(['store', 'disk', 'catalog', 'overload', 'role', 'stopping'].map(counted)).toEqual([
    ...['2', '0', '0', '0', '0', '0'],
  ]);
});
