/** Who completed a video, or the videos in a package, by viewers whom pages name. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { manualClock } from '../support/manual-clock.ts';
import { addPerson } from '../support/people.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';

const clock = manualClock();
const lengthMs = 60_000;
let service: TestService;
let account: TestAccount;
let packageId: number;
let views = 0;

beforeAll(async () => {
  service = await startTestService({ clock: clock.readings });
  account = await service.addAccount();
  const { accountId } = account;
  const [folder] = await service.catalog.folders.list(accountId);
  const { folderId } = folder ?? expect.unreachable('an account has a folder');
  packageId = await account.addPackage();
  for (const accessKey of ['first', 'second', 'apart']) {
    const video = { folderId, accessKey, title: accessKey, durationMs: lengthMs };
    accepted(await service.catalog.videos.create(accountId, video));
    if (accessKey !== 'apart') await account.publish(packageId, accessKey);
  }
  await setMode('named');
  // Ada sees the first in two parts that overlap, to 96 %, and all of the second.
  await play('amy', 'first', 0, 30_000, 3);
  await play('amy', 'first', 20_000, 37_600, 2);
  await play('amy', 'second', 0, lengthMs, 1);
  // Ben sees the same half twice, and a bit less than what completes.
  await play('ben', 'first', 0, 30_000, 4);
  await play('ben', 'first', 0, 30_000, 1);
  await play('ben', 'second', 0, 56_900, 1);
  // Cleo's player reports no position.
  await play('cleo', 'first', undefined, lengthMs, 1);
  await play(undefined, 'first', 0, lengthMs, 1);
  await service.facts.rollUp();
}, 60_000);
afterAll(() => service.stop());

const setMode = async (viewers: 'named' | 'anonymous') =>
  accepted(await service.catalog.accounts.change(account.accountId, { viewers }));

async function play(
  viewer: string | undefined,
  accessKey: string,
  position: number | undefined,
  ms: number,
  hoursAgo: number,
  ofPackage = packageId,
) {
  views += 1;
  const at = new Date(clock.now() - hoursAgo * 3_600_000).toISOString();
  const beacon = { view: `view-${views}`, stretch: 0, at, playMs: ms, accessKey };
  const seen = position === undefined ? {} : { position, mediaMs: ms };
  const beacons = [{ ...beacon, ...seen, packageId: ofPackage, ...(viewer && { viewer }) }];
  const sent = await service.send(beacons, { 'x-api-key': account.key });
  expect(await sent.json()).toMatchObject({ accepted: 1, rejected: [] });
}

const day = (daysAgo: number) =>
  new Date(clock.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);

async function ask(more: object, headers: Record<string, string> = { 'x-api-key': account.key }) {
  const query = new URLSearchParams({ sdate: day(1), edate: day(0), ...more });
  const url = `${service.url}/report/statistics/video/v2/viewers?${query}`;
  return fetch(url, { headers });
}

async function rows(more: object) {
  const response = await ask(more);
  expect(response.status).toBe(200);
  const { data } = (await response.json()) as { data: { list: object[]; totals: object } };
  return data;
}

interface Page {
  readonly data: {
    readonly list: readonly { readonly name: string; readonly completed: number }[];
    readonly requestId: string;
    readonly nextToken: string;
  };
}

const endOf = (hoursAgo: number, ms: number) =>
  new Date(clock.now() - hoursAgo * 3_600_000 + ms).toISOString();

test('of a video, each viewer has what they saw of it in all their views', async () => {
  const names = 'amy\nben\ncleo\nnobody';
  const { list, totals } = await rows({ accessKey: 'first', names });
  expect(list).toMatchObject([
    { name: 'amy', videos: 1, completed: 1, seen: 0.96, lastSeen: endOf(2, 37_600) },
    ...(list as { name: string }[]).slice(1).map(({ name }) => ({ name })),
  ]);
  const of = new Map((list as { name: string }[]).map((row) => [row.name, row]));
  expect(of.get('ben')).toMatchObject({ completed: 0, seen: 0.5, lastSeen: endOf(1, 30_000) });
  expect(of.get('cleo')).toMatchObject({ videos: 1, completed: 0, seen: null });
  expect(of.get('nobody')).toMatchObject({ videos: 0, completed: 0, seen: null, lastSeen: null });
  expect(totals).toEqual({ viewers: 4, completed: 1, videos: 1 });
});

test('without names all whom pages name are there, and only their hashes', async () => {
  const response = await ask({ accessKey: 'first' });
  const text = await response.text();
  expect(text).not.toMatch(/amy|ben|cleo/);
  const { data } = JSON.parse(text);
  expect(data.totals).toEqual({ viewers: 3, completed: 1, videos: 1 });
  const viewers = data.list.map(({ viewer }: { viewer: string }) => viewer);
  for (const viewer of viewers) expect(viewer).toMatch(/^[0-9a-f]{16}$/);
  const named = await rows({ accessKey: 'first', names: 'amy' });
  expect(named.list).toMatchObject([{ viewer: viewers[0], name: 'amy' }]);
});

test('of a package, all of its videos are to be completed', async () => {
  const { list, totals } = await rows({ packageId, names: 'ben\namy', sort: 'completed' });
  expect(list).toMatchObject([
    { name: 'ben', videos: 2, completed: 0, seen: 0.7242, lastSeen: endOf(1, 56_900) },
    { name: 'amy', videos: 2, completed: 2, seen: 0.98, lastSeen: endOf(1, lengthMs) },
  ]);
  expect(totals).toEqual({ viewers: 2, completed: 1, videos: 2 });
});

test('a video that was taken out of the package is no part of it', async () => {
  const { catalog } = service;
  const { accountId } = account;
  const other = await account.addPackage();
  for (const accessKey of ['first', 'apart']) await account.publish(other, accessKey);
  await play('dora', 'first', 0, lengthMs, 1, other);
  await play('dora', 'apart', 0, lengthMs, 1, other);
  await service.facts.rollUp();
  const of = { packageId: other };
  expect((await rows(of)).totals).toEqual({ viewers: 1, completed: 1, videos: 2 });
  const name = { accountId, packageId: other, accessKey: 'apart' };
  accepted(await catalog.publications.retire(name));
  await account.publish(other, 'second');
  const after = await rows(of);
  expect(after.totals).toEqual({ viewers: 1, completed: 0, videos: 2 });
  expect(after.list).toMatchObject([{ videos: 1, completed: 1 }]);
});

test.each([
  ['-seen', ['amy', 'ben']],
  ['seen', ['ben', 'amy']],
  ['-lastSeen', ['ben', 'amy']],
  ['lastSeen', ['amy', 'ben']],
])('is sorted by %s', async (sort, expected) => {
  const { list } = await rows({ accessKey: 'first', names: 'amy\nben', sort });
  expect((list as { name: string }[]).map(({ name }) => name)).toEqual(expected);
});

test('pages are of one moment, and CSV is the whole', async () => {
  const of = { accessKey: 'first', names: 'amy\nben\nnobody' };
  const first = (await (await ask({ ...of, pageSize: 2 })).json()) as Page;
  expect(first.data).toMatchObject({ rowCount: 3, totals: { viewers: 3 } });
  await play('ben', 'first', 0, lengthMs, 0);
  await service.facts.rollUp();
  const { requestId, nextToken } = first.data;
  const url = `${service.url}/report/statistics/video/v2/viewers`;
  const query = new URLSearchParams({ requestId, nextToken });
  const headers = { 'x-api-key': account.key };
  const next = (await (await fetch(`${url}?${query}`, { headers })).json()) as Page;
  const seen = [...first.data.list, ...next.data.list];
  expect(seen.map(({ name, completed }) => [name, completed])).toEqual(
    expect.arrayContaining([
      ['amy', 1],
      ['ben', 0],
      ['nobody', 0],
    ]),
  );
  expect(next.data).toMatchObject({ totals: { viewers: 3, completed: 1 }, nextToken: '' });
  const csv = await ask(of, { ...headers, accept: 'text/csv' });
  const lines = (await csv.text()).trim().split('\r\n');
  expect(lines[0]).toBe('viewer,name,videos,completed,seen,lastSeen');
  expect(lines).toHaveLength(4);
  expect(lines.filter((line) => /,ben,1,1,1,/.test(line))).toHaveLength(1);
});

test('only what the filters let through, and in the range', async () => {
  const none = await rows({ accessKey: 'first', filters: 'country==KR' });
  expect(none).toMatchObject({ list: [], totals: { viewers: 0, completed: 0, videos: 1 } });
  const earlier = { sdate: day(9), edate: day(8), accessKey: 'first' };
  expect((await rows(earlier)).list).toEqual([]);
});

test('a narrowed member has no package and no video outside', async () => {
  const { accountId } = account;
  const narrowed = {
    accountId,
    role: 'analyst',
    packageIds: [await account.addPackage()],
  } as const;
  const { headers } = await addPerson(service.catalog, narrowed);
  for (const about of [{ packageId }, { accessKey: 'first' }, { packageId, names: 'amy' }]) {
    const response = await ask(about, headers);
    const { data } = (await response.json()) as { data: object };
    expect(data).toMatchObject({ list: [], totals: { viewers: 0, completed: 0, videos: 0 } });
  }
});

test('of a video that is in another package too, a narrowed member has what was seen in theirs', async () => {
  const { accountId } = account;
  const own = await account.addPackage();
  await account.publish(own, 'first');
  await play('amy', 'first', 0, 15_000, 5, own);
  await service.facts.rollUp();
  const narrowed = { accountId, role: 'analyst', packageIds: [own] } as const;
  const { headers } = await addPerson(service.catalog, narrowed);
  for (const about of [{ accessKey: 'first' }, { packageId: own }]) {
    const { data } = (await (await ask({ ...about, names: 'amy\nben' }, headers)).json()) as Page;
    expect(data).toMatchObject({
      list: expect.arrayContaining([
        expect.objectContaining({ name: 'amy', seen: 0.25, lastSeen: endOf(5, 15_000) }),
        expect.objectContaining({ name: 'ben', videos: 0, seen: null, lastSeen: null }),
      ]),
      totals: { viewers: 2, completed: 0, videos: 1 },
    });
    const all = (await (await ask(about, headers)).json()) as Page;
    expect(all.data.list).toHaveLength(1);
  }
});

test.each<[string, object, string]>([
  ['neither a video nor a package', {}, 'accessKey'],
  ['too many names', { packageId: 1, names: 'a\n'.repeat(201) }, 'names'],
  ['a name that no viewer has', { packageId: 1, names: 'a'.repeat(257) }, 'names'],
  ['an unknown order', { packageId: 1, sort: 'name' }, 'sort'],
])('%s is refused', async (_, more, parameter) => {
  const response = await ask(more);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ errors: [{ parameter }] });
});

test('an account that does not tell viewers apart by name alone has no list', async () => {
  const before = (await (await ask({ accessKey: 'first', pageSize: 1 })).json()) as Page;
  await setMode('anonymous');
  const response = await ask({ accessKey: 'first' });
  expect(response.status).toBe(403);
  // Nor further pages of one from before.
  const { requestId, nextToken } = before.data;
  const query = new URLSearchParams({ requestId, nextToken });
  const url = `${service.url}/report/statistics/video/v2/viewers?${query}`;
  expect((await fetch(url, { headers: { 'x-api-key': account.key } })).status).toBe(403);
  expect(await response.json()).toMatchObject({ detail: expect.stringContaining('`named`') });
  await setMode('named');
});
