/**
 * Who may ask what: keys, scopes, expiry, revocation, and what each URL answers to strangers.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listRoutes } from '../../src/http/app.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { scopes } from '../../src/vocabulary/scopes.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';

let service: TestService;
let account: TestAccount;
beforeAll(async () => {
  service = await startTestService();
  account = await service.addAccount();
});
afterAll(() => service.stop());

const range = 'sdate=2026-05-01&edate=2026-05-07';
const question = `/report/statistics/video/v1/info/date?${range}`;
const { described } = await listRoutes();
const scopeOf = (url: string) =>
  url.startsWith('/report/') || url === '/shared-view'
    ? 'stats:read'
    : url.startsWith('/info/')
      ? 'info:read'
      : 'manage';
/** All that a key may ask, and none of which is asked as it wants to be. */
const urls = described.flatMap(({ method, url, operation: { scope, role, keyIsOptional } }) =>
  scope === undefined || keyIsOptional || role === 'person' || role === 'operator'
    ? []
    : [{ method: method.toUpperCase(), url, scope: scopeOf(url) } as const],
);

async function keyOf(given: (typeof scopes)[number][], expiresAt?: Date): Promise<string> {
  const { accountId } = account;
  return accepted(await service.catalog.keys.create({ accountId, scopes: given, expiresAt }))
    .secret;
}

test('without a key that is known nothing is answered', async () => {
  const attempts: Record<string, string>[] = [
    {},
    { 'x-api-key': '' },
    { 'x-api-key': 'pm_unknown' },
    { 'x-api-key': 'x'.repeat(5_000) },
    { authorization: 'Basic abc' },
    { authorization: 'Bearer pm_unknown' },
  ];
  for (const headers of attempts) {
    const response = await fetch(service.url + question, { headers });
    expect(response.status).toBe(401);
    expect(response.headers.get('content-type')).toContain('application/problem+json');
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(await response.json()).toMatchObject({ code: 'UNAUTHENTICATED', isSuccess: false });
  }
});

test.each(urls)('$method $url wants the scope $scope', async ({ method, url, scope }) => {
  const path = url.replaceAll(/:\w+/g, '987654');
  const answer = async (given: (typeof scopes)[number][]) => {
    const headers = { 'x-api-key': await keyOf(given) };
    return (await service.request(path, { method, headers })).text();
  };
  const lacking = scopes.filter((other) => other !== scope);
  expect(JSON.parse(await answer(lacking))).toMatchObject({
    ...{ status: 403, detail: `The API key lacks the scope ${scope}` },
  });
  expect(await answer([scope])).not.toMatch(/UNAUTHENTICATED|lacks the scope/);
});

test('a key is taken as a bearer token too, but never from the URL', async () => {
  const bearer = await fetch(service.url + question, {
    headers: { authorization: `Bearer ${account.key}` },
  });
  expect(bearer.status).toBe(200);
  for (const parameter of ['x-api-key', 'key', 'apiKey', 'access_token']) {
    const response = await fetch(`${service.url}${question}&${parameter}=${account.key}`);
    expect(response.status).toBe(401);
  }
});

test('a bad key with beacons is refused, none is fine', async () => {
  expect((await service.send([], { 'x-api-key': 'pm_unknown' })).status).toBe(401);
  const reader = await keyOf(['stats:read']);
  expect((await service.send([], { 'x-api-key': reader })).status).toBe(403);
  expect((await service.send([])).status).toBe(200);
});

test('the headers show the limit of a key, and beyond it comes 429', async () => {
  const limited = await startTestService({ environment: { RATE_LIMIT_PER_MINUTE: '3' } });
  try {
    const { key } = await limited.addAccount();
    const left: string[] = [];
    for (let request = 1; request <= 3; request += 1) {
      // Information and statistics count together.
      const asked = request === 2 ? '/info/videopack/folder/v1/info.json' : question;
      const response = await limited.get(asked, key);
      expect(response.status).toBe(200);
      expect(response.headers.get('ratelimit-policy')).toBe('"key";q=3;w=60');
      left.push(/r=(\d+);t=\d+/.exec(response.headers.get('ratelimit') ?? '')?.[1] ?? '');
    }
    expect(left).toEqual(['2', '1', '0']);
    const refused = await limited.get(question, key);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({ code: 'RATE_LIMITED' });
    const other = await limited.addAccount();
    expect((await limited.get(question, other.key)).status).toBe(200);
  } finally {
    await limited.stop();
  }
});

test('a preflight from a site that is listed, and from another', async () => {
  const strict = await startTestService({
    environment: { CORS_ORIGINS: 'http://player.example, http://other.example' },
  });
  try {
    const preflight = async (origin: string, path: string, method: string) => {
      const headers = {
        ...{ origin, 'access-control-request-method': method },
        'access-control-request-headers': 'x-api-key,content-type',
      };
      const answer = await fetch(strict.url + path, { method: 'OPTIONS', headers });
      expect(answer.status).toBe(204);
      expect(answer.headers.get('access-control-allow-headers')).toContain('x-api-key');
      return answer.headers.get('access-control-allow-origin');
    };
    const [listed, other] = ['http://player.example', 'http://elsewhere.example'];
    expect(await preflight(listed, question, 'GET')).toBe(listed);
    expect(await preflight(other, question, 'GET')).not.toBe(other);
    expect(await preflight(other, '/collect/v1/beacons', 'POST')).toBe('*');
  } finally {
    await strict.stop();
  }
});
