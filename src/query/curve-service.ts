/** Answers questions for curves: facts of the question -> SQL -> rows, as of one moment. */
import type { Clock } from '../lib/time/clock.ts';
import { parameterFault } from '../wire/parameters.ts';
import type { Concurrency, Live, Retention } from '../wire/questions/curves.ts';
import type { Distribution } from '../wire/questions/distribution.ts';
import { concurrencyRows, readConcurrencyFacts } from './concurrency/concurrency.ts';
import { readDistribution } from './distribution/distribution.ts';
import { readLive } from './live/live.ts';
import { type PlaybackQuestion, readPlayback } from './live/playback.ts';
import type {
  ConcurrencyQuestion,
  DistributionQuestion,
  LiveQuestion,
  RetentionQuestion,
} from './parse/curve-question.ts';
import { type CurveSources, factsOfQuestion } from './plan/question-facts.ts';
import { computeRetention } from './retention/retention.ts';
import { readPartChanges } from './retention/retention-sql.ts';
import { atMoment, type Moment } from './run/moment.ts';

export interface CurveReport<Data> extends Moment {
  readonly data: Data;
}

export interface Curves {
  retention(question: RetentionQuestion): Promise<CurveReport<Retention>>;
  concurrency(question: ConcurrencyQuestion): Promise<CurveReport<Concurrency>>;
  distribution(question: DistributionQuestion): Promise<CurveReport<Distribution>>;
  live(question: LiveQuestion): Promise<CurveReport<Live>>;
  /** Whether anything played in a span. */
  playback(question: PlaybackQuestion): Promise<CurveReport<boolean>>;
}

export function createCurves(options: CurveSources & { readonly clock: Clock }): Curves {
  const { facts, catalog } = options;

  const report = <Data>(accountId: number, read: (nowMs: number) => Promise<Data>) =>
    atMoment(accountId, options, async (nowMs) => ({ data: await read(nowMs) }));

  return {
    retention: (question) =>
      report(question.accountId, async () => {
        const { accountId, accessKey, parts } = question;
        const ofQuestion = await factsOfQuestion(question, options);
        const { videoId } = ofQuestion ?? {};
        const [video] =
          videoId === undefined ? [] : await catalog.videos.known(accountId, [videoId]);
        if (ofQuestion === undefined || video === undefined) return noRetention;
        const { lengthMs = video.durationMs } = question;
        if (lengthMs <= 0) throw withoutLength(accessKey);
        const cut = { lengthMs, parts };
        return computeRetention(await readPartChanges(ofQuestion, cut, facts), cut);
      }),

    concurrency: (question) =>
      report(question.accountId, async () => {
        const { interval } = question;
        const ofQuestion = await factsOfQuestion(question, options);
        if (ofQuestion === undefined) return { list: [] };
        const byKey = await readConcurrencyFacts(facts, ofQuestion, interval);
        return { list: await concurrencyRows(interval, ofQuestion.localSpans, byKey) };
      }),

    distribution: (question) =>
      report(question.accountId, (nowMs) => readDistribution(question, options, nowMs)),

    playback: (question) => report(question.accountId, () => readPlayback(question, options)),

    live: (question) => report(question.accountId, (nowMs) => readLive(question, options, nowMs)),
  };
}

const noRetention: Retention = {
  ...{ lengthMs: 0, views: 0, positionedViews: 0, averageSeen: null },
  list: [],
};

function withoutLength(accessKey: string) {
  const detail = `names a video without a length: set the duration of ${accessKey} first`;
  return parameterFault([{ parameter: 'accessKey', detail }]);
}
