import { readLive } from '../../query/parse/curve-question.ts';
import { liveColumns, liveLists } from '../../wire/questions/curves.ts';
import { accountOption, optionalOption } from '../runner/options.ts';
import { showTable } from '../runner/table-text.ts';
import type { Verb } from '../verb.ts';
import { askCurves, csvLines, endingOptions, outcomeOf } from './curve-question.ts';

export const live: Verb = {
  words: 'live',
  summary: 'Show who watches now: how many, which videos, and the peaks of the last minutes',
  options: {
    account: accountOption,
    list: optionalOption(`With --csv: ${liveLists.join(' or ')}; default: videos`, 'LIST'),
    ...endingOptions,
  },
  async run(given, parts) {
    const { data, list } = await askCurves(given, parts, async (curves, query, asker) => {
      const { list, ...question } = readLive(query, asker);
      const report = await curves.live(question);
      return { data: { data: report.data, list } };
    });
    const videos = data.videos.map((row) => liveColumns.videos.map((name) => row[name]));
    const minutes = data.lastMinutes.map((row) => liveColumns.lastMinutes.map((name) => row[name]));
    if (given.flag('csv')) {
      return outcomeOf(data, csvLines(liveColumns[list], list === 'videos' ? videos : minutes));
    }
    return outcomeOf(data, [
      `${data.playing} playing at ${data.asOf}`,
      ...['', ...showTable(liveColumns.videos, videos)],
      ...['', ...showTable(liveColumns.lastMinutes, minutes)],
    ]);
  },
};
