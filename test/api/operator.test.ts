/** What only the operator may read: the metrics, and why the service is not ready. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { startTestService, type TestService } from '../support/service.ts';

const engineAway = { CLICKHOUSE_URL: 'http://127.0.0.1:9' };
const stranger = { 'x-forwarded-for': '203.0.113.1' };

const services: Record<string, TestService> = {};
const environments = {
  byDefault: {},
  behindProxy: { TRUST_PROXY: 'loopback', OPERATOR_NETWORKS: 'loopback, 198.51.100.0/24' },
  toNobody: { OPERATOR_NETWORKS: 'none' },
};
type Name = keyof typeof environments;
let key: string;
let lackingKey: string;
beforeAll(async () => {
  for (const [name, environment] of Object.entries(environments)) {
    const options = { environment: { ...engineAway, ...environment }, waitsForStores: false };
    services[name] = await startTestService(options);
  }
  const { catalog } = of('behindProxy');
  const account = await of('behindProxy').addAccount();
  key = account.key;
  const { accountId } = account;
  lackingKey = accepted(await catalog.keys.create({ accountId, scopes: ['manage'] })).secret;
});
afterAll(() => Promise.all(Object.values(services).map((service) => service.stop())));

const of = (name: Name) => services[name] as TestService;

async function read(name: Name, headers: Record<string, string>) {
  const metrics = await of(name).request('/metrics', { headers });
  const ready = await of(name).request('/readyz', { headers });
  expect(ready.status).toBe(503);
  const { statistics, collecting, ...others } = (await ready.json()) as Record<string, string>;
  expect(collecting === 'unavailable').toBe(statistics === 'unavailable');
  expect(others).toEqual({ status: 'unavailable', catalog: 'ok' });
  return { metrics: metrics.status, showsWhy: statistics !== 'unavailable' };
}

const everything = { metrics: 200, showsWhy: true };
const nothing = { metrics: 401, showsWhy: false };

test.each<[Name, Record<string, string>, object]>([
  ['byDefault', {}, everything],
  // A proxy that nobody spoke of: who is behind it?
  ['byDefault', stranger, nothing],
  ['byDefault', { forwarded: 'for=127.0.0.1' }, nothing],
  ['byDefault', { via: '1.1 proxy' }, nothing],
  ['byDefault', { 'x-real-ip': '127.0.0.1' }, nothing],
  ['behindProxy', {}, everything],
  ['behindProxy', stranger, nothing],
  ['behindProxy', { 'x-forwarded-for': '127.0.0.1, 203.0.113.1' }, nothing],
  ['behindProxy', { 'x-forwarded-for': '198.51.100.7' }, everything],
  // Nobody knows whom the proxy speaks for.
  ['behindProxy', { 'x-forwarded-for': '203.0.113.9, x' }, nothing],
  ['behindProxy', { 'x-forwarded-for': 'garbage' }, nothing],
  ['behindProxy', { 'x-forwarded-for': '' }, nothing],
  ['behindProxy', { 'x-forwarded-for': 'x, 127.0.0.1' }, nothing],
  ['behindProxy', { 'x-forwarded-for': '127.0.0.1' }, everything],
  ['toNobody', {}, nothing],
])('%s, with %o: %o', async (name, headers, expected) => {
  expect(await read(name, headers)).toEqual(expected);
});

test('a key of the scope stats:read shows it anywhere', async () => {
  expect(await read('behindProxy', { ...stranger, 'x-api-key': key })).toEqual(everything);
  const bearer = { ...stranger, authorization: `Bearer ${key}` };
  expect(await read('behindProxy', bearer)).toEqual(everything);
  expect(await read('behindProxy', { ...stranger, 'x-api-key': lackingKey })).toEqual({
    metrics: 403,
    showsWhy: false,
  });
});
