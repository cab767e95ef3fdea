/** What the client does when the service does not answer at first: limits, outages, silence. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { Fault, toProblem } from '../src/vocabulary/faults.ts';
import { startTestService } from '../test/support/service.ts';
import { Playmeter, PlaymeterError } from './src/index.ts';

const range = { sdate: '2026-03-01', edate: '2026-03-31' };

/** Counts the attempts; those before `failures` are over get `fail` in place of the service. */
function counting(failures = 0, fail?: () => Promise<Response>) {
  const counter = { attempts: 0, fetch };
  async function fetch(...request: Parameters<typeof globalThis.fetch>): Promise<Response> {
    counter.attempts += 1;
    return fail && counter.attempts <= failures ? fail() : globalThis.fetch(...request);
  }
  return counter;
}

function limited(retryAfter: string): () => Promise<Response> {
  return async () =>
    new Response(JSON.stringify(toProblem(new Fault('RATE_LIMITED', 'Too many'))), {
      status: 429,
      headers: { 'content-type': 'application/problem+json', 'retry-after': retryAfter },
    });
}

test('over the limit of its key it says when to come back', async () => {
  const service = await startTestService({ environment: { RATE_LIMIT_PER_MINUTE: '2' } });
  onTestFinished(() => service.stop());
  const { key } = await service.addAccount();
  const client = new Playmeter({ url: service.url, key, retries: 0 });
  await client.statistics.date(range);
  await client.statistics.date(range);
  const error = await client.statistics.date(range).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(PlaymeterError);
  expect(error).toMatchObject({ code: 'RATE_LIMITED', status: 429 });
  expect((error as PlaymeterError).retryAfterSeconds).toBeGreaterThan(0);
});

test('waits as long as Retry-After asks, then succeeds', async () => {
  const service = await startTestService();
  onTestFinished(() => service.stop());
  const { key } = await service.addAccount();
  const counter = counting(2, limited('0'));
  const client = new Playmeter({ url: service.url, key, fetch: counter.fetch });
  expect((await client.statistics.date(range)).rows).toEqual([]);
  expect(counter.attempts).toBe(3);
});

test('what was deleted when the answer was lost is deleted; what was never there is not', async () => {
  const service = await startTestService();
  onTestFinished(() => service.stop());
  const account = await service.addAccount();
  const accessKey = await account.addVideo();
  let lost: () => Promise<Response> = limited('0');
  const clientThatLoses = () => {
    const { fetch } = counting(1, () => lost());
    return new Playmeter({ url: service.url, key: account.key, fetch });
  };
  const notFound = { code: 'NOT_FOUND', status: 404 };
  await expect(clientThatLoses().manage.deleteVideo('never')).rejects.toMatchObject(notFound);

  const headers = { 'x-api-key': account.key };
  lost = async () => {
    await service.request(`/manage/v1/videos/${accessKey}`, { method: 'DELETE', headers });
    throw new TypeError('fetch failed');
  };
  expect(await clientThatLoses().manage.deleteVideo(accessKey)).toBeUndefined();
  const client = new Playmeter({ url: service.url, key: account.key });
  await expect(client.information.thumbnails({ accessKey })).rejects.toMatchObject(notFound);
  // Another request is not meant by this.
  const change = clientThatLoses().manage.changeVideo(accessKey, { title: 'Film' });
  await expect(change).rejects.toMatchObject(notFound);
});

test('does not wait for a server that asks for too long', async () => {
  const counter = counting(9, limited('3600'));
  const client = new Playmeter({ url: 'http://127.0.0.1:9', fetch: counter.fetch });
  await expect(client.statistics.date(range)).rejects.toMatchObject({ retryAfterSeconds: 3_600 });
  expect(counter.attempts).toBe(1);
});

test('gives up after its retries', async () => {
  const counter = counting(9, limited('0'));
  const client = new Playmeter({ url: 'http://127.0.0.1:9', fetch: counter.fetch, retries: 2 });
  await expect(client.statistics.date(range)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  expect(counter.attempts).toBe(3);
});

test('a statistics store that is not there is UNAVAILABLE, after trying again', async () => {
  const service = await startTestService({ waitsForStores: false, environment: nowhere });
  onTestFinished(() => service.stop());
  const { key } = await service.addAccount();
  const counter = counting();
  const client = new Playmeter({ url: service.url, key, fetch: counter.fetch, retries: 1 });
  await expect(client.statistics.date(range)).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    status: 503,
    retryAfterSeconds: 1,
  });
  expect(counter.attempts).toBe(2);
});

const nowhere = { CLICKHOUSE_URL: 'http://127.0.0.1:9' };

test('nobody listens', async () => {
  const { url, close } = await startSilent();
  await close();
  const client = new Playmeter({ url, retries: 1 });
  const error = await client.statistics.date(range).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'NETWORK', status: undefined });
});

test('a silent server is not waited for longer than timeoutMs', async () => {
  const { url } = await startSilent();
  const client = new Playmeter({ url, timeoutMs: 50, retries: 0 });
  await expect(client.statistics.date(range)).rejects.toMatchObject({ code: 'TIMEOUT' });
});

test('a signal ends the call, with its reason and without retries', async () => {
  const { url } = await startSilent();
  const counter = counting();
  const client = new Playmeter({ url, fetch: counter.fetch });
  const stop = new AbortController();
  const call = client.statistics.date(range, { signal: stop.signal });
  stop.abort(new Error('No longer needed'));
  await expect(call).rejects.toThrow('No longer needed');
  expect(counter.attempts).toBe(1);
});

test('a signal ends the wait for the next attempt', async () => {
  const stop = new AbortController();
  const counter = counting(9, async () => {
    setImmediate(() => stop.abort(new Error('No longer needed')));
    return limited('30')();
  });
  const client = new Playmeter({ url: 'http://127.0.0.1:9', fetch: counter.fetch });
  const call = client.statistics.date(range, { signal: stop.signal });
  await expect(call).rejects.toThrow('No longer needed');
  expect(counter.attempts).toBe(1);
});

/** Takes requests and never answers. */
async function startSilent() {
  const server = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  onTestFinished(close);
  return { url: `http://127.0.0.1:${port}`, close };
}
