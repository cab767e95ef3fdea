/** What is answered where there is no route: the paths and methods that nobody serves. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/service.ts';

const byDate = '/report/statistics/video/v1/info/date';
const missing = { code: 'NOT_FOUND', status: 404, isSuccess: false };
let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

test.each(['GET', 'POST', 'DELETE', 'OPTIONS'])(
  'an unknown path, whatever is sent: %s',
  async (method) => {
    const sent = method === 'POST' ? { headers: { 'content-type': 'text/xml' }, body: '<a/>' } : {};
    const response = await service.request('/nothing/here', { method, ...sent });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject(missing);
  },
);

test('whatever asks for an icon by itself gets one', async () => {
  const response = await fetch(`${service.url}/favicon.ico`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^image\/svg\+xml/);
  expect(response.headers.get('cache-control')).toBe('public, max-age=86400');
  expect(await response.text()).toMatch(/^<svg /);
});

test.each([
  ['POST', byDate, 'GET, HEAD, OPTIONS'],
  ['DELETE', byDate, 'GET, HEAD, OPTIONS'],
  ['PUT', '/watch/some-key', 'GET, HEAD, OPTIONS'],
  ['PATCH', '/content/some-key?a=b', 'GET, HEAD, OPTIONS'],
  ['POST', '/docs', 'GET, HEAD, OPTIONS'],
])('%s %s is refused with what is allowed', async (method, path, allow) => {
  const response = await service.request(path, { method });
  expect(response.status).toBe(405);
  expect(response.headers.get('allow')).toBe(allow);
  expect(await response.json()).toMatchObject({ code: 'METHOD_NOT_ALLOWED' });
});

test('a refused method comes before a bad body', async () => {
  const headers = { 'content-type': 'application/json' };
  const response = await service.request(byDate, { method: 'POST', headers, body: '{' });
  expect(response.status).toBe(405);
});

test.each([
  [byDate, 401],
  ['/healthz', 200],
  ['/nothing', 404],
])('HEAD %s is answered with %i and no body', async (path, status) => {
  const response = await service.request(path, { method: 'HEAD' });
  expect(response.status).toBe(status);
  expect(await response.text()).toBe('');
});

test('a problem may be read by a page of another site', async () => {
  const response = await service.request('/nothing', { headers: { origin: 'https://a.example' } });
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
});

test.each([
  ['/report/%zz', 400, 'INVALID_PARAMETER'],
  ['/watch/%ff', 400, 'INVALID_PARAMETER'],
  [`/watch/${'a'.repeat(600)}`, 404, 'NOT_FOUND'],
  [`/healthz?${'a'.repeat(20_000)}`, 413, 'PAYLOAD_TOO_LARGE'],
])('a URL that cannot be read: %.20s', async (path, status, code) => {
  const { head, body } = await exchange(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
  expect(head).toContain(` ${status} `);
  expect(head.toLowerCase()).toContain('content-type: application/problem+json');
  expect(JSON.parse(body)).toMatchObject({ status, code, isSuccess: false });
});

test('a HEAD that cannot be read is answered without a body', async () => {
  const { head, body } = await exchange(`HEAD /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`);
  expect(head).toContain(' 413 ');
  expect(body).toBe('');
});

test.each(['PROPFIND', 'TRACE'])('the method %s', async (method) => {
  const { head, body } = await exchange(`${method} ${byDate} HTTP/1.1\r\nHost: a\r\n\r\n`);
  expect(head).toContain(' 405 ');
  expect(JSON.parse(body)).toMatchObject({ code: 'METHOD_NOT_ALLOWED' });
});

test('whoever sends what is not HTTP and never closes its side keeps no connection', async () => {
  const port = Number(new URL(service.url).port);
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const [taken] = (await once(service.app.server, 'connection')) as [Socket];
  socket.write('hello\r\n\r\n');
  socket.resume();
  await once(taken, 'close');
  socket.destroy();
});

test.each([
  ['two lengths', 'Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}'],
  ['a length and chunks', 'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
  ['a space before the colon', 'Content-Length : 2\r\n\r\n{}'],
  ['a header on two lines', 'X-A: b\r\n c\r\nContent-Length: 2\r\n\r\n{}'],
])('what two programs could read differently: %s', async (_, rest) => {
  const head = 'POST /collect/v1/beacons HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\n';
  const answer = await exchange(`${head}${rest}`);
  expect(answer.head).toContain(' 400 ');
});

/** Over a bare socket: fetch corrects or refuses such requests. */
async function exchange(request: string): Promise<{ head: string; body: string }> {
  const { port } = new URL(service.url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.end(request);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  const [head = '', body = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n');
  return { head, body };
}
