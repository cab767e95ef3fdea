/** The video information queries over HTTP, to the letter. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accepted } from '../../src/operations/refusal-faults.ts';
import {
  addFilm,
  startTestService,
  type TestAccount,
  type TestService,
} from '../support/service.ts';

const root = '/info/videopack';
const everyField = {
  accessKey: 'film/1?&',
  cid: 'é'.repeat(64),
  content: 'one\ntwo',
  tag: 'a,b',
  durationMs: Number.MAX_SAFE_INTEGER,
  createdAt: new Date('2026-11-20T10:15:30.120+09:00'),
  fileSizeBytes: Number.MAX_SAFE_INTEGER - 1,
  height: 2160,
  width: 3840,
  frameRate: 23.976,
  title: '100% "Straße" 한글',
  series: 'Series',
  author: 'Author',
  copyright: '© Studio',
  rate: '12',
  etc: 'Else',
  encodingSuccess: 'Y',
} as const;

interface Listed {
  readonly videoInfoList: {
    readonly apiVideoSearchOption: object;
    readonly folderVideoList: readonly { readonly title: string }[];
    readonly videoInfoList: readonly { readonly title: string }[];
    readonly paging: object;
  };
}

let service: TestService;
let account: TestAccount;
let folderId: number;
let packageId: number;
let videoKey: string;

beforeAll(async () => {
  service = await startTestService();
  account = await service.addAccount();
  const { catalog } = service;
  const { accountId } = account;
  folderId = accepted(await catalog.folders.create(accountId, { folderName: 'Library' })).folderId;
  packageId = await account.addPackage();
  accepted(await catalog.videos.create(accountId, { folderId, ...everyField }));
  videoKey = await account.publish(packageId, everyField.accessKey);
  accepted(
    await catalog.thumbnails.replace(accountId, everyField.accessKey, [
      { url: 'https://i.example/0.jpg' },
      { url: 'https://i.example/1.jpg', playTimeMs: 1_500, selected: true },
    ]),
  );
  for (const [title, durationMs, fileSizeBytes] of bareVideos) {
    const accessKey = title.replace(' ', '-');
    const fields = { folderId, accessKey, title, durationMs, fileSizeBytes };
    accepted(await catalog.videos.create(accountId, fields));
    await account.publish(packageId, accessKey);
  }
});

afterAll(() => service?.stop());

const bareVideos = [
  ['Alpha', 3_000, 20],
  ['beta', 1_000, 30],
  ['Gamma STRASSE', 2_000, 10],
] as const;

async function ask(path: string): Promise<unknown> {
  const response = await service.get(root + path, account.key);
  expect(response.status, path).toBe(200);
  return JSON.parse(await response.text());
}

const detailOf = (accessKey: string) =>
  ask(`/detail/v1/info.json?packageId=${packageId}&accessKey=${encodeURIComponent(accessKey)}`);
const folder = async (query = '') =>
  (await ask(`/folder/v1/videos.json?folderId=${folderId}${query}`)) as Listed;
const titlesOf = async (query: string) =>
  (await folder(query)).videoInfoList.folderVideoList.map(({ title }) => title);

const thumbnails = [
  { selected: false, seq: 0, url: 'https://i.example/0.jpg', playtime: 0 },
  { selected: true, seq: 1, url: 'https://i.example/1.jpg', playtime: 1_500 },
];

/** What is said of it, in a package and in a folder alike. */
const everyMember = {
  videoId: expect.any(Number),
  accessKey: everyField.accessKey,
  cid: everyField.cid,
  content: everyField.content,
  duration: Number.MAX_SAFE_INTEGER,
  cdate: '2026-11-20T01:15:30.120Z',
  fileSize: Number.MAX_SAFE_INTEGER - 1,
  thumbnailUrl: 'https://i.example/1.jpg',
  vHeight: 2160,
  vWidth: 3840,
  vFramerate: 23.976,
  title: everyField.title,
  series: 'Series',
  author: 'Author',
  copyright: '© Studio',
  rate: '12',
  etc: 'Else',
};

