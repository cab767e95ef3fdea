import { readConcurrency } from '../../query/parse/curve-question.ts';
import { concurrencyColumns } from '../../wire/questions/curves.ts';
import { optionalOption } from '../runner/options.ts';
import { showTable } from '../runner/table-text.ts';
import type { Verb } from '../verb.ts';
import {
  askCurves,
  csvLines,
  endingOptions,
  intervalOption,
  narrowingOptions,
  outcomeOf,
  rangeOptions,
} from './curve-question.ts';

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
