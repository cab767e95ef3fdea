import { readConcurrency } from '../report/curves/curve-question.ts';
import { ConcurrencyRequest, intervals, maxDaysOfMinutes } from '../wire/curves.ts';
import { readParameters } from '../wire/parameters.ts';
import {
  askCurves,
  csvLines,
  endingOptions,
  narrowingOptions,
  outcomeOf,
  rangeOptions,
} from './ask-curves.ts';
import { optionalOption } from './options.ts';
import { showTable } from './show-table.ts';
import type { Verb } from './verb.ts';

const names = ['time', 'peak', 'peakAt', 'average'] as const;

export const concurrency: Verb = {
  words: 'concurrency',
  summary: 'Show how many people watched at once, in every interval of a range',
  options: {
    ...rangeOptions,
    interval: optionalOption(
      `${intervals.join(', ')} (minutes for at most ${maxDaysOfMinutes} days); default: hour`,
      'I',
    ),
    'access-key': optionalOption('Only this video, by its original key', 'K'),
    ...narrowingOptions,
    ...endingOptions,
  },
  async run(given, parts) {
    const data = await askCurves(given, parts, (curves, query, asker) =>
      curves.concurrency(readConcurrency(readParameters(ConcurrencyRequest, query), asker)),
    );
    const rows = data.list.map((row) => names.map((name) => row[name]));
    return outcomeOf(data, given.flag('csv') ? csvLines(names, rows) : showTable(names, rows));
  },
};