test('one video of a package: every member, in the order of the interface', async () => {
  const { videoDetail } = (await detailOf(everyField.accessKey)) as {
    videoDetail: { videoInfo: object };
  };
  expect(videoDetail).toStrictEqual({
    videoUrl: `${service.url}/content/${videoKey}`,
    videoInfo: { ...everyMember, videoKey, tag: 'a,b', serviceAble: 'Y', encoding_success: 'Y' },
    thumbnails,
  });
  expect(Object.keys(videoDetail).join()).toBe('videoUrl,videoInfo,thumbnails');
  expect(Object.keys(videoDetail.videoInfo).join()).toBe(
    'videoId,accessKey,videoKey,cid,content,tag,duration,cdate,fileSize,thumbnailUrl,vHeight,' +
      'vWidth,vFramerate,title,series,author,copyright,rate,etc,serviceAble,encoding_success',
  );
});

test('what was never said of a video is null, empty or 0, as its type is', async () => {
  const none = { series: null, author: null, copyright: null, rate: null, etc: null };
  const videoInfo = {
    ...{ ...none, cid: null, content: null, tag: '', thumbnailUrl: '' },
    ...{ vHeight: 0, vWidth: 0, vFramerate: 0, serviceAble: 'Y', encoding_success: 'N' },
  };
  expect(await detailOf('Alpha')).toMatchObject({ videoDetail: { videoInfo, thumbnails: [] } });
});

test('a paused video is reported as paused', async () => {
  const name = { accountId: account.accountId, packageId, accessKey: 'beta' };
  accepted(await service.catalog.publications.setServiceAble(name, 'N'));
  const answer = await detailOf('beta');
  expect(answer).toMatchObject({ videoDetail: { videoInfo: { serviceAble: 'N' } } });
});

test('the videos of a folder: every member, in the order of the interface', async () => {
  const { videoInfoList } = await folder('&sortDirection=asc&pageSize=1');
  expect(videoInfoList).toStrictEqual({
    apiVideoSearchOption: { keyword: '', searchItem: 'title', sortItem: 'id', sortDirection: 0 },
    folderVideoList: [{ ...everyMember, encodingSuccess: 'Y' }],
    paging: { page: 1, pageSize: 1, totalCount: 4, totalPage: 4 },
  });
  const members = ['apiVideoSearchOption', 'folderVideoList', 'paging'];
  expect(Object.keys(videoInfoList)).toEqual(members);
});

test('defaults are returned: no keyword, title, id, descending, 30 videos, page 1', async () => {
  const { videoInfoList } = await folder();
  expect(videoInfoList.apiVideoSearchOption).toStrictEqual({
    keyword: '',
    searchItem: 'title',
    sortItem: 'id',
    sortDirection: 1,
  });
  const paging = { page: 1, pageSize: 30, totalCount: 4, totalPage: 1 };
  expect(videoInfoList.paging).toStrictEqual(paging);
  const titles = videoInfoList.folderVideoList.map(({ title }) => title);
  expect(titles).toEqual(['Gamma STRASSE', 'beta', 'Alpha', everyField.title]);
  expect(videoInfoList.folderVideoList[0]).toMatchObject({ encodingSuccess: 'N', cid: null });
});

test.each([
  ['sortItem=title&sortDirection=asc', [everyField.title, 'Alpha', 'beta', 'Gamma STRASSE']],
  ['sortItem=duration', [everyField.title, 'Alpha', 'Gamma STRASSE', 'beta']],
  ['sortItem=filesize&sortDirection=asc', ['Gamma STRASSE', 'Alpha', 'beta', everyField.title]],
  ['keyword=ALPH', ['Alpha']],
  ['keyword=%25', [everyField.title]],
  ['keyword=%ED%95%9C', [everyField.title]],
  ['keyword=author&searchItem=author', [everyField.title]],
  ['keyword=%C3%A9&searchItem=cid', []],
  ['keyword=CID&searchItem=cid', [everyField.title]],
  ['pageSize=3&page=2', [everyField.title]],
  ['pageSize=1000&page=9007199254740991', []],
])('%s', async (query, titles) => {
  const asked = query.replace('CID', encodeURIComponent(everyField.cid));
  expect(await titlesOf(`&${asked}`)).toEqual(titles);
});

test('an empty folder has no pages', async () => {
  const { accountId } = account;
  const empty = accepted(await service.catalog.folders.create(accountId, { folderName: 'Empty' }));
  expect(await ask(`/folder/v1/videos.json?folderId=${empty.folderId}`)).toMatchObject({
    videoInfoList: { folderVideoList: [], paging: { totalCount: 0, totalPage: 0 } },
  });
});

