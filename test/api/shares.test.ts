/** Whoever has the link of a share sees what it shows, whatever they ask, and nothing else. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listRoutes } from '../../src/http/app.ts';
import { createSealer } from '../../src/lib/sealer.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';

const root = '/report/statistics/video/v2';
const days = { sdate: '2026-05-01', edate: '2026-05-07' };
const agents = {
  iOS: 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) Version/17.4 Mobile Safari/604.1',
  Windows: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/141.0.0.0',
};
const asked: string[] = [];

let service: TestService;
let account: TestAccount;
let packageId: number;
let film: string;
let other: string;
let stranger: TestAccount;
beforeAll(async () => {
  service = await startTestService();
  account = await service.addAccount();
  stranger = await service.addAccount();
  packageId = await account.addPackage();
  [film, other] = [await account.addVideo(), await account.addVideo()];
  const { accountId } = account;
  for (const accessKey of [film, other]) {
    await account.publish(packageId, accessKey);
    await service.catalog.videos.change(accountId, accessKey, { durationMs: 60_000 });
  }
  const beacons = [
    ...[play('2026-05-04', film, 'iOS'), play('2026-05-05', film, 'Windows')],
    ...[play('2026-05-05', other, 'iOS'), play('2026-04-27', film, 'iOS')],
    ...[play('2026-04-27', film, 'iOS'), play('2026-06-01', other, 'Windows')],
  ];
  const sent = await service.send(beacons, { 'x-api-key': account.key });
  expect(await sent.json()).toMatchObject({ accepted: beacons.length });
  await service.facts.rollUp();
});
afterAll(() => service.stop());
beforeEach(() => {
  asked.length = 0;
});

function play(day: string, accessKey: string, os: keyof typeof agents) {
  asked.push(day);
  const view = `${day}-${asked.length}`;
  const at = `${day}T10:00:00Z`;
  const media = { playMs: 30_000, position: 0, mediaMs: 30_000 };
  return { view, stretch: 0, at, ...media, accessKey, packageId, userAgent: agents[os] };
}

interface Made {
  readonly shareId: number;
  readonly path: string;
  readonly token: string;
}

async function share(fields: object, key = account.key): Promise<Made> {
  const name = 'The first week of May';
  const { status, body } = await service.manage(key, 'POST', '/shares', { name, ...fields });
  expect(status, JSON.stringify(body)).toBe(201);
  return { ...body, token: body.path.replace('/shared/', '').replace('#', '') };
}

async function ask(path: string, token: string, more: Record<string, string> = {}) {
  const headers = { 'x-playmeter-share': token, ...more };
  return service.request(path, { headers });
}

const openPage = (path: string) => fetch(service.url + path.replace(/#.*/, ''));

async function dataOf(path: string, token: string) {
  const response = await ask(path, token);
  const answer = (await response.json()) as { data: Answer };
  expect(response.status, JSON.stringify(answer)).toBe(200);
  return answer.data;
}

interface Answer {
  readonly totals: { readonly plays: number };
  readonly list: readonly Readonly<Record<string, unknown>>[];
  readonly requestId: string;
  readonly nextToken: string;
}

const plays = `${root}/query?measures=plays`;
const everything = `${plays}&sdate=2026-01-01&edate=2026-12-31`;

test('the answers are of its days and filters, whatever is asked', async () => {
  const { token } = await share({ ...days, filters: 'os==iOS' });
  const total = async (more = '') => (await dataOf(everything + more, token)).totals.plays;
  expect(await total()).toBe(2);
  expect((await dataOf(plays, token)).totals.plays).toBe(2);
  // Narrower, yes; wider, no.
  expect(await total(`&accessKey=${film}`)).toBe(1);
  expect(await total('&filters=os==Windows')).toBe(0);
  expect(await total('&filters=os!=iOS')).toBe(0);
  expect(await total('&timeZone=Pacific/Kiritimati')).toBe(2);
  const { list } = await dataOf(`${everything}&dimensions=date`, token);
  expect(list).toEqual([
    { date: '2026-05-04', plays: 1 },
    { date: '2026-05-05', plays: 1 },
  ]);
  const twice = await ask(`${everything}&filters=os==Windows&filters=os==Windows`, token);
  expect(twice.status).toBe(400);
  const csv = await ask(`${everything}&dimensions=os`, token, { accept: 'text/csv' });
  expect(await csv.text()).toBe('os,plays\r\niOS,2\r\n');
});

