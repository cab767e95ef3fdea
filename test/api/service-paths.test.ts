/** What operators ask; the form of each answer is checked by `request` itself. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '../../src/app/log/service-log.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { waitUntil } from '../support/wait-until.ts';

let service: TestService;
/** One without its statistics store, and what it logs. */
let without: TestService;
const lines: Record<string, unknown>[] = [];
beforeAll(async () => {
  service = await startTestService();
  const stream = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const log = createLog({ level: 'warn', clock: systemClock, stream });
  const environment = { CLICKHOUSE_URL: 'http://127.0.0.1:9' };
  without = await startTestService({ environment, waitsForStores: false, log });
});
afterAll(async () => {
  await Promise.all([service?.stop(), without?.stop()]);
});

test('a service with its stores is alive and ready, and measures itself', async () => {
  expect(await (await service.request('/healthz')).json()).toEqual({ status: 'ok' });
  const ready = await service.request('/readyz');
  expect(ready.status).toBe(200);
  expect((await service.request('/readyz?for=fun')).status).toBe(400);
  expect(await ready.json()).toEqual({
    ...{ status: 'ok', catalog: 'ok', statistics: 'ok', collecting: 'ok' },
  });
  const metrics = await (await service.request('/metrics')).text();
  expect(metrics).toMatch(/^playmeter_beacons_received_total 0$/m);
});

test('a request that the service could not answer has an id, which its log has too', async () => {
  const { key } = await without.addAccount();
  const noted = (response: Response) => {
    const requestId = response.headers.get('x-request-id');
    return { requestId, lines: lines.filter((line) => line.requestId === requestId).length };
  };
  // Taken the direct way, and by the framework; one line a second is logged.
  const beacons = [{ view: 'v', stretch: 0, playMs: 1_000, videoKey: 'x' }];
  const collected = await without.send(beacons);
  expect([collected.status, noted(collected)]).toEqual([
    503,
    expect.objectContaining({ lines: 1 }),
  ]);
  await waitUntil('the next line to be written', async () => {
    const asked = await without.get('/report/statistics/video/v2/live', key);
    expect(asked.status).toBe(503);
    const { requestId, lines } = noted(asked);
    expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
    return lines === 1;
  });
  expect((await without.request('/healthz')).headers.has('x-request-id')).toBe(false);
});

test('the page that plays a video is kept by nobody', async () => {
  const account = await service.addAccount();
  const videoKey = await account.publish(await account.addPackage(), await account.addVideo());
  for (const path of ['/watch', `/watch/${videoKey}`]) {
    const page = await fetch(service.url + path, { headers: { accept: 'text/html' } });
    expect(page.headers.get('cache-control')).toBe('no-store');
  }
});

test('the metrics include what operators need', async () => {
  await service.get('/healthz', '');
  await fetch(`${service.url}/made-up/by-a-stranger`);
  const text = await (await fetch(`${service.url}/metrics`)).text();
  for (const name of [
    'playmeter_beacons_received_total',
    'playmeter_spool_waiting_facts 0',
    'playmeter_statistics_ready 1',
    'playmeter_complete_through_age_seconds',
    'playmeter_http_request_seconds_count{method="GET",route="/healthz",status="200"}',
    'playmeter_process_resident_memory_bytes',
  ]) {
    expect(text).toContain(name);
  }
  expect(text).not.toContain('made-up');
});
