/**
 * An analyst who is narrowed to a package: whatever they ask, every path is answered as if the
 * other package did not exist. All is asked before there is one and after, and must be the same; so
 * a path that is added later is tried too.
 */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { TSchema } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listRoutes } from '../../src/http/app.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { manualClock } from '../support/manual-clock.ts';
import { addPerson, type TestPerson } from '../support/people.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';

/** Ids of what comes later, which are known before it. */
const laterId = 900_001;
const clock = manualClock();

let service: TestService;
let account: TestAccount;
let analyst: TestPerson;
let sharePath: string;
const ids = {
  own: { package: 0, folder: 0, key: '' },
  reportId: 0,
  shareId: 0,
  video: 0,
  annotationId: 0,
  viewId: 0,
};

const { described } = await listRoutes();
/** Those that a session opens; what a stranger may ask has a list of its own in every-path.test.ts. */
const guarded = described.filter(({ operation }) => operation.scope !== undefined);
const reads = guarded.filter(({ method }) => method === 'get');

beforeAll(async () => {
  service = await startTestService({
    clock: clock.readings,
    environment: {
      OPERATOR_NETWORKS: 'none',
      ...{ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'playmeter@example.com' },
    },
  });
  account = await service.addAccount();
  const { accountId } = account;
  const [folder] = await service.catalog.folders.list(accountId);
  ids.own.folder = folder?.folderId ?? 0;
  ids.own.package = await account.addPackage();
  accepted(await service.catalog.accounts.change(accountId, { viewers: 'named' }));
  ids.own.key = await addVideo(ids.own.folder, 'own-film', 'Open course');
  await account.publish(ids.own.package, ids.own.key);
  await play(ids.own.key, ids.own.package, 2);
  const narrowed = { role: 'analyst', packageIds: [ids.own.package] } as const;
  analyst = await addPerson(service.catalog, { accountId, ...narrowed });
  const share = await write('POST', '/manage/v1/shares', { name: 'Mine', lastDays: 7 });
  [sharePath, ids.shareId] = [share.body.path, share.body.shareId];
  const report = await write('POST', '/manage/v1/reports', {
    ...{ name: 'Mine', every: 'week', measures: 'plays,playMs,viewers', dimension: 'video' },
    mailTo: ['me@example.com'],
  });
  ids.reportId = report.body.reportId;
  const { catalog } = service;
  for (const about of [{ packageId: ids.own.package }, { accessKey: ids.own.key }]) {
    const target = { packageId: undefined, accessKey: undefined, ...about };
    const note = { kind: 'note', text: 'Open note', at: new Date(clock.now()) } as const;
    const made = await catalog.annotations.create({
      accountId,
      ...note,
      ...target,
      until: undefined,
    });
    ids.annotationId = accepted(made).annotationId;
  }
  const view = await write('POST', '/manage/v1/views', { name: 'Mine', page: '/' });
  ids.viewId = view.body.viewId;
}, 60_000);
afterAll(() => service.stop());

async function addVideo(folderId: number, accessKey: string, title: string): Promise<string> {
  const texts = { tag: title, series: title, cid: accessKey, durationMs: 60_000 };
  const video = { folderId, accessKey, title, ...texts };
  return accepted(await service.catalog.videos.create(account.accountId, video)).accessKey;
}

async function play(accessKey: string, packageId: number, views: number): Promise<void> {
  const beacons = Array.from({ length: views }, (_, view) => [
    ...[30 * 60_000, 86_400_000 * 6, 2_000].map((beforeMs, index) => ({
      ...{ view: `${accessKey}-${view}-${index}`, stretch: 0, playMs: 2_000 + view },
      ...{ at: new Date(clock.now() - beforeMs - view).toISOString(), position: 0, mediaMs: 2_000 },
      ...{ accessKey, packageId, viewer: `${accessKey}-${view}`, labels: { course: accessKey } },
      ...{ page: `https://media.example/${accessKey}`, userAgent: 'Mozilla/5.0 (X11; Linux)' },
    })),
  ]).flat();
  const sent = await service.send(beacons, { 'x-api-key': account.key });
  expect(await sent.json()).toMatchObject({ accepted: beacons.length });
  await service.facts.rollUp();
}