test('days before its own are seen only where it compares with them', async () => {
  const compared = async (fields: object, compare: string) =>
    (await dataOf(`${everything}&compare=${compare}`, (await share({ ...days, ...fields })).token))
      .totals;
  expect(await compared({}, 'previous')).toEqual({ plays: 3 });
  expect(await compared({ compare: 'year' }, 'previous')).toEqual({ plays: 3 });
  const previous = { plays: 3, previous: { plays: 2 } };
  expect(await compared({ compare: 'previous' }, 'previous')).toEqual(previous);
});

test('of a video it shows that video, and how far people watch it', async () => {
  const { token } = await share({ ...days, accessKey: film });
  expect((await dataOf(`${everything}&accessKey=${other}`, token)).totals.plays).toBe(2);
  const range = 'sdate=2026-01-01&edate=2026-12-31';
  const curve = await dataOf(`${root}/retention?${range}&accessKey=${other}`, token);
  expect(curve).toMatchObject({ views: 2, lengthMs: 60_000 });
  const view = await ask('/shared-view', token);
  expect(await view.json()).toEqual({
    ...{ name: 'The first week of May', timeZone: 'UTC', compare: 'none', filters: '' },
    ...days,
    video: { accessKey: film, title: 'Film', lengthMs: 60_000 },
    expiresAt: null,
  });
});

test('of the overview it shows no curve of a video', async () => {
  const { token } = await share(days);
  const range = 'sdate=2026-05-01&edate=2026-05-07';
  const curve = await ask(`${root}/retention?${range}&accessKey=${film}`, token);
  expect([curve.status, await curve.json()]).toMatchObject([403, { code: 'FORBIDDEN' }]);
  const peaks = await ask(`${root}/concurrency?${range}&interval=day`, token);
  expect(peaks.status).toBe(200);
});

test('its pages go on, and those of others do not', async () => {
  const { token } = await share(days);
  const byDate = `${everything}&dimensions=date&pageSize=1`;
  const first = await dataOf(byDate, token);
  const next = (answer: Answer) =>
    `${root}/query?requestId=${answer.requestId}&nextToken=${answer.nextToken}`;
  expect((await dataOf(next(first), token)).list).toMatchObject([{ date: '2026-05-05' }]);
  const whole = (await service.ask(byDate, account.key)) as unknown as Answer;
  expect(whole.nextToken).not.toBe('');
  for (const [of, by] of [
    [whole, token],
    [first, (await share(days)).token],
  ] as const) {
    const refused = await ask(next(of), by);
    expect([refused.status, await refused.json()]).toMatchObject([400, { code: 'TOKEN_INVALID' }]);
  }
});

const { described } = await listRoutes();
const shown = ['query', 'querySchema', 'concurrency', 'distribution', 'sharedView'];
const closed = described.filter(
  ({ operation: { scope, keyIsOptional, operationId } }) =>
    scope !== undefined && !keyIsOptional && !shown.includes(operationId),
);

test.each(closed.map(({ method, url }) => [method, url] as const))(
  '%s %s shows it nothing',
  async (method, url) => {
    const { token } = await share(days);
    const route = service.url + url.replaceAll(/:[A-Za-z]+/g, '1');
    const headers = { 'x-playmeter-share': token };
    const { status } = await fetch(route, { method: method.toUpperCase(), headers });
    expect([401, 403]).toContain(status);
  },
);

test('with a key besides, no more is answered than it shows', async () => {
  const { token } = await share({ ...days, filters: 'os==iOS' });
  const both = await ask(everything, token, { 'x-api-key': account.key });
  expect(await both.json()).toMatchObject({ data: { totals: { plays: 2 } } });
});

