/** What a GET under /manage answers can be sent back by PUT: for every resource that has both. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest';
import { howToRepeat } from '../support/how-to-repeat.ts';
import { readSeed } from '../support/seed.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';

type Json = Readonly<Record<string, unknown>>;

let service: TestService;
let account: TestAccount;
let resources: readonly string[];
let made = 0;
/** An account has ten at most, so all libraries share one. */
let label: string;

beforeAll(async () => {
  service = await startTestService();
  account = await service.addAccount();
  const { labelId } = (await call('POST', '/manage/v1/labels', { name: 'plan' })).body;
  label = `/manage/v1/labels/${labelId}`;
  const { paths } = (await (await service.request('/openapi.json', {})).json()) as { paths: Json };
  resources = Object.entries(paths)
    .filter(([path]) => path.startsWith('/manage/'))
    .filter(([, methods]) => ['get', 'put'].every((method) => method in (methods as Json)))
    .map(([path]) => path);
});

afterAll(() => service?.stop());

async function call(method: string, path: string, message?: unknown) {
  const json = message === undefined ? {} : { 'content-type': 'application/json' };
  const response = await service.request(path, {
    method,
    headers: { 'x-api-key': account.key, ...json },
    ...(message === undefined ? {} : { body: JSON.stringify(message) }),
  });
  return { status: response.status, body: (await response.json()) as Json };
}

const line = (minLength: number) =>
  fc.string({ unit: fc.constantFrom(...'aé 한"\\'), minLength, maxLength: 12 });
const webUrl = line(1).map((rest) => `https://${rest}`);
const text = fc.option(line(0));
const count = fc.maxSafeNat();
const fields = {
  folder: fc.record({ folderName: line(1) }),
  package: fc.record({
    packageName: line(1),
    packageType: line(1),
    allowedOrigins: fc.subarray(['https://a.example', 'http://b.example:8080', 'app://player']),
  }),
  video: fc.record({
    title: line(1),
    cid: text,
    content: text,
    tag: line(0),
    duration: count,
    fileSize: count,
    vHeight: count,
    vWidth: count,
    vFramerate: fc.constantFrom(0, 23.976, 25, 100_000),
    series: text,
    author: text,
    copyright: text,
    rate: text,
    etc: text,
    encodingSuccess: fc.constantFrom('Y', 'N', null),
    cdate: fc.constantFrom('2020-02-29T12:00:00+05:45', '2026-11-20T10:15:30.123Z'),
  }),
  thumbnails: fc.array(fc.record({ url: webUrl, playtime: count, selected: fc.boolean() }), {
    maxLength: 4,
  }),
  serviceAble: fc.constantFrom('Y', 'N'),
};

/** Adds one of everything; its URLs by the path of the resource. */
async function addLibrary(given: {
  readonly folder: Json;
  readonly package: Json;
  readonly video: Json;
  readonly thumbnails: readonly Json[];
  readonly serviceAble: string;
}): Promise<Readonly<Record<string, string>>> {
  made += 1;
  const { folderId } = (await call('POST', '/manage/v1/folders', given.folder)).body;
  const { packageId } = (await call('POST', '/manage/v1/packages', given.package)).body;
  const accessKey = `film-${made}`;
  const video = `/manage/v1/videos/${accessKey}`;
  await call('POST', '/manage/v1/videos', { ...given.video, folderId, accessKey });
  await call('PUT', `${video}/thumbnails`, { thumbnails: given.thumbnails });
  const publication = `/manage/v1/packages/${packageId}/videos/${accessKey}`;
  await call('PUT', publication, { serviceAble: given.serviceAble });
  return {
    '/manage/v1/folders/{folderId}': `/manage/v1/folders/${folderId}`,
    '/manage/v1/labels/{labelId}': label,
    '/manage/v1/packages/{packageId}': `/manage/v1/packages/${packageId}`,
    '/manage/v1/packages/{packageId}/videos/{accessKey}': publication,
    '/manage/v1/videos/{accessKey}': video,
    '/manage/v1/videos/{accessKey}/thumbnails': `${video}/thumbnails`,
  };
}

/** Of one library; what fails is drawn again by its seed. */
function draw() {
  const seed = readSeed(process.env.SEED);
  onTestFailed(() => console.error(howToRepeat(seed)));
  const [given] = fc.sample(fc.record(fields), { numRuns: 1, seed });
  if (given === undefined) throw new Error('nothing was drawn');
  return given;
}

test('sent back as it is, every record stays as it is', async () => {
  const property = fc.asyncProperty(fc.record(fields), async (given) => {
    const routes = await addLibrary(given);
    expect(Object.keys(routes)).toEqual(resources.toSorted());
    for (const route of Object.values(routes)) {
      const before = await call('GET', route);
      expect(before.status, route).toBe(200);
      const put = await call('PUT', route, before.body);
      expect(put, route).toEqual(before);
      expect(await call('GET', route), route).toEqual(before);
    }
  });
  await fc.assert(property, { numRuns: 6 });
});

test.each([
  ['/manage/v1/folders/{folderId}', { folderId: 987_654 }],
  ['/manage/v1/packages/{packageId}', { packageId: 987_654 }],
  ['/manage/v1/packages/{packageId}/videos/{accessKey}', { videoKey: 'another' }],
  ['/manage/v1/packages/{packageId}/videos/{accessKey}', { accessKey: 'another' }],
  ['/manage/v1/videos/{accessKey}', { videoId: 987_654 }],
  ['/manage/v1/videos/{accessKey}', { thumbnailUrl: 'https://i.example/another.jpg' }],
] as const)('%s refuses %j', async (path, change) => {
  const given = draw();
  const route = (await addLibrary(given))[path] ?? '';
  const before = await call('GET', route);
  const { status, body } = await call('PUT', route, { ...before.body, ...change });
  const [parameter] = Object.keys(change);
  expect({ status, body }).toMatchObject({
    status: 400,
    body: { code: 'INVALID_PARAMETER', errors: [{ parameter, detail: 'cannot be changed' }] },
  });
  expect(await call('GET', route)).toEqual(before);
});

test('a new video takes no number of its own, and the accessKey of its path', async () => {
  const given = draw();
  const routes = await addLibrary(given);
  const before = await call('GET', routes['/manage/v1/videos/{accessKey}'] ?? '');
  const { videoId, thumbnailUrl, ...rest } = before.body;
  const accessKey = 'brought-along';
  const route = `/manage/v1/videos/${accessKey}`;
  expect(await call('PUT', route, { ...rest, videoId, accessKey })).toMatchObject({
    status: 400,
    body: { errors: [{ parameter: 'videoId' }] },
  });
  expect(await call('PUT', route, { ...rest, accessKey })).toMatchObject({
    status: 201,
    body: { accessKey, title: rest.title },
  });
});

test('thumbnails in another order than their places are refused', async () => {
  const given = draw();
  const one = { url: 'https://i.example/0.jpg' };
  const library = { ...given, thumbnails: [one, one] };
  const route = (await addLibrary(library))['/manage/v1/videos/{accessKey}/thumbnails'] ?? '';
  const { thumbnails } = (await call('GET', route)).body as { thumbnails: Json[] };
  expect(await call('PUT', route, { thumbnails: thumbnails.toReversed() })).toMatchObject({
    status: 400,
    body: { errors: [{ parameter: 'thumbnails.0.seq' }, { parameter: 'thumbnails.1.seq' }] },
  });
});
