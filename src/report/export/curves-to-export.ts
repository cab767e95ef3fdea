/** The columns of the curves, as files have them. */
import type { ConcurrencyRow, RetentionPart } from '../../wire/curves.ts';
import type { ExportColumn } from './write-table.ts';

export const columnsOfRetention: readonly ExportColumn<RetentionPart>[] = [
  { name: 'part', type: 'Int64', valueIn: ({ part }) => part },
  { name: 'fromMs', type: 'Int64', valueIn: ({ fromMs }) => fromMs },
  { name: 'toMs', type: 'Int64', valueIn: ({ toMs }) => toMs },
  { name: 'audience', type: 'Int64', valueIn: ({ audience }) => audience },
  { name: 'watched', type: 'Float64', valueIn: ({ watched }) => watched },
];

export const columnsOfConcurrency: readonly ExportColumn<ConcurrencyRow>[] = [
  { name: 'time', type: 'String', valueIn: ({ time }) => time },
  { name: 'peak', type: 'Int64', valueIn: ({ peak }) => peak },
  { name: 'peakAt', type: 'StringOrNull', valueIn: ({ peakAt }) => peakAt },
  { name: 'average', type: 'Float64', valueIn: ({ average }) => average },
];
