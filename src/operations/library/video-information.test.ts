import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import type { PublishedVideo, Thumbnail } from '../../catalog/catalog.ts';
import { packageDefaults } from '../../wire/library/video-fields.ts';
import {
  FoldersAnswer,
  FolderVideosAnswer,
  FolderVideosRequest,
  PackagesAnswer,
  PackageVideosAnswer,
  ThumbnailsAnswer,
  VideoDetailAnswer,
} from '../../wire/library/video-information.ts';
import { readParameters } from '../../wire/parameters.ts';
import {
  foldersAnswer,
  folderVideosAnswer,
  packagesAnswer,
  packageVideosAnswer,
  thumbnailsAnswer,
  videoDetailAnswer,
} from './video-information.ts';

const video: PublishedVideo = {
  videoId: 7,
  accountId: 1,
  folderId: 2,
  accessKey: 'film-1',
  cid: null,
  content: null,
  tag: '',
  durationMs: Number.MAX_SAFE_INTEGER,
  createdAt: new Date('2026-11-20T10:15:30Z'),
  fileSizeBytes: 123_456_789_012,
  height: 1080,
  width: 1920,
  frameRate: 29.97,
  title: 'Film',
  series: null,
  author: 'Author',
  copyright: null,
  rate: null,
  etc: null,
  encodingSuccess: null,
  thumbnailUrl: 'https://cdn.example/1.jpg',
  packageId: 3,
  videoKey: 'key',
  serviceAble: 'N',
};

const thumbnails: Thumbnail[] = [
  { seq: 0, url: 'https://cdn.example/0.jpg', playTimeMs: 0, selected: false },
  { seq: 1, url: 'https://cdn.example/1.jpg', playTimeMs: 5_000, selected: true },
];

const query = readParameters(FolderVideosRequest, { folderId: '2', page: '4', pageSize: '10' });

const videoInfo = {
  videoId: 7,
  accessKey: 'film-1',
  videoKey: 'key',
  cid: null,
  content: null,
  tag: '',
  duration: 9007199254740991,
  cdate: '2026-11-20T10:15:30.000Z',
  fileSize: 123456789012,
  thumbnailUrl: 'https://cdn.example/1.jpg',
  vHeight: 1080,
  vWidth: 1920,
  vFramerate: 29.97,
  title: 'Film',
  series: null,
  author: 'Author',
  copyright: null,
  rate: null,
  etc: null,
  serviceAble: 'N',
  encoding_success: 'N',
};

const thumbnailItems = [
  { selected: false, seq: 0, url: 'https://cdn.example/0.jpg', playtime: 0 },
  { selected: true, seq: 1, url: 'https://cdn.example/1.jpg', playtime: 5000 },
];

const apiVideoSearchOption = {
  keyword: '',
  searchItem: 'title',
  sortItem: 'id',
  sortDirection: 1,
};

const paging = { page: 4, pageSize: 10, totalCount: 31, totalPage: 4 };

test('the detail of a video in a package', () => {
  const answer = videoDetailAnswer(video, thumbnails, 'https://content.example');
  expect(answer).toStrictEqual({
    videoDetail: { videoUrl: 'https://content.example/key', videoInfo, thumbnails: thumbnailItems },
  });
  expect(Value.Check(VideoDetailAnswer, answer)).toBe(true);
});

test.each(['Y', 'N', null] as const)('encoding that is %s has one answer', (encodingSuccess) => {
  const one = { ...video, encodingSuccess };
  const { videoInfo } = videoDetailAnswer(one, [], 'https://cdn.example').videoDetail;
  const folder = folderVideosAnswer(query, { videos: [one], totalCount: 1 }).videoInfoList;
  expect(folder.folderVideoList[0]?.encodingSuccess).toBe(videoInfo.encoding_success);
  expect(videoInfo.encoding_success).toBe(encodingSuccess ?? 'N');
});

test('the videos of a folder', () => {
  const answer = folderVideosAnswer(query, { videos: [video], totalCount: 31 });
  expect(answer).toStrictEqual({
    videoInfoList: {
      apiVideoSearchOption,
      folderVideoList: [
        {
          videoId: 7,
          accessKey: 'film-1',
          duration: 9007199254740991,
          fileSize: 123456789012,
          cid: null,
          content: null,
          thumbnailUrl: 'https://cdn.example/1.jpg',
          vHeight: 1080,
          vWidth: 1920,
          vFramerate: 29.97,
          title: 'Film',
          cdate: '2026-11-20T10:15:30.000Z',
          series: null,
          author: 'Author',
          copyright: null,
          rate: null,
          etc: null,
          encodingSuccess: 'N',
        },
      ],
      paging,
    },
  });
  expect(Value.Check(FolderVideosAnswer, answer)).toBe(true);
});

test('the videos of a package', () => {
  const page = { videos: [video], totalCount: 31 };
  const answer = packageVideosAnswer({ ...query, sortDirection: 'asc' }, page);
  expect(answer).toStrictEqual({
    videoInfoList: {
      apiVideoSearchOption: { ...apiVideoSearchOption, sortDirection: 0 },
      videoInfoList: [videoInfo],
      paging,
    },
  });
  expect(Value.Check(PackageVideosAnswer, answer)).toBe(true);
});

test.each([
  { totalCount: 0, totalPage: 0 },
  { totalCount: 1, totalPage: 1 },
  { totalCount: 10, totalPage: 1 },
  { totalCount: 11, totalPage: 2 },
])('$totalCount videos by 10 are $totalPage pages', ({ totalCount, totalPage }) => {
  const { videoInfoList } = folderVideosAnswer(query, { videos: [], totalCount });
  expect(videoInfoList.paging).toEqual({ page: 4, pageSize: 10, totalCount, totalPage });
});

test('a URL of another scheme, stored by an earlier release, is not given out', () => {
  const url = 'javascript:alert(1)';
  const thumbnails = [{ seq: 0, url, playTimeMs: 0, selected: true }];
  const one = { ...video, thumbnailUrl: url };
  const page = { videos: [one], totalCount: 1 };
  const answers = [
    videoDetailAnswer(one, thumbnails, 'https://content.example'),
    folderVideosAnswer(query, page),
    packageVideosAnswer(query, page),
    thumbnailsAnswer(thumbnails),
  ];
  expect(JSON.stringify(answers)).not.toContain('javascript');
  expect(thumbnailsAnswer(thumbnails)).toMatchObject({ thumbnails: [{ seq: 0, url: '' }] });
});

test('the lists of packages, folders and thumbnails', () => {
  const names = { packageId: 3, packageName: 'Web', packageType: 'VOD' };
  const packages = packagesAnswer([{ ...packageDefaults, ...names, accountId: 1 }]);
  expect(packages).toStrictEqual({ packageList: [names] });
  expect(Value.Check(PackagesAnswer, packages)).toBe(true);
  const folders = foldersAnswer([{ folderId: 2, accountId: 1, folderName: 'Films' }]);
  expect(folders).toStrictEqual({ folderList: [{ id: 2, folderName: 'Films' }] });
  expect(Value.Check(FoldersAnswer, folders)).toBe(true);
  const pictures = thumbnailsAnswer(thumbnails);
  expect(pictures).toStrictEqual({ thumbnails: thumbnailItems });
  expect(Value.Check(ThumbnailsAnswer, pictures)).toBe(true);
});
