/** What operators ask; the form of each answer is checked by `request` itself. */
import { expect, onTestFinished, test } from 'vitest';
import { startTestService } from '../support/service.ts';

test('a service with its stores is alive and ready, and measures itself', async () => {
  const service = await startTestService();
  onTestFinished(() => service.stop());
  expect(await (await service.request('/healthz')).json()).toEqual({ status: 'ok' });
  const ready = await service.request('/readyz');
  expect(ready.status).toBe(200);
  expect(await ready.json()).toEqual({ status: 'ok', catalog: 'ok', statistics: 'ok' });
  const metrics = await (await service.request('/metrics')).text();
  expect(metrics).toMatch(/^playmeter_beacons_received_total 0$/m);
});

test('without its statistics store it is alive, but not ready', async () => {
  const environment = { CLICKHOUSE_URL: 'http://127.0.0.1:9' };
  const service = await startTestService({ environment, waitsForStores: false });
  onTestFinished(() => service.stop());
  expect((await service.request('/healthz')).status).toBe(200);
  const ready = await service.request('/readyz');
  expect(ready.status).toBe(503);
  expect(ready.headers.get('retry-after')).toBe('1');
  expect(await ready.json()).toMatchObject({ status: 'unavailable', catalog: 'ok' });
});

test('the page that plays a video is kept by nobody', async () => {
  const service = await startTestService();
  onTestFinished(() => service.stop());
  const account = await service.addAccount();
  const videoKey = await account.publish(await account.addPackage(), await account.addVideo());
  for (const path of ['/watch', `/watch/${videoKey}`]) {
    const page = await fetch(service.url + path, { headers: { accept: 'text/html' } });
    expect(page.headers.get('cache-control')).toBe('no-store');
  }
});

test('the metrics include what operators need', async () => {
  const service = await startTestService();
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
  await service.stop();
});
