import { expect, test } from 'vitest';
import type { Video } from '../../../client/src/index.ts';
import { changesOf } from './video-changes.ts';

const video: Video = {
  ...{ videoId: 1, folderId: 3, accessKey: 'film', title: 'Film', duration: 65_432, fileSize: 0 },
  ...{ cid: null, content: 'A walk', thumbnailUrl: '', vHeight: 0, vWidth: 0, vFramerate: 0 },
  ...{ cdate: '2026-11-20T10:15:30.123Z', series: 'Walks', author: null, copyright: null },
  ...{ rate: null, etc: null, encodingSuccess: null, tag: 'river' },
};
const asShown = {
  ...{ title: 'Film', length: '1:05', folder: '3', thumbnailUrl: '', content: 'A walk' },
  ...{ tag: 'river', series: 'Walks', author: '', copyright: '', rate: '', cid: '', etc: '' },
};

test.each([
  ['nothing', {}, {}],
  ['the title', { title: 'River' }, { title: 'River' }],
  ['the length', { length: '1:06' }, { duration: 66_000 }],
  ['no length', { length: '' }, { duration: 0 }],
  ['the folder', { folder: '4' }, { folderId: 4 }],
  ['a text', { author: 'Ada', cid: 'w-1' }, { author: 'Ada', cid: 'w-1' }],
  ['a text that goes away', { content: '', series: '' }, { content: null, series: null }],
  ['tags that go away', { tag: '' }, { tag: '' }],
])('of %s that was changed, that alone is sent', (_, written, changes) => {
  expect(changesOf(video, { ...asShown, ...written })).toEqual(changes);
});

test('what the form does not have stays', () => {
  expect(changesOf(video, { title: 'River' })).toEqual({ title: 'River' });
});
