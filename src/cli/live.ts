import { readLive } from '../report/curves/curve-question.ts';
import { LiveRequest } from '../wire/curves.ts';
import { readParameters } from '../wire/parameters.ts';
import { askCurves, csvLines, endingOptions, outcomeOf } from './ask-curves.ts';
import { accountOption } from './options.ts';
import { showTable } from './show-table.ts';
import type { Verb } from './verb.ts';

const ofVideos = ['video', 'videoTitle', 'playing'] as const;
const ofMinutes = ['time', 'peak'] as const;

export const live: Verb = {
  words: 'live',
  summary: 'Show who watches now: how many, which videos, and the peaks of the last minutes',
  options: { account: accountOption, ...endingOptions },
  async run(given, parts) {
    const data = await askCurves(given, parts, (curves, query, asker) =>
      curves.live(readLive(readParameters(LiveRequest, query), asker)),
    );
    const videos = data.videos.map((row) => ofVideos.map((name) => row[name]));
    if (given.flag('csv')) return outcomeOf(data, csvLines(ofVideos, videos));
    const minutes = data.lastMinutes.map((row) => ofMinutes.map((name) => row[name]));
    return outcomeOf(data, [
      `${data.playing} playing at ${data.asOf}`,
      ...['', ...showTable(ofVideos, videos)],
      ...['', ...showTable(ofMinutes, minutes)],
    ]);
  },
};
