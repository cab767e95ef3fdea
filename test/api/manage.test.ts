/** Managing over HTTP: what is written is read again. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Managed,
  startTestService,
  type TestAccount,
  type TestService,
} from '../support/service.ts';

let service: TestService;
let account: TestAccount;

beforeAll(async () => {
  service = await startTestService();
  account = await service.addAccount('Asia/Seoul');
});

afterAll(() => service?.stop());

const manage = (
  method: string,
  path: string,
  message?: unknown,
  headers?: Record<string, string>,
) => service.manage(account.key, method, path, message, headers);

const added = async (path: string, message: object): Promise<Managed['body']> => {
  const { status, body } = await manage('POST', path, message);
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
};
const namesOf = ({ body }: Managed) =>
  body.errors.map(({ parameter }: { parameter: string }) => parameter);

describe('the account', () => {
  test('is read and changed', async () => {
    const { accountId } = account;
    const before = {
      accountId,
      name: 'Test',
      timeZone: 'Asia/Seoul',
      takesUnsealed: false,
      factsMonths: 25,
      keepsSums: true,
      viewers: 'anonymous',
    };
    expect(await manage('GET', '/account')).toEqual({ status: 200, body: before });
    const changed = await manage('PATCH', '/account', { timeZone: 'europe/berlin' });
    expect(changed.body).toEqual({ ...before, timeZone: 'Europe/Berlin' });
    expect((await manage('PATCH', '/account', { name: '영화' })).body.name).toBe('영화');
    const taking = await manage('PATCH', '/account', { takesUnsealed: true });
    expect(taking.body).toMatchObject({ name: '영화', takesUnsealed: true });
    expect((await manage('PATCH', '/account', {})).status).toBe(200);
  });

  test.each([
    [{ timeZone: 'Mars/Olympus' }, ['timeZone']],
    [{ name: '', timeZone: 7, color: 'red' }, ['name', 'timeZone', 'color']],
    [{ name: 'a\nb' }, ['name']],
    [[], ['body']],
  ])('%j is refused by name', async (message, names) => {
    const answer = await manage('PATCH', '/account', message);
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_PARAMETER' } });
    expect(namesOf(answer)).toEqual(names);
  });
});

describe('the audit', () => {
  test('says by which key, from where, and what', async () => {
    const made = await added('/keys', { name: 'Site', scopes: ['manage'] });
    const headers = { 'x-api-key': made.key };
    const { body: folder } = await manage('POST', '/folders', { folderName: 'Seen' }, headers);
    const { body } = await manage('GET', '/audit?pageSize=2');
    expect(body.list).toMatchObject([
      {
        actor: `KEY:${made.keyId}`,
        actorName: 'Site',
        address: '127.0.0.1',
        action: 'FOLDER_CREATED',
        object: String(folder.folderId),
        before: null,
        after: { folderName: 'Seen' },
      },
      { actorName: '', action: 'KEY_CREATED', object: String(made.keyId) },
    ]);
    expect(JSON.stringify(body)).not.toContain(made.key);
    await manage('DELETE', `/folders/${folder.folderId}`);
  });

  test('is read by page, and by what a query names', async () => {
    const read = async (query: string) => (await manage('GET', `/audit?${query}`)).body;
    const all = await read('pageSize=1000');
    expect(all.nextToken).toBeNull();
    const first = await read('pageSize=1');
    const rest = await read(`pageSize=1000&pageToken=${first.nextToken}`);
    expect([...first.list, ...rest.list]).toEqual(all.list);
    type Entry = Readonly<Record<'action' | 'actor' | 'at', string>>;
    const { at, action, actor }: Entry = all.list[0];
    const isNamed = (entry: Entry) =>
      entry.action === action && entry.actor === actor && entry.at >= at;
    const named = `action=${action}&actor=${actor}&from=${at}&to=2099-01-01T00:00:00Z`;
    expect((await read(named)).list).toEqual(all.list.filter(isNamed));
    const before = all.list.filter((entry: Entry) => entry.at < at);
    expect((await read(`to=${at}`)).list).toEqual(before);
  });

  test.each([
    ['action=NOTHING', ['action']],
    ['actor=KEY:0&pageToken=1', ['actor', 'pageToken']],
    ['from=yesterday', ['from']],
    ['to=2026-02-30T00:00:00Z', ['to']],
    ['pageSize=1001', ['pageSize']],
    ['from=yesterday&to=today&pageSize=0', ['pageSize', 'from', 'to']],
  ])('%s is refused by name', async (query, names) => {
    expect(namesOf(await manage('GET', `/audit?${query}`))).toEqual(names);
  });
});

test.each([
  ['/suspects?sdate=2026-11-20&edate=2026-11-19&pageSize=0', ['pageSize', 'sdate']],
  ['/deliveries?alertId=1&reportId=1&state=none', ['state', 'reportId']],
  ['/packages/none/videos?pageSize=0', ['packageId', 'pageSize']],
])('%s: everything wrong in a path is named at once', async (path, names) => {
  expect(namesOf(await manage('GET', path))).toEqual(names);
});

describe('keys', () => {
  const question = '/info/videopack/folder/v1/info.json';

  test('are made, shown once, listed, and revoked', async () => {
    const expiresAt = '2099-01-01T00:00:00.000Z';
    const made = await added('/keys', { scopes: ['info:read'], expiresAt });
    expect(made).toMatchObject({ scopes: ['info:read'], expiresAt, revokedAt: null });
    expect(made.key.startsWith(made.prefix)).toBe(true);
    // Before it is used, which the list shows a little later.
    const { key: _, ...record } = made;
    const listed = await manage('GET', '/keys?pageSize=1000');
    expect(listed.body.list).toContainEqual(record);
    expect(JSON.stringify(listed.body)).not.toContain(made.key);
    expect((await service.get(question, made.key)).status).toBe(200);
    expect(await manage('DELETE', `/keys/${made.keyId}`)).toEqual({ status: 204 });
    expect((await service.get(question, made.key)).status).toBe(401);
  });

  test('make no key that may do more than themselves', async () => {
    const { key } = await added('/keys', { scopes: ['manage'] });
    const all = { scopes: ['stats:read', 'info:read', 'collect:write', 'manage'] };
    const { status, body } = await manage('POST', '/keys', all, { 'x-api-key': key });
    expect({ status, ...body }).toMatchObject({
      ...{ status: 403, code: 'FORBIDDEN' },
      detail:
        'A key makes only what needs no more scopes than it has itself; shares, alerts and reports need stats:read',
    });
  });

  test.each([
    [{}, ['scopes']],
    [{ scopes: [] }, ['scopes']],
    [{ scopes: ['all'], expiresAt: '2026-02-30T00:00:00Z' }, ['scopes.0', 'expiresAt']],
    [{ scopes: ['manage'], expiresAt: 'tomorrow', admin: true }, ['expiresAt', 'admin']],
  ])('%j is refused by name', async (message, names) => {
    expect(namesOf(await manage('POST', '/keys', message))).toEqual(names);
  });
});

describe('folders', () => {
  test('are added, read, changed, paged and deleted', async () => {
    const { folderId } = await added('/folders', { folderName: 'One' });
    const path = `/folders/${folderId}`;
    expect((await manage('GET', path)).body).toEqual({ folderId, folderName: 'One' });
    expect((await manage('PUT', path, { folderName: 'Two' })).body.folderName).toBe('Two');
    expect((await manage('PATCH', path, { folderName: 'Three' })).body.folderName).toBe('Three');
    expect((await manage('PATCH', path, {})).body.folderName).toBe('Three');
    await added('/folders', { folderName: 'Other' });
    const { body } = await manage('GET', '/folders?pageSize=1&page=2');
    expect(body.list).toEqual([{ folderId, folderName: 'Three' }]);
    expect(body.paging).toEqual({ page: 2, pageSize: 1, totalCount: 3, totalPage: 3 });
    expect((await manage('GET', '/folders?page=99')).body.list).toEqual([]);
    await added('/videos', { folderId, title: 'Film' });
    expect(await manage('DELETE', path)).toMatchObject({ status: 409 });
    const empty = await added('/folders', { folderName: 'Empty' });
    expect((await manage('DELETE', `/folders/${empty.folderId}`)).status).toBe(204);
    for (const method of ['GET', 'DELETE'] as const) {
      expect((await manage(method, `/folders/${empty.folderId}`)).status).toBe(404);
    }
  });
});

describe('videos', () => {
  let folderId: number;
  beforeAll(async () => {
    folderId = (await added('/folders', { folderName: 'Films' })).folderId;
  });

  // That each field comes back as it was sent is shown by put-back.test.ts beside this.
  test('are added with what is given, and what is left out is null, empty or 0', async () => {
    const given = { folderId, accessKey: 'full', title: 'Film', vHeight: 2160, vWidth: 3840 };
    const full = await added('/videos', { ...given, cdate: '2026-11-20T10:15:30.120+09:00' });
    expect(full).toStrictEqual({
      ...{ ...given, videoId: expect.any(Number), cdate: '2026-11-20T01:15:30.120Z' },
      ...{ cid: null, content: null, tag: '', duration: 0, fileSize: 0, vFramerate: 0 },
      ...{ series: null, author: null, copyright: null, rate: null, etc: null },
      ...{ encodingSuccess: null, thumbnailUrl: '' },
    });
    expect((await manage('GET', '/videos/full')).body).toStrictEqual(full);
  });

  test('are put as often as one likes', async () => {
    const key = encodeURIComponent('put/1?&%');
    const message = { folderId, title: 'Put', series: 'S', duration: 5 };
    const first = await manage('PUT', `/videos/${key}`, message);
    expect(first).toMatchObject({ status: 201, body: { accessKey: 'put/1?&%', series: 'S' } });
    const again = await manage('PUT', `/videos/${key}`, message);
    expect(again).toEqual({ status: 200, body: first.body });
    const bare = await manage('PUT', `/videos/${key}`, { folderId, title: 'New' });
    const { videoId, cdate } = first.body;
    expect(bare.body).toMatchObject({ videoId, cdate, title: 'New', series: null, duration: 0 });
  });

  test('are listed by their keys, and by nothing else beside them', async () => {
    await manage('PUT', '/videos/by-key', { folderId, title: 'By its key' });
    const listed = async (keys: string, more = '') =>
      manage('GET', `/videos?accessKeys=${encodeURIComponent(keys)}${more}`);
    const { body } = await listed('full unknown by-key', '&sortItem=title&sortDirection=asc');
    expect(body.list).toMatchObject([{ accessKey: 'by-key' }, { accessKey: 'full' }]);
    expect(body.paging).toMatchObject({ totalCount: 2 });
    const tooMany = Array.from({ length: 101 }, (_, index) => `k${index}`).join(' ');
    for (const [keys, more] of [
      ['full', '&keyword=Film'],
      ['full', `&folderId=${folderId}`],
      [' ', ''],
      [tooMany, ''],
    ] as const) {
      const { status, body: refusal } = await listed(keys, more);
      expect({ status, code: refusal.code }).toEqual({ status: 400, code: 'INVALID_PARAMETER' });
    }
    await manage('DELETE', '/videos/by-key');
  });

  test('are listed as they are searched, sorted and paged', async () => {
    const path = `/videos?folderId=${folderId}&sortItem=title&sortDirection=asc`;
    const { body } = await manage('GET', `${path}&keyword=FILM&pageSize=1`);
    expect(body.list).toMatchObject([{ accessKey: 'full' }]);
    expect(body.paging).toMatchObject({ page: 1, pageSize: 1, totalCount: 1 });
  });

  test('are gone when deleted, and their accessKey is not given again', async () => {
    await manage('PUT', '/videos/gone', { folderId, title: 'Gone' });
    expect((await manage('DELETE', '/videos/gone')).status).toBe(204);
    expect((await manage('GET', '/videos/gone')).status).toBe(404);
    const message = { folderId, title: 'Back' };
    expect((await manage('PUT', '/videos/gone', message)).status).toBe(409);
    const again = await manage('POST', '/videos', { ...message, accessKey: 'gone' });
    expect(again).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
  });

  test('that are wrong are refused by the names of all that is wrong', async () => {
    const wrong = { duration: -1, fileSize: 1.5, tag: null, author: 'a\0b', videoId: 1 };
    const answer = await manage('POST', '/videos', { folderId, title: '', ...wrong });
    expect(answer.status).toBe(400);
    expect(namesOf(answer).toSorted()).toEqual(['title', ...Object.keys(wrong)].toSorted());
  });

  test('without a folder or a title are refused', async () => {
    const answer = await manage('POST', '/videos', {});
    expect(answer.body.code).toBe('MISSING_PARAMETER');
    expect(namesOf(answer)).toEqual(['folderId', 'title']);
    expect((await manage('POST', '/videos', { folderId: 987654, title: 'T' })).status).toBe(404);
  });

  test('have thumbnails, of which one stands for them', async () => {
    await manage('PUT', '/videos/seen', { folderId, title: 'Seen' });
    const given = [{ url: 'https://i.example/0' }, { url: 'https://i.example/1', playtime: 9 }];
    const path = '/videos/seen/thumbnails';
    await manage('PUT', path, { thumbnails: given });
    const chosen = await manage('PUT', `${path}/selected`, { seq: 1 });
    expect(chosen.body.thumbnails).toEqual([
      { selected: false, seq: 0, url: 'https://i.example/0', playtime: 0 },
      { selected: true, seq: 1, url: 'https://i.example/1', playtime: 9 },
    ]);
    expect(await manage('GET', path)).toEqual(chosen);
    expect((await manage('PUT', `${path}/selected`, { seq: 2 })).status).toBe(404);
    const bad = await manage('PUT', path, { thumbnails: [{ url: '' }, { src: 'x' }] });
    const names = ['thumbnails.0.url', 'thumbnails.1.url', 'thumbnails.1.src'];
    expect(namesOf(bad)).toEqual(names);
  });
});

describe('packages', () => {
  test('are changed by what is given, and put as a whole', async () => {
    const made = await added('/packages', { packageName: 'Site' });
    const path = `/packages/${made.packageId}`;
    const changes = { packageType: 'LIVE', allowedOrigins: ['https://Site.example:443'] };
    const changed = { ...made, ...changes, allowedOrigins: ['https://site.example'] };
    expect((await manage('PATCH', path, changes)).body).toEqual(changed);
    expect((await manage('GET', '/packages')).body.list).toContainEqual(changed);
    expect((await manage('PUT', path, { packageName: 'Site' })).body).toEqual(made);
    const bad = await manage('PATCH', path, { allowedOrigins: ['https://a/', 'b'], kind: 1 });
    expect(namesOf(bad)).toEqual(['kind']);
    const worse = await manage('PATCH', path, { allowedOrigins: ['https://a/', 'b'] });
    expect(namesOf(worse)).toEqual(['allowedOrigins.0', 'allowedOrigins.1']);
  });

  test('hold videos, each under a key of its own', async () => {
    const { folderId } = await added('/folders', { folderName: 'For packages' });
    const { packageId } = await added('/packages', { packageName: 'Site' });
    const { videoId } = (await manage('PUT', '/videos/inside', { folderId, title: 'In' })).body;
    const path = `/packages/${packageId}/videos/inside`;
    expect((await manage('GET', path)).status).toBe(404);
    const first = await manage('PUT', path);
    expect(first.status).toBe(201);
    const videoKey = expect.stringMatching(/^[\w-]{22}$/);
    const record = { packageId, videoId, accessKey: 'inside', videoKey, serviceAble: 'Y' };
    expect(first.body).toEqual({ ...record, publishedAt: expect.stringMatching(/Z$/) });
    const paused = await manage('PATCH', path, { serviceAble: 'N' });
    expect(paused.body).toEqual({ ...first.body, serviceAble: 'N' });
    expect(await manage('PUT', path, {})).toEqual({ status: 200, body: paused.body });
    expect((await manage('GET', `/packages/${packageId}/videos`)).body).toMatchObject({
      list: [paused.body],
      paging: { totalCount: 1 },
    });
    expect((await manage('DELETE', path)).status).toBe(204);
    expect((await manage('PUT', `/packages/${packageId}/videos/none`)).status).toBe(404);
  });
});

describe('a POST with an Idempotency-Key', () => {
  const once = (path: string, message: object, key: string) =>
    manage('POST', path, message, { 'idempotency-key': key });

  test('happens once, and is answered as it was', async () => {
    const answers = await Promise.all(
      [1, 2, 3].map(() => once('/folders', { folderName: 'Once' }, 'folder-1')),
    );
    expect(answers[0]?.status).toBe(201);
    expect(answers).toEqual([answers[0], answers[0], answers[0]]);
    const { body } = await manage('GET', '/folders?pageSize=1000');
    const made = body.list.filter((one: { folderName: string }) => one.folderName === 'Once');
    expect(made).toHaveLength(1);
  });

  test('with another body is refused; at another path it is another', async () => {
    await once('/folders', { folderName: 'A' }, 'same');
    const other = await once('/folders', { folderName: 'B' }, 'same');
    expect(other).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    expect((await once('/packages', { packageName: 'A' }, 'same')).status).toBe(201);
  });

  test('gives a new key again, which is stored for its maker only', async () => {
    const first = await once('/keys', { scopes: ['info:read'] }, 'key-1');
    expect(await once('/keys', { scopes: ['info:read'] }, 'key-1')).toEqual(first);
    const rotate = `/keys/${first.body.keyId}/rotate`;
    const next = await once(rotate, {}, 'rotate-1');
    expect(next.status).toBe(201);
    expect(await once(rotate, {}, 'rotate-1')).toEqual(next);
  });

  test.each(['', 'with space', 'x'.repeat(256)])('%j is none', async (key) => {
    const answer = await once('/folders', { folderName: 'A' }, key);
    expect(answer.status).toBe(400);
    expect(namesOf(answer)).toEqual(['Idempotency-Key']);
  });
});

describe('a body', () => {
  const post = (body: string | Uint8Array<ArrayBuffer>, type?: string) =>
    service.request('/manage/v1/folders', {
      method: 'POST',
      headers: { 'x-api-key': account.key, ...(type ? { 'content-type': type } : {}) },
      body,
    });

  test.each([
    ['text/plain', 415],
    ['application/xml', 415],
    ['application/json; charset=utf-8', 201],
  ])('of %s is answered with %i', async (type, status) => {
    expect((await post('{"folderName":"F"}', type)).status).toBe(status);
  });

  test('that is too large, not JSON, or not there is refused', async () => {
    const large = JSON.stringify({ folderName: 'x'.repeat(1_100_000) });
    expect((await post(large, 'application/json')).status).toBe(413);
    for (const text of ['{', 'null', '', '"x"', '{"__proto__":{}}']) {
      expect((await post(text, 'application/json')).status, text).toBe(400);
    }
    expect((await post(new Uint8Array([0x7b, 0xff, 0x7d]), 'application/json')).status).toBe(400);
  });
});

test.each(['/folders/x', '/folders/0', '/packages/1.5', '/keys/-1/rotate'])(
  '%s names no id',
  async (path) => {
    const answer = await manage(path.startsWith('/keys') ? 'POST' : 'GET', path);
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_PARAMETER' } });
  },
);
