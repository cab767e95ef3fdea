import { expect, test } from 'vitest';
import type { ShareScope } from '../../catalog/catalog.ts';
import { findDays, type Parameters, pinned } from './pin.ts';

const nowMs = Date.parse('2026-03-01T18:30:00Z');
const share: ShareScope = {
  ...{ accessKey: undefined, packageId: undefined, filters: '' },
  ...{ period: { from: '2026-02-01', to: '2026-02-28' }, compare: 'none', timeZone: 'UTC' },
};
const own = { sdate: '2026-02-01', edate: '2026-02-28', timeZone: 'UTC' };

test.each<[string, Partial<ShareScope>, Parameters, Parameters]>([
  ['days and zone', {}, {}, own],
  ['other days and zones', {}, { sdate: '2020-01-01', edate: 'x', timeZone: 'Asia/Seoul' }, own],
  ['another video', { accessKey: 'a' }, { accessKey: 'b' }, { ...own, accessKey: 'a' }],
  ['two videos', { accessKey: 'a' }, { accessKey: ['a', 'b'] }, { ...own, accessKey: 'a' }],
  ['another package', { packageId: 1 }, { packageId: '2' }, { ...own, packageId: '1' }],
  ['a video within the overview', {}, { accessKey: 'b' }, { ...own, accessKey: 'b' }],
  ['its filters', { filters: 'os==iOS' }, {}, { ...own, filters: 'os==iOS' }],
  ['more filters', { filters: 'a==b' }, { filters: 'c==d' }, { ...own, filters: 'a==b;c==d' }],
  ['no filters', { filters: 'a==b' }, { filters: '' }, { ...own, filters: 'a==b' }],
  ['filters twice', { filters: 'a==b' }, { filters: ['', ''] }, { ...own, filters: ['', ''] }],
  ['its comparison', { compare: 'year' }, { compare: 'year' }, { ...own, compare: 'year' }],
  ['no comparison', { compare: 'year' }, {}, own],
  ['another comparison', { compare: 'year' }, { compare: 'previous' }, own],
  ['a comparison where it has none', {}, { compare: 'previous' }, own],
  ['a comparison called none', {}, { compare: 'none' }, own],
  ['what it leaves open', {}, { measures: 'plays' }, { ...own, measures: 'plays' }],
])('a share answers %s', (_, scope, asked, answered) => {
  expect(pinned(asked, { ...share, ...scope }, nowMs)).toEqual(answered);
});

test.each([
  [1, 'UTC', '2026-03-01', '2026-03-01'],
  [28, 'UTC', '2026-02-02', '2026-03-01'],
  // Where it is tomorrow already.
  [28, 'Asia/Seoul', '2026-02-03', '2026-03-02'],
  [365, 'UTC', '2025-03-02', '2026-03-01'],
])('the last %i days in %s', (lastDays, timeZone, sdate, edate) => {
  expect(findDays({ period: { lastDays }, timeZone }, nowMs)).toEqual({ sdate, edate });
});
