/** What belongs to another account does not exist: the same answer, byte for byte, as unknown. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accepted } from '../../src/operations/refusal-faults.ts';
import {
  addFilm,
  startTestService,
  type TestAccount,
  type TestService,
} from '../support/service.ts';

let service: TestService;
let owner: TestAccount;
let stranger: TestAccount;
let folderId: number;
let packageId: number;
let accessKey: string;
let videoKey: string;
beforeAll(async () => {
  service = await startTestService();
  owner = await service.addAccount();
  stranger = await service.addAccount();
  folderId = (await service.catalog.folders.list(owner.accountId))[0]?.folderId ?? 0;
  ({ packageId, accessKey, videoKey } = await addFilm(owner));
  await service.send([beaconOf('own', { accessKey, packageId })], { 'x-api-key': owner.key });
  await service.facts.rollUp();
});
afterAll(() => service.stop());

function beaconOf(view: string, about: object) {
  return { view, stretch: 0, at: '2026-05-04T10:00:00Z', playMs: 60_000, ...about };
}

const range = 'sdate=2026-05-01&edate=2026-05-07';
const questions = [
  `/report/statistics/video/v1/info/date?${range}`,
  '/report/statistics/video/v1/info/date/hour?date=2026-05-04',
  `/report/statistics/video/v1/os?${range}`,
  `/report/statistics/video/v1/os/detail?${range}&os=Unknown`,
];

test.each(questions)('%s shows the own account only', async (question) => {
  const filters = ['', `&packageId=${packageId}&accessKey=${accessKey}`];
  for (const filter of filters) {
    const own = await service.ask(question + filter, owner.key);
    expect(own.list).toMatchObject([{ videoCount: '1', duration: '60' }]);
    const foreign = await service.ask(question + filter, stranger.key);
    expect(foreign).toMatchObject({ list: [], nextToken: '' });
  }
  const unknown = await service.ask(`${question}&accessKey=unknown&packageId=987654`, owner.key);
  expect(unknown.list).toEqual([]);
});

/** Of the audience: by `NAMED` of the owner's, and what its answer says of the one play. */
const audience = '/report/statistics/video/v2';
const ofAudience = [
  ['the rows of a query', `query?${range}&measures=plays,viewers&dimensions=video`, 1],
  ['a filter on a video', `query?${range}&measures=plays&filters=video==VIDEO`, 1],
  ['a filter on a package', `query?${range}&measures=plays&filters=package==PACKAGE`, 1],
  ['a filter on a folder', `query?${range}&measures=plays&filters=folder==FOLDER`, 1],
  ['a query of a video', `query?${range}&measures=plays&accessKey=VIDEO&packageId=PACKAGE`, 1],
  ['the retention of a video', `retention?${range}&accessKey=VIDEO&parts=2`, 2],
  ['how many at once', `concurrency?${range}&interval=day`, 1],
  ['how many at once, of a video', `concurrency?${range}&interval=day&accessKey=VIDEO`, 1],
  ['how many at once, in a package', `concurrency?${range}&interval=day&packageId=PACKAGE`, 1],
] as const;

