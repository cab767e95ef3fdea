/** What holds at every path, those added later included: who may ask, and the headers. */
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listRoutes } from '../../src/http/app.ts';
import { startTestService, type TestService } from '../support/service.ts';

/** What a stranger may ask. Whoever adds a path without a key adds it here, knowingly. */
const open = [
  'post /collect/v1/beacons',
  'post /collect/v1/cmcd/:videoKey',
  'get /collect/v1/cmcd/:videoKey',
  'get /v1/new/player/video.json',
  'get /v1/player/stats/info.json',
  'get /play/api/videoPlays',
  'get /video/api/videoSections',
  'get /video/api/videoCuePoints',
  'get /healthz',
  'get /readyz',
  'get /metrics',
  'get /openapi.json',
  'post /session',
  'get /session',
  'delete /session',
  'get /session/ways',
  'post /session/forgotten',
  'post /session/reset',
  'post /session/email',
  'post /session/invitation',
  'post /session/acceptance',
  'post /session/oidc',
];
/** Pages, scripts and media. */
const openFiles =
  /^\/($|docs$|docs\/|(?:tracker|play)(?:\.es2015)?\.m?js$|watch$|watch\/:videoKey$|watch-assets\/|content\/|dashboard-assets\/|now$|quality$|library$|videos\/|settings($|\/)|me$|service$|favicon\.ico$|session\/oidc$|shared\/:tokenStart$)/;

const { described, others } = await listRoutes();
const operations = described.map(({ method, url }) => `${method} ${url}`);
const keyed = operations.filter((operation) => !open.includes(operation));

let service: TestService;
let key: string;
beforeAll(async () => {
  service = await startTestService();
  key = (await service.addAccount()).key;
});
afterAll(() => service.stop());

/** Every part of a path that varies names nothing that there is. */
async function ask(operation: string, headers: Record<string, string> = {}): Promise<Response> {
  const [method = '', url = ''] = operation.split(' ');
  const target = service.url + url.replaceAll(/:[A-Za-z]+/g, '987654').replace('*', 'theme.css');
  return fetch(target, { method: method.toUpperCase(), headers, redirect: 'manual' });
}

test.each(keyed)('%s wants a key, and nobody keeps the answer', async (operation) => {
  const refused = await ask(operation);
  expect(refused.status).toBe(401);
  const answered = await ask(operation, { 'x-api-key': key });
  expect(answered.status).not.toBe(401);
  for (const { headers } of [refused, answered]) {
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-disposition')).toBe('attachment; filename="answer.json"');
  }
});

test('nobody keeps the answer that holds a new key', async () => {
  const made = await service.request('/manage/v1/keys', {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ scopes: ['stats:read'] }),
  });
  expect(made.status).toBe(201);
  expect(made.headers.get('cache-control')).toBe('no-store');
});

const forSenders = open.filter((operation) => /\/(collect|player|api)\//.test(operation));

test.each(forSenders)('%s: whatever is answered has the mark of the service', async (operation) => {
  const sent = Date.now();
  expect(Number((await ask(operation)).headers.get('server-time'))).toBeGreaterThanOrEqual(sent);
});

test('what a stranger may ask is listed here', async () => {
  expect(open.filter((operation) => !operations.includes(operation))).toEqual([]);
  expect([...others].filter((url) => !openFiles.test(url))).toEqual([]);
});

const answers: readonly (readonly [string, () => Promise<Headers>])[] = [
  ...[...operations, ...[...others].map((url) => `get ${url}`)].map(
    (operation) => [operation, async () => (await ask(operation)).headers] as const,
  ),
  ['an unknown path', async () => (await ask('get /nothing')).headers],
  ['another method', async () => (await ask('delete /healthz')).headers],
  ['OPTIONS', async () => (await ask('options /healthz')).headers],
  ['beacons', async () => (await service.send([])).headers],
  ['bad beacons', async () => (await service.send([], { 'content-type': 'text/xml' })).headers],
  [
    'a URL that cannot be read',
    () => exchange('GET /%zz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'),
  ],
  ['no HTTP at all', () => exchange('hello\r\n\r\n')],
];

describe('every answer restricts what a browser may do with it', () => {
  test.each(answers)('%s', async (_, answer) => {
    const headers = await answer();
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-frame-options')).toBe('DENY');
    const policy = headers.get('content-security-policy')?.split(';');
    expect(policy).toEqual(
      expect.arrayContaining(["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"]),
    );
    // Nothing about the inside, and nothing that a browser would send by itself.
    for (const name of ['server', 'x-powered-by', 'set-cookie'])
      expect(headers.has(name)).toBe(false);
  });
});

test.each(['/watch-assets/', '/content/', '/docs/../package.json', '/content/%2e%2e%2fsecret'])(
  'no folder is listed, and no file but those meant is served: %s',
  async (path) => {
    const { status } = await exchangeLine(
      `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
    );
    expect(status).toBe(404);
  },
);

async function exchange(request: string): Promise<Headers> {
  return (await exchangeLine(request)).headers;
}

/** Over a bare socket: fetch corrects or refuses such requests. */
async function exchangeLine(request: string): Promise<{ status: number; headers: Headers }> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  socket.write(request);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  const [head = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const pairs = lines.map((line) => {
    const at = line.indexOf(':');
    return [line.slice(0, at), line.slice(at + 1).trim()] as [string, string];
  });
  return { status: Number(first.split(' ')[1]), headers: new Headers(pairs) };
}
