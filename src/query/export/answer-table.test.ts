import { expect, test } from 'vitest';
import type { QueryRow } from '../../wire/questions/audience-messages.ts';
import type { Query } from '../parse/query.ts';
import { byDay, columnsOfAnswer, splitByDay, writeCsv } from './answer-table.ts';

const asked = {
  dimensions: ['video', 'label.plan'],
  measures: ['plays', 'averageSeen'],
  compare: undefined,
} as const;
const csvOf = (rows: Parameters<typeof writeCsv>[0]) => [...writeCsv(rows, asked)].join('');
const head = 'video,videoTitle,label.plan,plays,averageSeen\r\n';

test('a header stands over nothing', () => {
  expect(csvOf([])).toBe(head);
});

test('a cell is written as everywhere', () => {
  const row = {
    video: 'k',
    videoTitle: '=A, b',
    'label.plan': 'free',
    plays: 2,
    averageSeen: null,
  };
  expect(csvOf([row])).toBe(`${head}k,"'=A, b",free,2,\r\n`);
});

test('columns have the types of their values, and the names of what they are compared with', () => {
  const columns = columnsOfAnswer({
    dimensions: ['date', 'package', 'folder', 'os'],
    measures: ['plays', 'averageSeen'],
    compare: 'previous',
  });
  const row: QueryRow = {
    ...{ date: '2026-11-01', package: 7, packageName: 'Site', folder: 3, folderName: 'Films' },
    ...{ os: 'iOS', plays: 2, averageSeen: 0.5, previous: { plays: 1, averageSeen: null } },
  };
  expect(columns.map(({ name, type, valueIn }) => [name, type, valueIn(row)])).toEqual([
    ['date', 'String', '2026-11-01'],
    ['package', 'UInt32', 7],
    ['packageName', 'String', 'Site'],
    ['folder', 'UInt32', 3],
    ['folderName', 'String', 'Films'],
    ['os', 'String', 'iOS'],
    ['plays', 'Int64', 2],
    ['averageSeen', 'Float64', 0.5],
    ['previous.plays', 'Int64', 1],
    ['previous.averageSeen', 'Float64', null],
  ]);
  const before = columns.find(({ name }) => name === 'previous.plays');
  // A row that was not there before.
  for (const one of [{}, { previous: null }]) expect(before?.valueIn(one)).toBeUndefined();
});

test.each<[Query['dimensions'][number], readonly string[]]>([
  ['date', ['2026-11-02', '2026-11-01', '2026-11-03', '2026-11-02']],
  ['hour', ['2T23', '1T00', '3T12', '2T00'].map((hour) => `2026-11-0${hour}:00:00+09:00`)],
])('rows by %s go into a file a day, in order of days', (name, labels) => {
  const rows = labels.map((label, index) => ({ [name]: label, plays: index }));
  const query = { dimensions: ['os', name] } as unknown as Query;
  expect(splitByDay(rows, query)).toEqual([
    { day: '2026-11-01', rows: [rows[1]] },
    { day: '2026-11-02', rows: [rows[0], rows[3]] },
    { day: '2026-11-03', rows: [rows[2]] },
  ]);
  const backwards = byDay(rows.toReversed(), (row) => String(row[name]));
  expect(backwards.map(({ day }) => day)).toEqual(['2026-11-01', '2026-11-02', '2026-11-03']);
});

test('rows without a time are of no day', () => {
  const rows = [{ os: 'iOS', plays: 1 }];
  const query = { dimensions: ['os'] } as unknown as Query;
  expect(splitByDay(rows, query)).toEqual([{ day: undefined, rows }]);
});
