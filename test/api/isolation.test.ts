/** What belongs to another account does not exist: the same answer, byte for byte, as unknown. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';

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
  packageId = await owner.addPackage();
  accessKey = await owner.addVideo();
  videoKey = await owner.publish(packageId, accessKey);
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
  const filters = ['', `&packageId=${packageId}`, `&accessKey=${accessKey}`];
  for (const filter of filters) {
    const own = await service.ask(question + filter, owner.key);
    expect(own.list).toMatchObject([{ videoCount: '1', duration: '60' }]);
    const foreign = await service.ask(question + filter, stranger.key);
    expect(foreign).toMatchObject({ list: [], nextToken: '' });
  }
  const unknown = await service.ask(`${question}&accessKey=unknown&packageId=987654`, owner.key);
  expect(unknown.list).toEqual([]);
});

const information = [
  '/info/videopack/folder/v1/videos.json?folderId=FOLDER',
  '/info/videopack/package/v1/videos.json?packageId=PACKAGE',
  '/info/videopack/detail/v1/info.json?packageId=PACKAGE&accessKey=VIDEO',
  '/info/videopack/thumbnail/v1/info.json?accessKey=VIDEO',
];

test.each(information)('%s answers a stranger as if it were not there', async (address) => {
  const named = (names: object) =>
    Object.entries(names).reduce((text, [word, name]) => text.replace(word, name), address);
  const own = named({ FOLDER: folderId, PACKAGE: packageId, VIDEO: accessKey });
  const unknown = named({ FOLDER: 987654, PACKAGE: 987654, VIDEO: 'unknown' });
  expect((await service.get(own, owner.key)).status).toBe(200);
  const [foreign, missing] = await Promise.all(
    [own, unknown].map(async (asked) => {
      const response = await service.get(asked, stranger.key);
      return { status: response.status, text: await response.text() };
    }),
  );
  expect(foreign?.status).toBe(404);
  expect(foreign).toEqual(missing);
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
  await service.catalog.videos.delete(accountId, of.accessKey);
  await service.catalog.packages.delete(accountId, of.packageId);
  for (const filter of ['', `&packageId=${of.packageId}`, `&accessKey=${of.accessKey}`]) {
    const { list } = await service.ask(questions[0] + filter, account.key);
    expect(list).toMatchObject([{ videoCount: '1' }]);
    expect((await service.ask(questions[0] + filter, stranger.key)).list).toEqual([]);
  }
});
