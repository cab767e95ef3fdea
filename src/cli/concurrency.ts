import { readConcurrency } from '../report/curves/curve-question.ts';
import { concurrencyColumns } from '../wire/curves.ts';
import {
  askCurves,
  csvLines,
  endingOptions,
  intervalOption,
  narrowingOptions,
  outcomeOf,
  rangeOptions,
} from './ask-curves.ts';
import { optionalOption } from './options.ts';
import { showTable } from './show-table.ts';
import type { Verb } from './verb.ts';

export const concurrency: Verb = {
  words: 'concurrency',
  summary: 'Show how many people watched at once, in every interval of a range',
  options: {
    ...rangeOptions,
    interval: intervalOption,
    'access-key': optionalOption('Only this video, by its original key', 'K'),
    ...narrowingOptions,
    ...endingOptions,
  },
  async run(given, parts) {
    const data = await askCurves(given, parts, (curves, query, asker) =>
      curves.concurrency(readConcurrency(query, asker)),
    );
    const rows = data.list.map((row) => concurrencyColumns.map((name) => row[name]));
    const lines = given.flag('csv') ? csvLines : showTable;
    return outcomeOf(data, lines(concurrencyColumns, rows));
  },
};
