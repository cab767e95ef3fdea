/** While the engine is away the service says so, and works again by itself when it is back. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isAlive, type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { waitUntil } from '../support/wait-until.ts';

let service: ServiceProcess;
beforeAll(async () => {
  service = await startServiceProcess();
});
afterAll(() => service?.remove());

test('503 with the reason while the engine is away, then all as before', async () => {
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  const before = service.engineProcesses().length;
  process.kill(service.engineProcesses().at(-1) ?? 0, 'SIGKILL');

  await waitUntil('the service to notice', async () => {
    // At first it only finds that nothing answers; then, that the process has ended.
    return (await (await fetch(`${service.url}/readyz`)).text()).includes('SIGKILL');
  });
  // The service waits a little before it starts the engine again: all of this fits in.
  const [ready, sent, asked, alive] = await Promise.all([
    fetch(`${service.url}/readyz`),
    send(),
    ask(),
    fetch(`${service.url}/healthz`),
  ]);
  expect(await ready.json()).toMatchObject({
    status: 'unavailable',
    catalog: 'ok',
    statistics: expect.stringContaining('SIGKILL'),
  });
  // Beacons wait a second for the engine, which may be back by then.
  expect([200, 503]).toContain(sent.status);
  for (const response of [sent, asked].filter(({ status }) => status !== 200)) {
    expect(response.status).toBe(503);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    const problem = await response.json();
    expect(problem).toMatchObject({ code: 'UNAVAILABLE', status: 503, isSuccess: false });
    expect(JSON.stringify(problem)).not.toContain('SIGKILL');
  }
  expect(asked.status).toBe(503);
  expect(alive.status).toBe(200);

  await waitUntil('another engine', () => service.engineProcesses().length > before);
  await waitUntil('readiness', async () => (await fetch(`${service.url}/readyz`)).status === 200);
  expect((await send()).status).toBe(200);
  expect((await ask()).status).toBe(200);
});

test.each(['SIGTERM', 'SIGINT'] as const)('%s stops the service in order', async (signal) => {
  const engine = service.engineProcesses().at(-1) ?? 0;
  expect(await service.kill(signal)).toBe(0);
  expect(isAlive(engine)).toBe(false);
  await service.start();
});

test('further pages of an answer outlive the process that gave the first', async () => {
  type Body = { data: { list: unknown[]; requestId: string; nextToken: string } };
  const first = (await (await ask('&fill=zero&pageSize=10')).json()) as Body;
  await service.kill('SIGKILL');
  await service.start();
  const { requestId, nextToken } = first.data;
  const second = await ask(`&requestId=${requestId}&nextToken=${nextToken}`);
  expect(second.status).toBe(200);
  const { list } = ((await second.json()) as Body).data;
  expect([...first.data.list, ...list]).toHaveLength(30);
});

function send(): Promise<Response> {
  const at = new Date().toISOString();
  const videoKey = service.pageAddress.replace(/^.*\/watch\/|#.*$/g, '');
  const beacon = { view: 'a', stretch: 0, at, playMs: 0, videoKey };
  return fetch(`${service.url}/collect/v1/beacons`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: JSON.stringify({ beacons: [beacon] }),
  });
}

function ask(more = ''): Promise<Response> {
  const address = '/report/statistics/video/v1/info/date?sdate=2026-11-01&edate=2026-11-30';
  return fetch(service.url + address + more, { headers: { 'x-api-key': service.key } });
}
