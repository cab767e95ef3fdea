/**
 * Asks while everything fails. Whatever is answered has to hold all that was acknowledged by the
 * moment that it says it is complete through, and nothing that nobody sent.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { World } from '../simulation/world.ts';
import { checkAnswer } from '../support/check-answer.ts';
import type { TestAccount } from '../support/service.ts';
import { cast } from './cast.ts';
import type { PlayTally } from './play-tally.ts';

const pauseMs = 200;
const answerWithinMs = 5_000;
const rememberedFaults = 20;
const firstDay = '2020-01-01';

export interface AskedMeanwhile {
  readonly answered: number;
  /** By 503, or not at all. */
  readonly unanswered: number;
  /** The most plays that an answer had to show. */
  readonly mostCertain: number;
  readonly wrong: readonly string[];
}

export interface Asking {
  /** What was wrong so far. */
  readonly wrong: readonly string[];
  stop(): Promise<AskedMeanwhile>;
}

/** From sums, and from single facts: plays by day, of everything. */
const questions = [
  { path: 'v1/info/date', about: { pageSize: '1000' } },
  {
    path: 'v2/query',
    about: { pageSize: '1000', measures: 'plays,viewers', dimensions: 'date' },
  },
] as const;
type Question = (typeof questions)[number];

interface Row {
  readonly date: string;
  readonly videoCount?: string;
  readonly plays?: number;
}

interface Answer {
  readonly data: { readonly list: readonly Row[]; readonly nextToken: string };
}

/** Of the accounts whose plays have a day that the viewer alone decides. */
export function askMeanwhile({ url, accounts }: World, plays: PlayTally): Asking {
  const wrong: string[] = [];
  let answered = 0;
  let unanswered = 0;
  let mostCertain = 0;
  let isStopped = false;
  const answers = new Map<string, Map<string, number>>();
  /**
   * The plays by day that an account was shown last: nothing is erased, so they only grow. This
   * holds also where each question goes to another node, however far that has summed: all read the
   * facts, and the sums by slot, of the same store. Sums of whole days are another matter, see
   * docs/decisions/simulation.md; answers by day are not made of them.
   */
  const knownOf = (account: TestAccount, path: string): Map<string, number> => {
    const name = `${account.accountId} ${path}`;
    const known = answers.get(name) ?? new Map<string, number>();
    answers.set(name, known);
    return known;
  };

  const ask = async (account: TestAccount, { path, about }: Question): Promise<void> => {
    const edate = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
    const search = new URLSearchParams({ ...about, sdate: firstDay, edate });
    const target = `${url}/report/statistics/video/${path}?${search}`;
    const askedAtMs = Date.now();
    const response = await whole(target, account.key);
    const answeredAtMs = Date.now();
    if (response === undefined || isRefusal(response)) {
      unanswered += 1;
      return;
    }
    await checkAnswer('GET', response);
    if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
    answered += 1;
    const [asOf = 0, through = 0] = ['as-of', 'complete-through'].map((name) =>
      Date.parse(response.headers.get(name) ?? ''),
    );
    const moment = `as of ${new Date(asOf).toISOString()}, ${asOf - through} ms behind`;
    if (through > asOf) throw new Error(`promises what is to come, ${moment}`);
    const { data } = (await response.json()) as Answer;
    if (data.nextToken !== '') throw new Error('has more than one page');
    // By our clock. Where theirs is off, it is only certain that the answer followed the question.
    const isOurs = asOf >= askedAtMs && asOf <= answeredAtMs;
    const bounds = plays.bounds(account, isOurs ? through : askedAtMs - (asOf - through));
    const known = knownOf(account, path);
    const isPlays = new Map(
      data.list.map((row) => [row.date, Number(row.plays ?? row.videoCount)]),
    );
    let certain = 0;
    for (const date of new Set([...isPlays.keys(), ...bounds.keys()])) {
      if (date < firstDay) continue;
      const { least, most } = bounds.get(date) ?? { least: 0, most: 0 };
      certain += least;
      const is = isPlays.get(date) ?? 0;
      const shown = `${date}: ${is} plays`;
      if (is < least || is > most) throw new Error(`${shown}, not ${least} to ${most}; ${moment}`);
      const before = known.get(date) ?? 0;
      if (is < before) throw new Error(`${shown}, after ${before} before; ${moment}`);
      known.set(date, is);
    }
    mostCertain = Math.max(mostCertain, certain);
  };
  const asking = [...cast.any.accounts, cast.careless.account].map(async (place) => {
    const account = accounts[place];
    if (!account) throw new Error('no such account');
    while (!isStopped) {
      for (const question of questions) {
        await ask(account, question).catch((error: Error) => {
          if (wrong.length >= rememberedFaults) return;
          wrong.push(`meanwhile, ${account.timeZone}, ${question.path}: ${error.message}`);
        });
        await sleep(pauseMs);
      }
    }
  });
  // Whoever stops it hears of it.
  for (const one of asking) one.catch(() => {});

  return {
    wrong,
    async stop() {
      isStopped = true;
      await Promise.all(asking);
      if (mostCertain === 0) wrong.push('meanwhile, no answer had to show a play');
      return { answered, unanswered, mostCertain, wrong };
    },
  };
}

/** Undefined where it does not arrive, or not as a whole. */
async function whole(target: string, key: string): Promise<Response | undefined> {
  try {
    const signal = AbortSignal.timeout(answerWithinMs);
    const response = await fetch(target, { headers: { 'x-api-key': key }, signal });
    await response.clone().arrayBuffer();
    return response;
  } catch {
    return undefined;
  }
}

function isRefusal({ status, headers }: Response): boolean {
  return status === 503 && Number(headers.get('retry-after')) > 0;
}
