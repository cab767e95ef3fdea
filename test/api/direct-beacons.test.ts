/** Beacons have a short way and a route: whichever a request takes, it is answered the same. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/service.ts';

const path = '/collect/v1/beacons';
/** The parameter is of no meaning, and unusual enough for the route. */
const ways = { short: 'application/json', route: 'application/json; way=route' };

let service: TestService;
let videoKey: string;
beforeAll(async () => {
  service = await startTestService({ environment: { TRUST_PROXY: 'loopback' } });
  const account = await service.addAccount();
  videoKey = await account.publish(await account.addPackage(), await account.addVideo());
});
afterAll(() => service.stop());

const beacon = () => ({ view: 'v', stretch: 0, at: new Date().toISOString(), playMs: 0, videoKey });

interface Answered {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: unknown;
}

const changing = ['date', 'server-time', 'ratelimit', 'retry-after', 'x-request-id'];

async function answered(response: Response): Promise<Answered> {
  const headers = Object.fromEntries(response.headers);
  for (const name of changing) {
    if (headers[name] !== undefined) headers[name] = 'some';
  }
  return { status: response.status, headers, body: await response.json() };
}

async function bothWays(
  of: TestService,
  body: string,
  headers: Record<string, string> = {},
): Promise<Answered> {
  const ask = async (way: keyof typeof ways) => {
    const init = { method: 'POST', headers: { 'content-type': ways[way], ...headers }, body };
    return answered(await of.request(path, init));
  };
  const [short, route] = [await ask('short'), await ask('route')];
  expect(short).toEqual(route);
  return short;
}

test.each([
  ['a beacon', () => ({ beacons: [beacon()] }), 200],
  ['none', () => ({ beacons: [] }), 200],
  ['one that is refused', () => ({ beacons: [beacon(), { ...beacon(), playMs: -1 }] }), 200],
  ['a video that is unknown', () => ({ beacons: [{ ...beacon(), videoKey: 'none' }] }), 200],
  ['what only a key may say', () => ({ beacons: [{ ...beacon(), userAgent: 'x' }] }), 200],
  ['no list', () => ({ beacons: {} }), 400],
  ['no beacons', () => [], 400],
  ['nothing', () => null, 400],
  ['too many', () => ({ beacons: Array(1_001).fill(0) }), 400],
  ['more bytes than are taken', () => ({ beacons: ['a'.repeat(1_100_000)] }), 413],
])('%s', async (_, body, status) => {
  expect((await bothWays(service, JSON.stringify(body()))).status).toBe(status);
});

test('from a page of another site', async () => {
  const body = JSON.stringify({ beacons: [beacon()] });
  const { headers } = await bothWays(service, body, { origin: 'https://a.example' });
  expect(headers).toMatchObject({ 'access-control-allow-origin': '*', 'server-time': 'some' });
});

test('what a browser sends without a preflight is taken', async () => {
  const body = JSON.stringify({ beacons: [beacon()] });
  for (const type of ['text/plain', 'text/plain;charset=UTF-8']) {
    const headers = { 'content-type': type };
    const response = await service.request(path, { method: 'POST', headers, body });
    expect(await response.json()).toMatchObject({ accepted: 1 });
  }
});

test.each(['x-api-key', 'bearer'])('a key is honoured: %s', async (kind) => {
  const account = await service.addAccount();
  const key = await account.publish(await account.addPackage(), await account.addVideo());
  const keyed = { ...beacon(), videoKey: key, userAgent: 'App/1.2' };
  const headersWith = (secret: string) =>
    kind === 'bearer' ? { authorization: `Bearer ${secret}` } : { 'x-api-key': secret };
  const body = JSON.stringify({ beacons: [keyed] });
  expect((await bothWays(service, body)).body).toMatchObject({
    rejected: [{ code: 'KEY_REQUIRED' }],
  });
  expect((await bothWays(service, body, headersWith(account.key))).body).toEqual({
    accepted: 1,
    rejected: [],
  });
  expect((await bothWays(service, body, headersWith('none'))).status).toBe(401);
  // Whose key is wrong learns that first, whatever the body is.
  expect((await bothWays(service, '{', headersWith('none'))).status).toBe(401);
});

test('other credentials are no key', async () => {
  const body = JSON.stringify({ beacons: [beacon()] });
  for (const authorization of ['Basic eDp5', 'Bearer', 'Bearer ']) {
    expect((await bothWays(service, body, { authorization })).status).toBe(200);
  }
});

test('the store is away', async () => {
  const away = await startTestService({
    environment: { CLICKHOUSE_URL: 'http://127.0.0.1:1' },
    waitsForStores: false,
  });
  try {
    const body = JSON.stringify({ beacons: [] });
    expect(await bothWays(away, body)).toMatchObject({
      status: 503,
      headers: { 'retry-after': 'some' },
      body: { code: 'UNAVAILABLE' },
    });
  } finally {
    await away.stop();
  }
});

test('without a proxy to trust, what a header says of the address is not believed', async () => {
  const few = await startTestService({ environment: { COLLECT_LIMIT_PER_MINUTE: '2' } });
  try {
    const from = (forwarded: string) =>
      bothWays(few, '{"beacons":[]}', { 'x-forwarded-for': forwarded });
    expect((await from('203.0.113.1')).status).toBe(200);
    expect((await from('203.0.113.2')).status).toBe(429);
  } finally {
    await few.stop();
  }
});

test('one address sends too often: by the one that the proxy added', async () => {
  const few = await startTestService({
    environment: { COLLECT_LIMIT_PER_MINUTE: '2', TRUST_PROXY: '1' },
  });
  try {
    const from = (forwarded: string) =>
      bothWays(few, '{"beacons":[]}', { 'x-forwarded-for': forwarded });
    expect((await from('198.51.100.7, 203.0.113.1')).status).toBe(200);
    expect(await from('203.0.113.1')).toMatchObject({
      status: 429,
      headers: { ratelimit: 'some', 'retry-after': 'some' },
      body: { code: 'RATE_LIMITED' },
    });
    expect((await from('203.0.113.2')).status).toBe(200);
  } finally {
    await few.stop();
  }
});