test.each(['', 'x', 'A'.repeat(51), 'A'.repeat(10_000)])('%j is no link', async (token) => {
  const refused = await ask(everything, token);
  expect([refused.status, await refused.json()]).toMatchObject([401, { code: 'UNAUTHENTICATED' }]);
  expect(refused.headers.get('cache-control')).toBe('no-store');
});

test('when it is revoked, it shows nothing any more', async () => {
  const { token, shareId, path } = await share({ ...days, origins: ['https://a.example'] });
  expect((await ask('/shared-view', token)).status).toBe(200);
  const headers = { 'x-api-key': stranger.key };
  const route = `/manage/v1/shares/${shareId}`;
  const foreign = await service.request(route, { method: 'DELETE', headers });
  expect(foreign.status).toBe(404);
  headers['x-api-key'] = account.key;
  const revoked = await service.request(route, { method: 'DELETE', headers });
  expect(revoked.status).toBe(204);
  for (const asking of ['/shared-view', everything, `${root}/schema`]) {
    expect((await ask(asking, token)).status).toBe(401);
  }
  expect(framesOf(await openPage(path))).toEqual(["'none'", 'DENY']);
});

function framesOf({ headers }: Response) {
  const policy = headers.get('content-security-policy') ?? '';
  const ancestors = /frame-ancestors ([^;]+)/.exec(policy)?.[1];
  return [ancestors, headers.get('x-frame-options')];
}

test('its page alone may be embedded, and only on the sites that it names', async () => {
  const origins = ['https://a.example', 'https://b.example:8443'];
  const { path } = await share({ ...days, origins });
  const page = await openPage(path);
  expect(page.status).toBe(200);
  expect(framesOf(page)).toEqual([origins.join(' '), null]);
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
  const nowhere = await share(days);
  for (const route of [nowhere.path, '/shared/unknown0', '/', '/settings']) {
    expect(framesOf(await openPage(route)), route).toEqual(["'none'", 'DENY']);
  }
});

test('its answers are not for scripts of other sites', async () => {
  const { token } = await share(days);
  const preflight = await fetch(service.url + everything, {
    method: 'OPTIONS',
    headers: {
      ...{ origin: 'https://evil.example', 'access-control-request-method': 'GET' },
      'access-control-request-headers': 'x-playmeter-share',
    },
  });
  expect(preflight.headers.get('access-control-allow-headers')).not.toContain('share');
  expect(token).toHaveLength(51);
});

test.each([
  [{ sdate: '2026-02-30', edate: '2026-03-01' }, 'sdate'],
  [{ lastDays: 0 }, 'lastDays'],
  [{ lastDays: 28, expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
  [{ lastDays: 28, origins: ['https://*.a.example'] }, 'origins.0'],
  [{ lastDays: 28, compare: 'always' }, 'compare'],
])('%j is refused by the name of what is wrong', async (fields, parameter) => {
  const message = { name: 'Wrong', ...fields };
  const { status, body } = await service.manage(account.key, 'POST', '/shares', message);
  expect(status).toBe(400);
  expect(body.errors.map((error: { parameter: string }) => error.parameter)).toContain(parameter);
});

test('what a session made cannot be read from the catalog', async () => {
  const [{ keyId = 0 } = {}] = await service.catalog.keys.list(account.accountId);
  const { token } = await service.catalog.sessions.begin(keyId);
  const idempotencyKey = 'made-once';
  const response = await service.request('/manage/v1/shares', {
    method: 'POST',
    headers: {
      ...{ cookie: `playmeter=${token}`, 'x-requested-with': 'playmeter' },
      ...{ 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
    },
    body: JSON.stringify({ name: 'Once', lastDays: 7 }),
  });
  expect(response.status).toBe(201);
  const sender = { accountId: account.accountId, actor: `KEY:${keyId}` };
  const name = { ...sender, path: '/manage/v1/shares', idempotencyKey };
  const { answer } = await service.catalog.idempotentWrites.once(name, '', () =>
    Promise.reject(new Error('It is stored')),
  );
  const openedBy = (sender: string) =>
    createSealer(`${sender} ${idempotencyKey}`, 'playmeter kept answer v1').open(answer);
  expect(openedBy('undefined')).toBeUndefined();
  expect(openedBy(token)).toContain('/shared/');
});
