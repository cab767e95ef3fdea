import { readRetention } from '../../query/parse/curve-question.ts';
import { retentionColumns } from '../../wire/questions/curves.ts';
import { requiredOption } from '../runner/options.ts';
import { showTable } from '../runner/table-text.ts';
import type { Verb } from '../verb.ts';
import {
  askCurves,
  csvLines,
  endingOptions,
  narrowingOptions,
  outcomeOf,
  partsOption,
  rangeOptions,
} from './curve-question.ts';

export const retention: Verb = {
  words: 'retention',
  summary: 'Show how far people watch a video',
  options: {
    ...rangeOptions,
    'access-key': requiredOption('Original key of the video', 'K'),
    ...narrowingOptions,
    parts: partsOption,
    ...endingOptions,
  },
  async run(given, parts) {
    const data = await askCurves(given, parts, (curves, query, asker) =>
      curves.retention(readRetention(query, asker)),
    );
    const rows = data.list.map((row) => retentionColumns.map((name) => row[name]));
    if (given.flag('csv')) return outcomeOf(data, csvLines(retentionColumns, rows));
    const { views, positionedViews, averageSeen, lengthMs } = data;
    const seen = averageSeen === null ? 'nothing' : `${averageSeen} of it`;
    return outcomeOf(data, [
      `${views} views of ${lengthMs} ms, ${positionedViews} with positions, saw ${seen} on average`,
      ...showTable(retentionColumns, rows),
    ]);
  },
};
