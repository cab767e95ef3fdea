import { expect, test } from 'vitest';
import { questionByDate } from '../../../test/support/question-by-date.ts';
import type { Question } from '../parse/question.ts';
import { type Plan, plan } from './statistics-plan.ts';

/** Of the account's videos, one; of its days, one that the sums by day may lack. */
const sources = {
  publications: {
    findVideoId: async (accountId: number, accessKey: string) =>
      accountId === 7 && accessKey === 'film' ? 21 : undefined,
  },
  facts: {
    unsettledDays: async (accountId: number) => (accountId === 7 ? [at('2026-05-05T00:00Z')] : []),
  },
};

const hour = { statistic: 'hour', lastDay: '2026-05-04', given: { date: '2026-05-04' } } as const;
const os = { statistic: 'os' } as const;
const detail = { statistic: 'detail', given: { os: 'iOS' } } as const;

const days = {
  accountId: 7,
  cover: { days: [], slots: [span('2026-05-04T00:00Z', '2026-05-07T00:00Z')] },
  clock: [{ sinceMs: at('2026-05-04T00:00Z'), offsetMs: 0 }],
  label: 'date',
} as const;
const hours = {
  ...days,
  cover: { days: [], slots: [span('2026-05-04T00:00Z', '2026-05-05T00:00Z')] },
  label: 'hour',
} as const;
const systems = {
  accountId: 7,
  cover: {
    days: [
      span('2026-05-04T00:00Z', '2026-05-05T00:00Z'),
      span('2026-05-06T00:00Z', '2026-05-07T00:00Z'),
    ],
    slots: [span('2026-05-05T00:00Z', '2026-05-06T00:00Z')],
  },
  clock: [],
  label: 'os',
} as const;
const versions = { ...systems, label: 'detail' } as const;

const account = { grouping: 'account', filters: {} } as const;
const ofSystems = { ...systems, accountId: 8, grouping: 'account-os', filters: {} } as const;
const film = { accessKey: 'film' };
const site = { packageId: 3 };
const filmOnSite = { ...film, ...site };
const largest = { packageId: 2 ** 32 - 1 };

test.each<[string, Partial<Question>, Plan]>([
  ['days of the account', {}, { ...days, ...account }],
  ['days of a package', site, { ...days, grouping: 'package', filters: site }],
  ['days of the largest package', largest, { ...days, grouping: 'package', filters: largest }],
  [
    'days of a video in all packages',
    film,
    { ...days, grouping: 'video', filters: { videoId: 21 } },
  ],
  [
    'days of a video in a package',
    filmOnSite,
    { ...days, grouping: 'video', filters: { ...site, videoId: 21 } },
  ],
  ['hours of the account', hour, { ...hours, ...account }],
  ['hours of a package', { ...hour, ...site }, { ...hours, grouping: 'package', filters: site }],
  ['systems of the account', os, { ...systems, grouping: 'account-os', filters: {} }],
  [
    'systems of a package',
    { ...os, ...site },
    { ...systems, grouping: 'package-os', filters: site },
  ],
  [
    'systems of a video',
    { ...os, ...film },
    { ...systems, grouping: 'video-os', filters: { videoId: 21 } },
  ],
  ['versions of a system', detail, { ...versions, grouping: 'account-os', filters: { os: 'iOS' } }],
  [
    'versions of a system, of a video in a package',
    { ...detail, ...filmOnSite },
    { ...versions, grouping: 'video-os', filters: { ...site, videoId: 21, os: 'iOS' } },
  ],
  [
    'systems of another account, whose days are all settled',
    { ...os, accountId: 8 },
    { ...ofSystems, cover: { days: [span('2026-05-04T00:00Z', '2026-05-07T00:00Z')], slots: [] } },
  ],
  [
    'systems in a zone whose days are not those of UTC',
    { ...os, accountId: 8, timeZone: 'Asia/Kathmandu' },
    {
      ...ofSystems,
      cover: {
        days: [span('2026-05-04T00:00Z', '2026-05-06T00:00Z')],
        slots: [
          span('2026-05-03T18:15Z', '2026-05-04T00:00Z'),
          span('2026-05-06T00:00Z', '2026-05-06T18:15Z'),
        ],
      },
    },
  ],
  [
    'the first day that facts may be of',
    { timeZone: 'Asia/Seoul', firstDay: '1969-12-31', lastDay: '1970-01-01' },
    {
      ...{ ...days, ...account },
      cover: { days: [], slots: [span('1970-01-01T00:00Z', '1970-01-01T15:00Z')] },
      clock: [{ sinceMs: 0, offsetMs: 9 * 3_600_000 }],
    },
  ],
  [
    'the last day that facts may be of',
    { firstDay: '2106-02-07', lastDay: '2106-02-08' },
    {
      ...{ ...days, ...account },
      cover: { days: [], slots: [span('2106-02-07T00:00Z', '2106-02-07T06:15Z')] },
      clock: [{ sinceMs: at('2106-02-07T00:00Z'), offsetMs: 0 }],
    },
  ],
])('%s', async (_, more, expected) => {
  expect(await plan({ ...questionByDate, ...more }, sources)).toEqual(expected);
});

test.each<[string, Partial<Question>]>([
  ['no such video', { accessKey: 'other' }],
  ["another account's video", { accountId: 8, accessKey: 'film' }],
  ['no such package, whatever the account', { packageId: 2 ** 32 }],
  ['a day that the zone skipped', { timeZone: 'Pacific/Apia', ...only('2011-12-30') }],
  ['a day before all facts', { ...only('1969-12-31') }],
  ['a day after all facts', { ...only('2106-02-08') }],
  ['the first of all days', { ...only('0001-01-01'), timeZone: 'Asia/Seoul' }],
  ['the last of all days', { ...only('9999-12-31'), timeZone: 'Asia/Seoul' }],
])('nothing to read: %s', async (_, more) => {
  expect(await plan({ ...questionByDate, ...more }, sources)).toBeUndefined();
});

function only(day: string): Partial<Question> {
  return { firstDay: day, lastDay: day };
}

function at(instant: string): number {
  return Date.parse(instant);
}

function span(from: string, until: string) {
  return { fromMs: at(from), untilMs: at(until) };
}
