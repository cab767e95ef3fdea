import { expect, test } from 'vitest';
import type { PublishedVideo } from '../../catalog/catalog.ts';
import { FolderVideosRequest } from '../../wire/library/video-information.ts';
import { readParameters } from '../../wire/parameters.ts';
import {
  folderVideosAnswer,
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
  publishedAt: new Date('2026-11-20T10:15:30Z'),
};

const query = readParameters(FolderVideosRequest, { folderId: '2', page: '4', pageSize: '10' });

test.each(['Y', 'N', null] as const)('encoding that is %s has one answer', (encodingSuccess) => {
  const one = { ...video, encodingSuccess };
  const { videoInfo } = videoDetailAnswer(one, [], 'https://cdn.example').videoDetail;
  const folder = folderVideosAnswer(query, { videos: [one], totalCount: 1 }).videoInfoList;
  expect(folder.folderVideoList[0]?.encodingSuccess).toBe(videoInfo.encoding_success);
  expect(videoInfo.encoding_success).toBe(encodingSuccess ?? 'N');
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