test('the videos of a package, all or those of one folder', async () => {
  const path = `/package/v1/videos.json?packageId=${packageId}`;
  const all = (await ask(`${path}&sortDirection=asc&pageSize=2`)) as Listed;
  const { videoInfoList: list, paging } = all.videoInfoList;
  expect(list.map(({ title }) => title)).toEqual([everyField.title, 'Alpha']);
  expect(list[0]).toMatchObject({ videoKey, encoding_success: 'Y', serviceAble: 'Y' });
  expect(paging).toEqual({ page: 1, pageSize: 2, totalCount: 4, totalPage: 2 });
  const within = (await ask(`${path}&folderId=${folderId}&keyword=beta`)) as Listed;
  expect(within.videoInfoList.videoInfoList.map(({ title }) => title)).toEqual(['beta']);
  const elsewhere = (await ask(`${path}&folderId=987654`)) as Listed;
  expect(elsewhere.videoInfoList.videoInfoList).toEqual([]);
});

test('all packages, all folders, the thumbnails of a video', async () => {
  expect(await ask('/package/v1/info.json')).toStrictEqual({
    packageList: [{ packageId, packageName: 'Site', packageType: 'VOD' }],
  });
  const { folderList } = (await ask('/folder/v1/info.json')) as { folderList: object[] };
  expect(folderList).toContainEqual({ id: folderId, folderName: 'Library' });
  const key = encodeURIComponent(everyField.accessKey);
  const answer = await ask(`/thumbnail/v1/info.json?accessKey=${key}`);
  expect(answer).toStrictEqual({ thumbnails });
  expect(await ask('/thumbnail/v1/info.json?accessKey=Alpha')).toEqual({ thumbnails: [] });
});

test.each([
  ['/folder/v1/videos.json?folderId=987654'],
  ['/package/v1/videos.json?packageId=987654'],
  ['/thumbnail/v1/info.json?accessKey=unknown'],
  ['/detail/v1/info.json?packageId=987654&accessKey=Alpha'],
  ['/detail/v1/info.json?packageId=PACKAGE&accessKey=unknown'],
  ['/detail/v1/info.json?packageId=PACKAGE&accessKey=aside'],
])('%s is not there', async (path) => {
  const fields = { folderId, title: 'Aside', accessKey: 'aside' };
  await service.catalog.videos.putMany(account.accountId, [fields]);
  const asked = root + path.replace('PACKAGE', String(packageId));
  const response = await service.get(asked, account.key);
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ code: 'NOT_FOUND', isSuccess: false });
  await service.catalog.videos.delete(account.accountId, 'aside');
});

test.each([
  ['/folder/v1/videos.json', ['folderId']],
  ['/folder/v1/videos.json?folderId=0&pageSize=1001&page=0', ['folderId', 'pageSize', 'page']],
  ['/folder/v1/videos.json?folderId=1&searchItem=x&sortItem=y', ['searchItem', 'sortItem']],
  ['/folder/v1/videos.json?folderId=1&sortDirection=DESC', ['sortDirection']],
  ['/folder/v1/videos.json?folderId=1&keyword=a&keyword=b', ['keyword']],
  ['/package/v1/videos.json?packageId=one&folderId=-1', ['packageId', 'folderId']],
  ['/detail/v1/info.json?packageId=1.5', ['accessKey', 'packageId']],
  ['/detail/v1/info.json?accessKey=&packageId=1', ['accessKey']],
  ['/thumbnail/v1/info.json', ['accessKey']],
])('%s names %s', async (path, parameters) => {
  const response = await service.get(root + path, account.key);
  expect(response.status).toBe(400);
  const { errors } = (await response.json()) as { errors: { parameter: string }[] };
  expect(errors.map(({ parameter }) => parameter)).toEqual(parameters);
});

test.each([
  [{ CONTENT_URL: 'https://cdn.example/v/' }, 'https://cdn.example/v'],
  [{ PUBLIC_URL: 'https://media.example/' }, 'https://media.example/content'],
])('with %o the path of a video begins with %s', async (environment, begin) => {
  const service = await startTestService({ environment });
  try {
    const account = await service.addAccount();
    const { packageId, accessKey, videoKey } = await addFilm(account);
    const path = `${root}/detail/v1/info.json?packageId=${packageId}&accessKey=${accessKey}`;
    const answer = await (await service.get(path, account.key)).json();
    expect(answer).toMatchObject({ videoDetail: { videoUrl: `${begin}/${videoKey}` } });
  } finally {
    await service.stop();
  }
});