/** All that belongs to the other package, with everything that its owner makes around it. */
async function addOther(): Promise<void> {
  const { accountId } = account;
  const file = new Database(join(service.config.DATA_DIR, 'catalog.sqlite'));
  const numbered = ['packages', 'videos', 'folders', 'publications', 'shares', 'rules'];
  for (const table of [...numbered, 'annotations', 'saved_views']) {
    file.prepare('delete from sqlite_sequence where name = ?').run(table);
    file.prepare('insert into sqlite_sequence values (?, ?)').run(table, laterId - 1);
  }
  file.close();
  const { catalog } = service;
  accepted(await catalog.folders.create(accountId, { folderName: 'Secret folder' }));
  accepted(await catalog.packages.create(accountId, { packageName: 'Secret package' }));
  await addVideo(laterId, 'other-film', 'Secret course');
  // Also one beside the analyst's own, in the same folder.
  await addVideo(ids.own.folder, 'other-beside', 'Secret beside');
  for (const accessKey of ['other-film', 'other-beside']) {
    const publication = { accountId, packageId: laterId, accessKey };
    accepted(await catalog.publications.publish(publication));
    await play(accessKey, laterId, 7);
  }
  const owner = await addPerson(catalog, { accountId, role: 'owner' });
  const asOwner = (method: string, path: string, body: object) => write(method, path, body, owner);
  await asOwner('POST', '/manage/v1/shares', { name: 'Secret share', lastDays: 7 });
  const note = { text: 'Secret note', at: new Date(clock.now()).toISOString() };
  for (const about of [{}, { packageId: laterId }, { accessKey: 'other-film' }]) {
    expect(await asOwner('POST', '/manage/v1/annotations', { ...note, ...about })).toMatchObject({
      status: 201,
    });
  }
  const view = { name: 'Secret view', page: '/videos/other-film' };
  for (const shared of [true, false]) {
    expect(await asOwner('POST', '/manage/v1/views', { ...view, shared })).toMatchObject({
      status: 201,
    });
  }
  const report = { name: 'Secret report', every: 'week', measures: 'plays', dimension: 'video' };
  const { body } = await asOwner('POST', '/manage/v1/reports', {
    ...report,
    mailTo: ['secret@example.com'],
  });
  await asOwner('POST', `/manage/v1/reports/${body.reportId}/test`, {});
  await asOwner('POST', '/manage/v1/invitations', { email: 's@example.com', role: 'owner' });
  await asOwner('POST', '/manage/v1/keys', { name: 'Secret key', scopes: ['manage'] });
  accepted(await catalog.labels.create(accountId, 'course'));
}

