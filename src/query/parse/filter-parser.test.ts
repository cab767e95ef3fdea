import { expect, test } from 'vitest';
import { accept, refuse } from '../../lib/result.ts';
import { recordedDimensions } from '../../vocabulary/dimensions.ts';
import { declaredLabels } from './dimension-parser.ts';
import { readFilters } from './filter-parser.ts';

const labels = new Map([
  ['plan', 1],
  ['team', 2],
]);

test.each([
  ['os==iOS', [['os', '==', ['iOS']]]],
  ['os!=iOS,Android', [['os', '!=', ['iOS', 'Android']]]],
  [
    'page=@/films/;country==KR',
    [
      ['page', '=@', ['/films/']],
      ['country', '==', ['KR']],
    ],
  ],
  ['page!@a,b', [['page', '!@', ['a,b']]]],
  ['page=@a\\,b', [['page', '=@', ['a,b']]]],
  [String.raw`page==a\,b\;c\\,d`, [['page', '==', ['a,b;c\\', 'd']]]],
  ['page==x==y!=z', [['page', '==', ['x==y!=z']]]],
  ['label.plan==free', [['label.plan', '==', ['free']]]],
  ['weekday==1,7', [['weekday', '==', ['1', '7']]]],
  ['weekday=@9', [['weekday', '=@', ['9']]]],
  ['date==2026-11-30', [['date', '==', ['2026-11-30']]]],
  ['date=@2026-11-31', [['date', '=@', ['2026-11-31']]]],
  ['week!=2026-11-16', [['week', '!=', ['2026-11-16']]]],
  ['month==2026-11-01', [['month', '==', ['2026-11-01']]]],
  ['year==2026-01-01', [['year', '==', ['2026-01-01']]]],
  ['hour==2026-11-20T10:00:00Z', [['hour', '==', ['2026-11-20T10:00:00Z']]]],
  ['country==XK,Unknown', [['country', '==', ['XK', 'Unknown']]]],
  ['country=@k', [['country', '=@', ['k']]]],
  ['device==Unknown', [['device', '==', ['Unknown']]]],
  [
    'os==iOS; device==tv',
    [
      ['os', '==', ['iOS']],
      ['device', '==', ['tv']],
    ],
  ],
  ['page==한 글 ', [['page', '==', ['한 글 ']]]],
])('%s', (text, expected) => {
  const filters = expected.map(([dimension, operator, values]) => ({
    dimension,
    operator,
    values,
  }));
  expect(readFilters(text, labels)).toEqual(accept(filters));
});

test('twenty conditions are not too many', () => {
  expect(readFilters(Array(20).fill('os==a').join(';'), labels)).toMatchObject({ ok: true });
});

test('a hundred values are not too many', () => {
  expect(readFilters(`video==${Array(100).fill('a')}`, labels)).toMatchObject({ ok: true });
});

test('a label that is declared has the number of its column', async () => {
  const declared = [
    { name: 'plan', number: 1 },
    { name: 'team', number: 2 },
  ];
  const list = async (accountId: number) => (accountId === 7 ? declared : []);
  expect(await declaredLabels({ list }, 7)).toEqual(labels);
});

test('hours are those of the zone', () => {
  const read = (text: string) => readFilters(text, labels, 'Asia/Seoul');
  expect(read('hour!=2026-11-20T08:00:00Z,2026-11-20T18:00:00+09:00')).toEqual(
    accept([
      {
        ...{ dimension: 'hour', operator: '!=' },
        values: ['2026-11-20T17:00:00+09:00', '2026-11-20T18:00:00+09:00'],
      },
    ]),
  );
  expect(read('hour==2026-11-20T08:30:00Z')).toEqual(
    refuse('has no hour "2026-11-20T08:30:00Z": in Asia/Seoul none begins at that time'),
  );
  for (const other of ['hour=@T08', 'os==iOS']) expect(read(other)).toMatchObject({ ok: true });
});

const [writeDay, writeHour] = [
  'write a day that exists, as yyyy-mm-dd, such as 2026-11-20',
  'write an hour by its start, RFC 3339 with its offset (in a URL, + is %2B), such as 2026-11-20T17:00:00+09:00',
];
const writeCountry =
  'write a country as the two capital letters of ISO 3166-1, or Unknown, such as KR';
const captions = ['videoTitle', 'packageName', 'folderName'];
const there = [...recordedDimensions, 'label.plan', 'label.team', ...captions].join(', ');

test.each([
  ['', 'has a condition without ==, !=, =@ or !@: ""'],
  ['os', 'has a condition without ==, !=, =@ or !@: "os"'],
  ['os==iOS;', 'has a condition without ==, !=, =@ or !@: ""'],
  ['os==', 'needs a value after os=='],
  ['os==a,,b', 'needs a value after os=='],
  ['videoTitle==', 'needs a value after videoTitle=='],
  ['page=@', 'needs a value after page=@'],
  ['system==iOS', `has no dimension "system"; there are ${there}`],
  ['label.none==x', `has no dimension "label.none"; there are ${there}`],
  ['==x', `has no dimension ""; there are ${there}`],
  ['date==2026-11-31', `has no date "2026-11-31"; ${writeDay}`],
  ['date!=20.11.2026', `has no date "20.11.2026"; ${writeDay}`],
  [
    'week==2026-11-18',
    'has no week "2026-11-18"; write a week by its Monday, yyyy-mm-dd, such as 2026-11-16',
  ],
  [
    'month==2026-11-01,2026-11',
    'has no month "2026-11"; write a month by its first day, yyyy-mm-dd, such as 2026-11-01',
  ],
  [
    'year==2026',
    'has no year "2026"; write a year by its first day, yyyy-mm-dd, such as 2026-01-01',
  ],
  ['hour==x', `has no hour "x"; ${writeHour}`],
  ['hour==2026-11-20T11:00:00 01:00', `has no hour "2026-11-20T11:00:00 01:00"; ${writeHour}`],
  ['country==GERMANY', `has no country "GERMANY"; ${writeCountry}`],
  ['country!=KR,de', `has no country "de"; ${writeCountry}`],
  ['weekday==8', 'has no weekday "8"; there are 1, 2, 3, 4, 5, 6, 7'],
  [
    'viewerKind!=named,other;os==',
    'has no viewerKind "other"; there are named, daily, none; needs a value after os==',
  ],
  [String.raw`page==a\b`, 'has a "\\" that does not come before , ; or \\'],
  ['page==a\\', 'has a "\\" that does not come before , ; or \\'],
  [Array(21).fill('os==a').join(';'), 'may have 20 conditions at most'],
  [`os==a;video!=${Array(101).fill('a')}`, 'may have 100 values a condition at most, not 101'],
])('%s is refused', (text, reason) => {
  expect(readFilters(text, labels)).toEqual(refuse(reason));
});