describe('of the audience', () => {
  /** Whatever counts something, whichever kind of row it is of. */
  const playedIn = ({ list }: { list: Record<string, number>[] }) =>
    list.filter(({ plays, peak, audience }) => plays || peak || audience).length;
  const ask = async (target: string, names: Record<string, string | number>, key: string) => {
    const asked = Object.entries(names).reduce<string>(
      (text, [word, to]) => text.replace(word, String(to)),
      `${audience}/${target}`,
    );
    const response = await service.get(asked, key);
    expect([asked, response.status]).toEqual([asked, 200]);
    return ((await response.json()) as { data: never }).data;
  };
  const withoutId = (data: object) => ({ ...data, requestId: '' });
  const unknown = { FOLDER: 987654, PACKAGE: 987654, VIDEO: 'unknown' };
  const named = () => ({ FOLDER: folderId, PACKAGE: packageId, VIDEO: accessKey });
  beforeAll(async () => {
    const { accountId } = owner;
    accepted(await service.catalog.videos.change(accountId, accessKey, { durationMs: 60_000 }));
    accepted(await service.catalog.labels.create(accountId, 'course'));
    await service.send([beaconOf('own', { accessKey, packageId, position: 0, mediaMs: 60_000 })], {
      'x-api-key': owner.key,
    });
    await service.facts.rollUp();
  });

  test.each(ofAudience)('%s', async (_, target, rows) => {
    expect(playedIn(await ask(target, named(), owner.key))).toBe(rows);
    const foreign = await ask(target, named(), stranger.key);
    expect(playedIn(foreign)).toBe(0);
    expect(withoutId(foreign)).toEqual(withoutId(await ask(target, unknown, stranger.key)));
    expect(JSON.stringify(foreign)).not.toContain(accessKey);
  });

  test('who watches now', async () => {
    const playing = async (key: string) => {
      const { playing, videos } = (await ask('live', {}, key)) as { playing: number; videos: [] };
      return { playing, videos: videos.length };
    };
    // Reported anew until it is seen, however long the machine takes.
    await expect
      .poll(async () => {
        const at = new Date(Date.now() - 2_000).toISOString();
        const beacon = { ...beaconOf(at, { accessKey, packageId }), at, playMs: 2_000 };
        await service.send([beacon], { 'x-api-key': owner.key });
        await service.facts.rollUp();
        return (await playing(owner.key)).videos;
      })
      .toBe(1);
    expect(await playing(stranger.key)).toEqual({ playing: 0, videos: 0 });
  });

  test('the labels of the schema', async () => {
    const namesFor = async (key: string) => {
      const { dimensions } = (await ask('schema', {}, key)) as { dimensions: { name: string }[] };
      return dimensions.map(({ name }) => name).filter((name) => name.startsWith('label.'));
    };
    expect(await namesFor(owner.key)).toEqual(['label.course']);
    expect(await namesFor(stranger.key)).toEqual([]);
    const query = `${audience}/query?${range}&measures=plays&dimensions=label.`;
    const statusOf = async (name: string, key: string) => {
      const response = await service.get(query + name, key);
      const text = await response.text();
      return [response.status, text.replaceAll(name, 'NAME').replace(/"requestId":"[^"]*"/, '')];
    };
    expect((await statusOf('course', owner.key))[0]).toBe(200);
    const foreign = await statusOf('course', stranger.key);
    expect(foreign).toEqual(await statusOf('colour', stranger.key));
    expect(foreign[0]).toBe(400);
  });
});

/** A request that names something of the owner's, and the owner's status for it. */
const named = [
  ['GET', '/info/videopack/folder/v1/videos.json?folderId=FOLDER', 200],
  ['GET', '/info/videopack/package/v1/videos.json?packageId=PACKAGE', 200],
  ['GET', '/info/videopack/detail/v1/info.json?packageId=PACKAGE&accessKey=VIDEO', 200],
  ['GET', '/info/videopack/thumbnail/v1/info.json?accessKey=VIDEO', 200],
  ['GET', '/manage/v1/folders/FOLDER', 200],
  ['PUT', '/manage/v1/folders/FOLDER', 200, { folderName: 'Films' }],
  ['PATCH', '/manage/v1/folders/FOLDER', 200, { folderName: 'Films' }],
  ['DELETE', '/manage/v1/folders/FOLDER', 409],
  ['GET', '/manage/v1/videos?folderId=FOLDER', 200],
  ['DELETE', '/manage/v1/playback?accessKey=VIDEO&dryRun=Y', 200],
  ['DELETE', '/manage/v1/playback?packageId=PACKAGE&dryRun=Y', 200],
  ['GET', '/manage/v1/videos/VIDEO', 200],
  ['PATCH', '/manage/v1/videos/VIDEO', 200, { title: 'Film' }],
  ['GET', '/manage/v1/videos/VIDEO/thumbnails', 200],
  ['PUT', '/manage/v1/videos/VIDEO/thumbnails', 200, { thumbnails: [{ url: 'https://u' }] }],
  ['PUT', '/manage/v1/videos/VIDEO/thumbnails/selected', 200, { seq: 0 }],
  ['GET', '/manage/v1/packages/PACKAGE', 200],
  ['PUT', '/manage/v1/packages/PACKAGE', 200, { packageName: 'Site' }],
  ['PATCH', '/manage/v1/packages/PACKAGE', 200, { packageName: 'Site' }],
  ['GET', '/manage/v1/packages/PACKAGE/videos', 200],
  ['GET', '/manage/v1/packages/PACKAGE/videos/VIDEO', 200],
  ['PUT', '/manage/v1/packages/PACKAGE/videos/VIDEO', 200],
  ['PATCH', '/manage/v1/packages/PACKAGE/videos/VIDEO', 200, { serviceAble: 'Y' }],
  ['POST', '/manage/v1/signing-keys/SIGNER/rotate', 201],
  ['DELETE', '/manage/v1/signing-keys/SIGNER', 204],
  ['POST', '/manage/v1/keys/KEYID/rotate', 201],
  ['DELETE', '/manage/v1/keys/KEYID', 204],
  // Last, because they succeed for the owner.
  ['DELETE', '/manage/v1/packages/PACKAGE/videos/VIDEO', 204],
  ['DELETE', '/manage/v1/videos/VIDEO', 204],
  ['DELETE', '/manage/v1/packages/PACKAGE', 204],
] as const;

describe('what a request names', () => {
  let own: Record<string, string | number>;
  const unknown = {
    FOLDER: 987654,
    PACKAGE: 987654,
    VIDEO: 'unknown',
    KEYID: 987654,
    SIGNER: 987654,
  };
  beforeAll(async () => {
    const { keyId } = accepted(
      await service.catalog.keys.create({ accountId: owner.accountId, scopes: ['manage'] }),
    );
    const { body } = await service.manage(owner.key, 'POST', '/signing-keys');
    const VIDEO = await owner.addVideo();
    own = { FOLDER: folderId, PACKAGE: await owner.addPackage(), VIDEO, KEYID: keyId };
    own.SIGNER = body.signingKeyId;
    await owner.publish(Number(own.PACKAGE), VIDEO);
  });

  test.each(named)('%s %s', async (method, target, status, message?: object) => {
    const ask = async (names: object, key: string) => {
      const named = Object.entries(names).reduce<string>(
        (text, [word, to]) => text.replace(word, to),
        target,
      );
      const json = message ? { 'content-type': 'application/json' } : {};
      const response = await service.request(named, {
        method,
        headers: { 'x-api-key': key, ...json },
        ...(message ? { body: JSON.stringify(message) } : {}),
      });
      return { status: response.status, text: await response.text() };
    };
    const foreign = await ask(own, stranger.key);
    expect(foreign.status).toBe(404);
    expect(foreign).toEqual(await ask(unknown, stranger.key));
    expect((await ask(own, owner.key)).status).toBe(status);
  });
});

test('a stranger sees no folders or packages of others', async () => {
  const folders = await (
    await service.get('/info/videopack/folder/v1/info.json', stranger.key)
  ).text();
  expect(JSON.parse(folders).folderList).toHaveLength(1);
  const packages = await service.get('/info/videopack/package/v1/info.json', stranger.key);
  expect(await packages.json()).toEqual({ packageList: [] });
});

test('a stranger with a key cannot report playback of the video', async () => {
  const attempts = [
    [beaconOf('a', { accessKey, packageId }), beaconOf('a', { accessKey: 'none', packageId: 77 })],
    [beaconOf('a', { videoKey }), beaconOf('a', { videoKey: 'none' })],
  ] as const;
  for (const [foreign, unknown] of attempts) {
    const answers = await Promise.all(
      [foreign, unknown].map(async (beacon) =>
        (await service.send([beacon], { 'x-api-key': stranger.key })).text(),
      ),
    );
    expect(answers[0]).toBe(answers[1]);
    expect(answers[0]).toContain('UNKNOWN_VIDEO');
  }
});

test('statistics of deleted videos and packages stay, and stay their own', async () => {
  const account = await service.addAccount();
  const { accountId } = account;
  const of = { packageId: await account.addPackage(), accessKey: await account.addVideo() };
  await account.publish(of.packageId, of.accessKey);
  await service.send([beaconOf('kept', of)], { 'x-api-key': account.key });
  await service.facts.rollUp();
  accepted(await service.catalog.videos.delete(accountId, of.accessKey));
  accepted(await service.catalog.packages.delete(accountId, of.packageId));
  for (const filter of ['', `&packageId=${of.packageId}`, `&accessKey=${of.accessKey}`]) {
    const { list } = await service.ask(questions[0] + filter, account.key);
    expect(list).toMatchObject([{ videoCount: '1' }]);
    expect((await service.ask(questions[0] + filter, stranger.key)).list).toEqual([]);
  }
});
