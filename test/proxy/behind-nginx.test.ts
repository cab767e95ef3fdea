/** The service behind a real nginx, as docs/proxy.md configures both. */
import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { request as open } from 'node:https';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';
import { startDocumentedNginx } from './documented-nginx.ts';

const servername = 'media.example.com';
const ca = readFileSync(join(import.meta.dirname, `${servername}.pem`));
const perMinute = 20;
const site = 'https://site.example';

let service: TestService;
let nginx: Awaited<ReturnType<typeof startDocumentedNginx>>;
let account: TestAccount;
let packageId: number;
let accessKey: string;
let videoKey: string;
beforeAll(async () => {
  service = await startTestService({
    environment: {
      TRUST_PROXY: '127.0.0.1',
      COLLECT_LIMIT_PER_MINUTE: String(perMinute),
      WRONG_KEY_LIMIT_PER_MINUTE: '2',
    },
  });
  nginx = await startDocumentedNginx(Number(new URL(service.url).port));
  account = await service.addAccount();
  packageId = await account.addPackage();
  accessKey = await account.addVideo();
  videoKey = await account.publish(packageId, accessKey);
  const allowedOrigins = [site];
  await service.catalog.packages.change(account.accountId, packageId, { allowedOrigins });
});
afterAll(async () => {
  await nginx.stop();
  await service.stop();
});

interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  /** An address of this machine. */
  readonly from?: string;
}

interface Answered {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

function send({ method = 'GET', path, headers = {}, body = '', from }: Sent): Promise<Answered> {
  const to = { host: '127.0.0.1', port: nginx.port, servername, ca, localAddress: from };
  const all = { host: servername, 'content-length': Buffer.byteLength(body), ...headers };
  return new Promise((resolve, reject) => {
    const sent = open({ ...to, agent: false, method, path, headers: all }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk) => chunks.push(chunk));
      answer.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: answer.statusCode, headers: answer.headers, text });
      });
    });
    sent.on('error', reject).end(body);
  });
}

const beacons = (
  headers: Record<string, string> = {},
  from = '127.0.2.1',
  path = '/collect/v1/beacons',
) => {
  const at = new Date().toISOString();
  const body = JSON.stringify({ beacons: [{ view: 'v', stretch: 0, at, playMs: 0, videoKey }] });
  return send({
    method: 'POST',
    path,
    body,
    from,
    headers: { 'content-type': 'text/plain', ...headers },
  });
};

test('beacons come through, and what they say of their page', async () => {
  const answer = await beacons({ origin: site });
  expect(answer.status).toBe(200);
  expect(JSON.parse(answer.text)).toEqual({ accepted: 1, rejected: [] });
  expect(answer.headers['strict-transport-security']).toBe('max-age=31536000');
  for (const headers of [
    { origin: 'https://elsewhere.example' },
    { referer: 'https://elsewhere.example/page' },
    { 'sec-fetch-site': 'cross-site' },
  ]) {
    const { text } = await beacons(headers as Record<string, string>);
    expect(JSON.parse(text)).toMatchObject({ rejected: [{ code: 'ORIGIN' }] });
  }
});

test('nobody passes the limit of an address by writing others', async () => {
  const statuses: (number | undefined)[] = [];
  for (let sent = 0; sent <= perMinute; sent += 1) {
    const forged = { 'x-forwarded-for': `198.51.100.${sent}, 127.0.0.1` };
    statuses.push((await beacons(forged, '127.0.2.2')).status);
  }
  expect(statuses).toEqual([...Array(perMinute).fill(200), 429]);
  expect((await beacons({}, '127.0.2.3')).status).toBe(200);
});

test('nor the limit of wrong keys, and others are not held up', async () => {
  const asked = (from: string) =>
    send({
      path: '/manage/v1/account',
      from,
      headers: { 'x-api-key': 'x', 'x-real-ip': '1.2.3.4' },
    });
  const statuses = [await asked('127.0.2.4'), await asked('127.0.2.4'), await asked('127.0.2.4')];
  expect(statuses.map(({ status }) => status)).toEqual([401, 401, 429]);
  expect((await asked('127.0.2.5')).status).toBe(401);
});

test("under names of the site's own the tracker comes, and reports count", async () => {
  const script = await send({ path: '/media/play.js' });
  expect(script.text).toBe((await send({ path: '/tracker.js' })).text);
  const answer = await beacons({ origin: site }, '127.0.2.6', '/media/progress.json');
  expect(JSON.parse(answer.text)).toEqual({ accepted: 1, rejected: [] });
  expect(Number(answer.headers['server-time'])).toBeGreaterThan(0);
  expect((await send({ path: '/media/manage/v1/me' })).status).toBe(404);
});

test('addresses in answers are those that senders use', async () => {
  const path = `/info/videopack/detail/v1/info.json?accessKey=${accessKey}&packageId=${packageId}`;
  const headers = { 'x-api-key': account.key, 'x-forwarded-host': 'evil.example' };
  const { text } = await send({ path, headers });
  expect(text).toContain(`"https://${servername}/content/${videoKey}"`);
});

test('an operator sees what the service takes for the address', async () => {
  const { text } = await send({
    path: '/manage/v1/me',
    from: '127.0.2.6',
    headers: { 'x-api-key': account.key, 'x-forwarded-for': '198.51.100.1' },
  });
  expect(JSON.parse(text)).toMatchObject({
    ...{ address: '127.0.2.6', addressBy: 'X-Forwarded-For' },
    ...{ connection: '127.0.0.1', isTrustedProxy: true, ignoredHeaders: [] },
  });
});

test('health is public, its details are not', async () => {
  expect((await send({ path: '/healthz' })).status).toBe(200);
  for (const path of ['/metrics', '/readyz']) expect((await send({ path })).status).toBe(404);
});

test('a body of 1 MiB comes through, a larger one does not', async () => {
  const sized = (bytes: number) =>
    send({
      method: 'POST',
      path: '/collect/v1/beacons',
      body: '{"beacons":[]}'.padEnd(bytes),
      headers: { 'content-type': 'text/plain' },
    });
  expect((await sized(1_048_576)).status).toBe(200);
  expect((await sized(1_048_577)).status).toBe(413);
});

test('HTTP/2', async () => {
  const session = connectHttp2(`https://127.0.0.1:${nginx.port}`, { ca, servername });
  const stream = session.request({ ':path': '/healthz', ':authority': servername });
  const status = await new Promise((resolve, reject) => {
    stream.on('response', (headers) => resolve(headers[':status'])).on('error', reject);
  });
  expect(status).toBe(200);
  session.destroy();
});

test.each([
  ['two hosts', `Host: ${servername}\r\nHost: other.example\r\n\r\n`],
  ['two lengths', `Host: ${servername}\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
  [
    'a length and chunks',
    `Host: ${servername}\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  ],
  ['a key twice', `Host: ${servername}\r\nx-api-key: a\r\nx-api-key: b\r\n\r\n`],
])('what two programs could read differently is refused: %s', async (_, rest) => {
  const socket = connect({ host: '127.0.0.1', port: nginx.port, ca, servername });
  socket.write(`POST /collect/v1/beacons HTTP/1.1\r\nConnection: close\r\n${rest}`);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 400 /);
});
