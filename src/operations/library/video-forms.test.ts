import { expect, test } from 'vitest';
import { ThumbnailFields } from '../../wire/library/video-fields.ts';
import { messageFault } from '../../wire/message-check.ts';
import { readImportedVideo, readNewVideo, readVideoChanges } from './video-forms.ts';

const everyField = {
  folderId: 1,
  accessKey: 'film-1',
  cid: 'é'.repeat(64),
  content: 'one\ntwo\tthree',
  tag: 'a,b',
  duration: Number.MAX_SAFE_INTEGER,
  cdate: '2026-11-20T10:15:30.123+05:45',
  fileSize: Number.MAX_SAFE_INTEGER - 1,
  vHeight: 2160,
  vWidth: 3840,
  vFramerate: 23.976,
  title: 'x'.repeat(500),
  series: null,
  author: 'Author',
  copyright: '© Studio',
  rate: '12',
  etc: 'Else',
  encodingSuccess: 'Y',
};

test('every field of the wire has its name in the catalog', () => {
  const { cdate, duration, fileSize, vHeight, vWidth, vFramerate, ...same } = everyField;
  expect(readNewVideo(everyField)).toEqual({
    ok: true,
    value: {
      ...same,
      createdAt: new Date(cdate),
      durationMs: duration,
      fileSizeBytes: fileSize,
      height: vHeight,
      width: vWidth,
      frameRate: vFramerate,
    },
  });
});

test('a change has only what is given', () => {
  expect(readVideoChanges({ duration: 5, cid: null })).toEqual({
    ok: true,
    value: { durationMs: 5, cid: null },
  });
});

test.each([
  { fields: { cid: 'x'.repeat(65) }, parameter: 'cid' },
  { fields: { title: '' }, parameter: 'title' },
  { fields: { title: 'x'.repeat(501) }, parameter: 'title' },
  { fields: { title: 'a\u0000' }, parameter: 'title' },
  { fields: { title: '\udc00' }, parameter: 'title' },
  { fields: { duration: -1 }, parameter: 'duration' },
  { fields: { duration: 1.5 }, parameter: 'duration' },
  { fields: { fileSize: Number.MAX_SAFE_INTEGER + 1 }, parameter: 'fileSize' },
  { fields: { cdate: '2026-02-30T00:00:00Z' }, parameter: 'cdate' },
  { fields: { accessKey: 'a b' }, parameter: 'accessKey' },
  { fields: { encodingSuccess: 'y' }, parameter: 'encodingSuccess' },
  { fields: { colour: 'red' }, parameter: 'colour' },
  { fields: { thumbnailUrl: 'https://cdn.example/1.jpg' }, parameter: 'thumbnailUrl' },
])('a wrong $parameter is refused by name', ({ fields, parameter }) => {
  expect(readNewVideo({ ...everyField, ...fields })).toMatchObject({
    ok: false,
    reason: { code: 'INVALID_PARAMETER', errors: [{ parameter }] },
  });
});

test('only an import gives the URL of a thumbnail', () => {
  const thumbnailUrl = 'https://cdn.example/1.jpg';
  const video = { folderId: 1, title: 'Film', accessKey: 'one', thumbnailUrl };
  expect(readImportedVideo(video)).toEqual({ ok: true, value: video });
});

test.each(['http://a', 'HTTPS://cdn.example/a b?c#d'])('%s may be the URL of a picture', (url) => {
  const video = { folderId: 1, title: 'Film', accessKey: 'one', thumbnailUrl: url };
  expect(readImportedVideo(video).ok).toBe(true);
  expect(messageFault(ThumbnailFields, { url })).toBeUndefined();
});

test.each([
  ...['', 'javascript:alert(1)', ' https://a', 'data:image/png;base64,AA', 'ftp://a', '//a', '/a'],
  ...['https://', 'https:a', 'x\nhttps://a', 'https://a\u0000', 'javascript:https://a'],
])('%j may not', (url) => {
  const video = { folderId: 1, title: 'Film', accessKey: 'one', thumbnailUrl: url };
  expect(readImportedVideo(video)).toMatchObject({
    reason: { errors: [{ parameter: 'thumbnailUrl' }] },
  });
  expect(messageFault(ThumbnailFields, { url })?.errors).toMatchObject([{ parameter: 'url' }]);
});