async function write(method: string, path: string, body: object, by: TestPerson = analyst) {
  const response = await fetch(service.url + path, {
    method,
    headers: { ...by.headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text), text };
}

const from = new Date(clock.now() - 8 * 86_400_000).toISOString().slice(0, 10);
const to = new Date(clock.now()).toISOString().slice(0, 10);

/** What is sent for a parameter of a name: first what makes the request whole. */
const values: Readonly<Record<string, () => readonly (string | number)[]>> = {
  sdate: () => [from],
  edate: () => [to],
  date: () => [to],
  os: () => ['Linux'],
  packageId: () => [ids.own.package, laterId, laterId + 1],
  folderId: () => [ids.own.folder, laterId],
  accessKey: () => [ids.own.key, 'other-film', 'other-beside'],
  names: () => ['own-film-0\nother-film-0'],
  keyword: () => ['course', 'Secret', 'other-film'],
  searchItem: () => ['title', 'series', 'tag', 'cid'],
  measures: () => ['plays,playMs,viewers,views', 'attempts,startFailures'],
  dimensions: () => ['video,package', 'folder', 'page,viewerKind', 'date', 'label.course'],
  filters: () => [
    ...[`package==${laterId}`, `package!=${ids.own.package}`, 'packageName=@Secret'],
    ...['video!=own-film', `folder==${laterId}`, 'page=@other'],
  ],
  actor: () => ['SERVICE', 'COMMAND_LINE', 'PERSON:1', 'KEY:1', 'PERSON:3'],
  from: () => [`${from}T00:00:00Z`],
  lengthMs: () => [60_000],
  pageToken: () => ['9999999999999-9999999'],
  requestId: () => [],
  nextToken: () => [],
  timeZone: () => ['Asia/Seoul'],
  pageSize: () => [1],
  page: () => [2],
  bom: () => [],
};

interface Parameter extends TSchema {
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Parameter[];
  readonly properties?: Readonly<Record<string, Parameter>>;
  readonly required?: readonly string[];
  readonly examples?: readonly unknown[];
  readonly minimum?: number;
}

function valuesOf(name: string, schema: Parameter): readonly string[] {
  const known = values[name]?.();
  const some = known ?? schema.enum ?? schema.examples ?? [schema.minimum ?? 'some'];
  return some.map(String);
}

/** Each parameter of a path beside those that it needs, then what names the other package too. */
function requestsOf({ url, operation }: (typeof reads)[number]): string[] {
  const query = operation.query as Parameter | undefined;
  const whole = query?.anyOf?.[0] ?? query;
  const properties = Object.entries(whole?.properties ?? {});
  const needed = properties.filter(
    ([name, schema]) =>
      (whole?.required?.includes(name) && !('default' in schema)) ||
      ['sdate', 'edate', 'date', 'os', 'measures'].includes(name),
  );
  const base = needed.map(([name, schema]) => [name, valuesOf(name, schema)[0] ?? ''] as const);
  const one = properties.flatMap(([name, schema]) =>
    valuesOf(name, schema).map((value) => [[name, value]] as const),
  );
  const isOfOther = ([[, value]]: (typeof one)[number]) => /9000|other|Secret/.test(value);
  const beside = one.filter(([[, value]]) =>
    [String(ids.own.package), 'video,package', 'course'].includes(value),
  );
  const two = one
    .filter(isOfOther)
    .flatMap(([first]) =>
      beside.flatMap(([second]) => (first[0] === second[0] ? [] : [[first, second] as const])),
    );
  const queries = [[], ...one, ...two].map((own) =>
    new URLSearchParams(Object.fromEntries([...base, ...own])).toString(),
  );
  return pathsOf(url).flatMap((path) => [...new Set(queries)].map((text) => `${path}?${text}`));
}

/** Names of both packages in the place of each variable part. */
function pathsOf(url: string): string[] {
  const parts: Readonly<Record<string, readonly (string | number)[]>> = {
    ...{ ':folderId': values.folderId?.() ?? [], ':accessKey': values.accessKey?.() ?? [] },
    ':packageId': values.packageId?.() ?? [],
    ':reportId': [ids.reportId, laterId],
    ':shareId': [ids.shareId, laterId],
    ':annotationId': [ids.annotationId, laterId, laterId + 1, laterId + 2],
    ':viewId': [ids.viewId, laterId, laterId + 1],
  };
  const [part] = /:\w+/.exec(url) ?? [];
  if (part === undefined) return [url];
  return (parts[part] ?? [1, laterId]).flatMap((value) =>
    pathsOf(url.replace(part, String(value))),
  );
}

/** But for the names of requests, which are drawn. */
const sameText = (text: string) =>
  text.replaceAll(/"(requestId|messageId|nextToken)":"[^"]*"/g, '"$1":""');

async function ask(request: string, headers: Readonly<Record<string, string>>) {
  const response = await fetch(service.url + request, { headers });
  return `${response.status} ${sameText(await response.text())}`;
}

async function askAll(): Promise<Map<string, string>> {
  const link = sharePath.slice('/shared/'.length).replace('#', '');
  const share = { 'x-playmeter-share': link };
  const asked = reads.flatMap((route) => {
    const requests = requestsOf(route);
    const shared = route.operation.isForShares ? requests : [];
    const csv = { ...analyst.headers, accept: 'text/csv' };
    return [
      ...requests.map((request) => [request, request, analyst.headers] as const),
      ...shared.map((request) => [`share ${request}`, request, share] as const),
      ...requests.slice(0, 1).map((request) => [`CSV ${request}`, request, csv] as const),
    ];
  });
  asked.push(['session', '/session', analyst.headers]);
  const answers = new Map<string, string>();
  // As many as an account may have under way.
  for (let start = 0; start < asked.length; start += 8) {
    const some = asked.slice(start, start + 8);
    const texts = await Promise.all(some.map(([, request, headers]) => ask(request, headers)));
    for (const [index, [name]] of some.entries()) answers.set(name, texts[index] ?? '');
  }
  return answers;
}

/** What is sent by mail. */
async function testReport(): Promise<string> {
  const sent = await write('POST', `/manage/v1/reports/${ids.reportId}/test`, {});
  const deliveryId = Number(sent.body.list[0].deliveryId);
  const name = { accountId: account.accountId, deliveryId };
  return sameText((await service.catalog.deliveries.find(name))?.body ?? '');
}

describe('as if the other package did not exist', () => {
  let before: Map<string, string>;
  let after: Map<string, string>;
  let report: string;
  beforeAll(async () => {
    report = await testReport();
    before = await askAll();
    await addOther();
    after = await askAll();
  }, 600_000);

  test.each(reads.map(({ url }) => url))('%s answers the same', (url) => {
    const own = [...before].filter(([request]) => isOf(url, request));
    expect(own.length).toBeGreaterThan(0);
    // A label is of the account, whichever playback has it: its name is known by the schema.
    const isLabelled = ([request]: [string, string]) => /schema|label/.test(request);
    const differing = own.filter((entry) => !isLabelled(entry) && after.get(entry[0]) !== entry[1]);
    expect(differing.map(([request, was]) => ({ request, was, is: after.get(request) }))).toEqual(
      [],
    );
    for (const [request, answer] of after) {
      if (isOf(url, request) && isLabelled([request, answer]))
        expect(answer).not.toMatch(/Secret|other-film|other-beside/);
    }
  });

  test('so do the session and the report that is sent', async () => {
    expect(after.get('session')).toBe(before.get('session'));
    expect(report).toContain('own-film');
    expect(await testReport()).toBe(report);
  });

  test('every path that may be asked was asked as it wants to be', () => {
    const statuses = (url: string) =>
      new Set([...before].filter(([one]) => isOf(url, one)).map(([, text]) => text.slice(0, 3)));
    const unasked = reads.filter(
      ({ url }) => !['200', '204', '403'].some((s) => statuses(url).has(s)),
    );
    expect(unasked.map(({ url }) => url)).toEqual([]);
  });

  test('what is counted is there at all: an owner sees more', async () => {
    const owner = await addPerson(service.catalog, { accountId: account.accountId, role: 'owner' });
    const request = `/report/statistics/video/v2/query?sdate=${from}&edate=${to}&measures=plays`;
    const [mine, all] = [await ask(request, analyst.headers), await ask(request, owner.headers)];
    expect(mine).toContain('"totals":{"plays":6}');
    expect(all).toContain('"totals":{"plays":48}');
  });

  test('further pages of another answer are none of theirs', async () => {
    const owner = await addPerson(service.catalog, { accountId: account.accountId, role: 'owner' });
    const path = '/report/statistics/video/v2/query';
    const asked = `${path}?sdate=${from}&edate=${to}&measures=plays&dimensions=video&pageSize=1`;
    const response = await fetch(service.url + asked, { headers: owner.headers });
    const { data } = (await response.json()) as { data: Record<string, string> };
    const { requestId, nextToken } = data;
    const next = `${path}?requestId=${requestId}&nextToken=${nextToken}`;
    expect(await ask(next, owner.headers)).toMatch(/^200/);
    expect(await ask(next, analyst.headers)).toMatch(/^400/);
  });
});

function isOf(url: string, request: string): boolean {
  const path = request.replace(/^(share|CSV) /, '').split('?')[0] ?? '';
  return new RegExp(`^${url.replaceAll(/:\w+/g, '[^/]+')}$`).test(path);
}

const writes = guarded.filter(({ method }) => method !== 'get');

test.each(writes.map(({ method, url }) => [method.toUpperCase(), url] as const))(
  '%s %s changes nothing of the other package',
  async (method, url) => {
    const { catalog } = service;
    const { accountId } = account;
    const others = async () => [
      await catalog.packages.find(accountId, laterId),
      await catalog.folders.find(accountId, laterId),
      await catalog.videos.find(accountId, 'other-film'),
      await catalog.publications.listOfVideo(accountId, 'other-film'),
      (await catalog.shares.list(accountId)).filter(({ name }) => name.startsWith('Secret')),
      (await catalog.rules.list(accountId, 'report')).filter(({ name }) => /^Secret/.test(name)),
      (await catalog.annotations.list(accountId, {})).filter(({ text }) => /^Secret/.test(text)),
      (await catalog.savedViews.list(accountId)).filter(({ name }) => /^Secret/.test(name)),
      await catalog.accounts.find(accountId),
      await catalog.keys.list(accountId),
      (await catalog.memberships.list(accountId)).map(({ lastSeenAt: _, ...member }) => member),
    ];
    const before = await others();
    const named = { packageId: laterId, accessKey: 'other-film', folderId: laterId };
    const stolen = { name: 'Mine', shared: true };
    const bodies = [
      {},
      stolen,
      { name: 'Mine', lastDays: 7, ...named },
      { ...named, serviceAble: 'N' },
    ];
    for (const path of pathsOf(url).filter((one) => !one.includes(`/${ids.shareId}`))) {
      for (const body of bodies) {
        const { text } = await write(method, `${path}?accessKey=other-film`, body);
        expect(text).not.toMatch(/Secret/);
      }
    }
    expect(await others()).toEqual(before);
  },
);

test('annotations of their package and of a video in it are there', async () => {
  const response = await fetch(`${service.url}/manage/v1/annotations`, {
    headers: analyst.headers,
  });
  const { list } = (await response.json()) as { list: object[] };
  expect(list).toMatchObject([
    { packageId: ids.own.package, accessKey: null },
    { packageId: null, accessKey: ids.own.key },
  ]);
});

test('a share of theirs says that it is pinned', async () => {
  const shares = await service.catalog.shares.list(account.accountId);
  const own = shares.find(({ shareId }) => shareId === ids.shareId);
  expect(own).toMatchObject({ packageIds: [ids.own.package] });
});

test('a share of theirs names neither a package nor a video outside', async () => {
  const make = (about: object) =>
    write('POST', '/manage/v1/shares', { name: 'Mine', lastDays: 7, ...about });
  const unknown = await make({ packageId: laterId + 1 });
  expect(unknown.status).toBe(404);
  expect(await make({ packageId: laterId })).toMatchObject({ status: 404, text: unknown.text });
  const noVideo = await make({ accessKey: 'nothing' });
  expect(await make({ accessKey: 'other-film' })).toMatchObject({
    status: 404,
    text: noVideo.text,
  });
});
