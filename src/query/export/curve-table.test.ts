import { expect, test } from 'vitest';
import type { ConcurrencyRow, RetentionPart } from '../../wire/questions/curves.ts';
import { columnsOfConcurrency, columnsOfRetention } from './curve-table.ts';
import type { ExportColumn } from './table-file.ts';

const columnsIn = <Row>(columns: readonly ExportColumn<Row>[], row: Row) =>
  columns.map(({ name, type, valueIn }) => [name, type, valueIn(row)]);

test('retention: its parts, and how often each was watched', () => {
  const part: RetentionPart = { part: 3, fromMs: 10, toMs: 20, audience: 7, watched: 1.25 };
  expect(columnsIn(columnsOfRetention, part)).toEqual([
    ['part', 'Int64', 3],
    ['fromMs', 'Int64', 10],
    ['toMs', 'Int64', 20],
    ['audience', 'Int64', 7],
    ['watched', 'Float64', 1.25],
  ]);
});

test('concurrency: its intervals; where nobody watched, there is no time of a peak', () => {
  const row: ConcurrencyRow = { time: '2026-11-01', peak: 0, peakAt: null, average: 0.5 };
  expect(columnsIn(columnsOfConcurrency, row)).toEqual([
    ['time', 'String', '2026-11-01'],
    ['peak', 'Int64', 0],
    ['peakAt', 'StringOrNull', null],
    ['average', 'Float64', 0.5],
  ]);
});
