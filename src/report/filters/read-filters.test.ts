import { expect, test } from 'vitest';
import { accept, refuse } from '../../lib/result.ts';
import { recordedDimensions } from '../../wire/audience.ts';
import { declaredLabels } from './declared-labels.ts';
import { readFilters } from './read-filters.ts';

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

test('a label that is declared has the number of its column', async () => {
  const declared = [
    { name: 'plan', number: 1 },
    { name: 'team', number: 2 },
  ];
  const list = async (accountId: number) => (accountId === 7 ? declared : []);
  expect(await declaredLabels({ list }, 7)).toEqual(labels);
});

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
  ['weekday==8', 'has no weekday "8"; there are 1, 2, 3, 4, 5, 6, 7'],
  [
    'viewerKind!=named,other;os==',
    'has no viewerKind "other"; there are named, daily, none; needs a value after os==',
  ],
  [String.raw`page==a\b`, 'has a "\\" that does not come before , ; or \\'],
  ['page==a\\', 'has a "\\" that does not come before , ; or \\'],
  [Array(21).fill('os==a').join(';'), 'may have 20 conditions at most'],
])('%s is refused', (text, reason) => {
  expect(readFilters(text, labels)).toEqual(refuse(reason));
});
