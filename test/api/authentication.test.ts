/**
 * Who may ask what: keys, scopes, expiry, revocation, and what each URL answers to strangers.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { scopes } from '../../src/vocabulary/scopes.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';

let service: TestService;
let account: TestAccount;
/** What the account has, by the words that stand for it in the URLs below. */
let own: Record<string, string | number | undefined>;
beforeAll(async () => {
  service = await startTestService();
  account = await service.addAccount();
  const [folder] = await service.catalog.folders.list(account.accountId);
  const names = { FOLDER: folder?.folderId, PACKAGE: await account.addPackage() };
  const VIDEO = await account.addVideo();
  await account.publish(names.PACKAGE, VIDEO);
  own = { ...names, VIDEO };
});
afterAll(() => service.stop());

const range = 'sdate=2026-05-01&edate=2026-05-07';
const question = `/report/statistics/video/v1/info/date?${range}`;
/** A URL of each scope, in a form that is answered with 200 where the key is good. */
const urls = [
  { scope: 'stats:read', path: question },
  { scope: 'stats:read', path: '/report/statistics/video/v1/info/date/hour?date=2026-05-01' },
  { scope: 'stats:read', path: `/report/statistics/video/v1/os?${range}` },
  { scope: 'stats:read', path: `/report/statistics/video/v1/os/detail?${range}&os=iOS` },
  { scope: 'info:read', path: '/info/videopack/folder/v1/info.json' },
  { scope: 'info:read', path: '/info/videopack/package/v1/info.json' },
  { scope: 'info:read', path: '/info/videopack/folder/v1/videos.json?folderId=FOLDER' },
  { scope: 'info:read', path: '/info/videopack/package/v1/videos.json?packageId=PACKAGE' },
  { scope: 'info:read', path: '/info/videopack/thumbnail/v1/info.json?accessKey=VIDEO' },
  {
    scope: 'info:read',
    path: '/info/videopack/detail/v1/info.json?accessKey=VIDEO&packageId=PACKAGE',
  },
  { scope: 'manage', path: '/manage/v1/account' },
  { scope: 'manage', path: `/manage/v1/ledger?${range}` },
  { scope: 'manage', path: '/manage/v1/audit' },
  { scope: 'manage', path: '/manage/v1/keys' },
  { scope: 'manage', path: '/manage/v1/folders' },
  { scope: 'manage', path: '/manage/v1/folders/FOLDER' },
  { scope: 'manage', path: '/manage/v1/videos?folderId=FOLDER' },
  { scope: 'manage', path: '/manage/v1/videos/VIDEO' },
  { scope: 'manage', path: '/manage/v1/videos/VIDEO/thumbnails' },
  { scope: 'manage', path: '/manage/v1/packages' },
  { scope: 'manage', path: '/manage/v1/packages/PACKAGE' },
  { scope: 'manage', path: '/manage/v1/packages/PACKAGE/videos' },
  { scope: 'manage', path: '/manage/v1/packages/PACKAGE/videos/VIDEO' },
] as const;

const filled = (path: string) =>
  path.replaceAll(/[A-Z]{5,}/g, (word) => encodeURIComponent(String(own[word])));

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

test.each(urls)('$path wants the scope $scope', async ({ scope, path }) => {
  const lacking = await keyOf(scopes.filter((other) => other !== scope));
  const response = await service.get(filled(path), lacking);
  expect(response.status).toBe(403);
  expect(await response.json()).toMatchObject({
    code: 'FORBIDDEN',
    detail: expect.stringContaining(scope),
  });
  expect((await service.get(filled(path), await keyOf([scope]))).status).toBe(200);
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
