/** Requests whose end or content a proxy and the service could see differently. */
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const empty = '{"beacons":[]}';
const chunks = `e\r\n${empty}\r\n0\r\n\r\n`;
const withLength = `Content-Length: ${empty.length}\r\n`;
const host = 'Host: a\r\n';

const beacons = (version: string, headers: string, body: string) =>
  `POST /collect/v1/beacons ${version}\r\n${host}Content-Type: text/plain\r\n${headers}\r\n${body}`;

test('chunks twice', async () => {
  const twice = 'Transfer-Encoding: chunked, chunked\r\n';
  expect(await statusOf(beacons('HTTP/1.1', twice, chunks))).toBe(400);
});

test.each([
  ['HTTP/2.0', 505],
  ['HTTP/0.9', 505],
  ['HTTP/1.2', 505],
  ['HTTP/3.0', 505],
  ['HTTP/1.1', 200],
  ['HTTP/1.0', 200],
])('a request of %s: %d', async (version, status) => {
  expect(await statusOf(`GET /healthz ${version}\r\n${host}\r\n`)).toBe(status);
  expect(await statusOf(beacons(version, withLength, empty))).toBe(status);
});

test('a line without a version', async () => {
  expect(await statusOf('GET /healthz\r\n\r\n')).toBe(505);
});

test('nothing more is read from such a connection', async () => {
  const next = `GET /healthz HTTP/1.1\r\n${host}\r\n`;
  const odd = beacons('HTTP/1.1', 'Transfer-Encoding: gzip, chunked\r\n', chunks);
  expect((await exchange(odd + next)).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400']);
});

test('whatever is answered is counted, also where there is no request to speak of', async () => {
  const counted =
    /^playmeter_http_request_seconds_count{method="none",route="none",status="400"} (\d+)$/m;
  const count = async () => {
    const text = await (await service.request('/metrics')).text();
    return Number(counted.exec(text)?.[1] ?? 0);
  };
  const before = await count();
  expect(await statusOf('EHLO\r\n\r\n')).toBe(400);
  expect(await statusOf(`GET /%ZZ HTTP/1.1\r\n${host}\r\n`)).toBe(400);
  expect(await count()).toBe(before + 2);
});

async function statusOf(request: string): Promise<number> {
  const answer = await exchange(request);
  const [, status] = /^HTTP\/1\.1 (\d+) /.exec(answer) ?? [];
  return Number(status);
}

/** Over a bare socket: fetch corrects or refuses such requests. */
async function exchange(request: string): Promise<string> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  socket.end(request);
  const pieces: Buffer[] = [];
  for await (const piece of socket) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}
