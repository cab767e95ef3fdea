/** A key that reads, or a shared link: the costliest questions over a year, as many as are answered. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../../bench/record/percentile.ts';
import { wideBounds } from '../support/wide-bounds.ts';
import { type Attack, type Stage, type Struck, wrongIn } from './attack.ts';
import { type Answered, all, statusesOf, stranger } from './stranger.ts';
import type { Target } from './target.ts';
import { addAccount, addVideo, type Victim } from './victim.ts';

const dayMs = 86_400_000;
const daysOfPlays = 364;
const beaconsPerRequest = 1_000;
const pages = 300;
const settleMs = 20_000;
const putOffMs = 1_000;
/** So that what is asked stays below the limit of a key, however fast the machine is. */
const pauseMs = 150;
/** Of others' answers, beside the usual. */
const mostTimesSlower = 2;

const measures =
  'plays,playMs,views,viewers,averagePlayMs,mediaMs,averageSeen,reached25,reached50,reached100';
const dimensions = [
  ...['video,page', 'page,country', 'device,page', 'hourOfDay,page', 'os,page', 'browser,page'],
  ...['month,page', 'weekday,page', 'page,referrer', 'hour'],
];
const agents = ['Windows NT 10.0; Win64; x64', 'Macintosh; Intel Mac OS X 10_15_7', 'X11; Linux'];

export const costlyQuestions: Attack = {
  name: 'costly-questions',
  does: 'ten measures by two dimensions over a year of 150,000 plays, on ten connections with one key',
  wanted:
    "each is answered or refused by the budget of the engine's time; questions of another account " +
    `never refused, and p95 at most ${mostTimesSlower} times the usual`,
  async strike(stage): Promise<Struck> {
    const target = await stage.start({ environment: wideBounds });
    const [victim, other] = [await addAccountWithFilm(target), await addAccountWithFilm(target)];
    await addPlays(stage, target, victim, stage.isLong ? 150_000 : 2_000);
    await addPlays(stage, target, other, 1_000);
    if (stage.isLong) await sleep(settleMs);
    const reader = stranger(target, { address: stage.address(), connections: 1 });
    const watch = (until: () => boolean) => askCheaply(reader, other, until);
    await watch(until(1_000));
    const usual = await watch(until(stage.isLong ? 15_000 : 1_000));
    const isOver = until(stage.isLong ? 60_000 : 1_000);
    const attacker = stranger(target, { address: stage.address(), connections: 10 });
    const asking = all(numbers(isOver), 10, (number) => {
      const asked = { measures, dimensions: dimensions[number % dimensions.length] ?? '' };
      return attacker.send(question(victim, asked));
    });
    const [answers, beside] = await Promise.all([asking, watch(isOver)]);
    for (const one of [reader, attacker]) one.close();
    const [usualMs, besideMs] = [p95Of(usual), p95Of(beside)];
    const statuses = statusesOf(answers);
    const expected = new Set(['200', '429']);
    const unexpected = Object.keys(statuses).filter((status) => !expected.has(status));
    const refused = [...usual, ...beside].filter(({ status }) => status !== 200);
    return {
      measured:
        `${JSON.stringify(statuses)}; another account's questions p95 ${besideMs} ms, usually ` +
        `${usualMs} ms`,
      wrong: wrongIn({
        [`of another account ${JSON.stringify(statusesOf(refused))}`]: refused.length > 0,
        'none was answered': statuses['200'] === undefined,
      }),
      slow: wrongIn({
        [`answers ${unexpected}`]: unexpected.length > 0,
        [`p95 ${besideMs} ms, usually ${usualMs} ms`]: besideMs > mostTimesSlower * usualMs,
      }),
    };
  },
};

async function addAccountWithFilm(target: Target): Promise<Victim> {
  return addVideo(target, await addAccount(target));
}

/** With the key of the account, which may report what was long ago. */
async function addPlays(stage: Stage, target: Target, { key, videoKey }: Victim, plays: number) {
  const one = stranger(target, { address: stage.address(), connections: 2 });
  const nowMs = Date.now();
  await all(Array(plays / beaconsPerRequest).keys(), 2, async (portion) => {
    const beacons = Array.from({ length: beaconsPerRequest }, (_, index) => {
      const number = portion * beaconsPerRequest + index;
      // Any order: neighbours are a golden section of the year apart.
      const agoMs = ((number * 0.618034) % 1) * daysOfPlays * dayMs;
      return {
        ...{ view: randomUUID(), stretch: 0, playMs: 30_000 + (number % 90) * 1_000, videoKey },
        at: new Date(nowMs - dayMs - agoMs).toISOString(),
        page: `https://site${number % 5}.example/lessons/${number % pages}`,
        userAgent: `Mozilla/5.0 (${agents[number % agents.length]})`,
        position: (number % 500) * 1_000,
      };
    });
    const request = {
      method: 'POST',
      path: '/collect/v1/beacons',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body: JSON.stringify({ beacons }),
    };
    while ((await one.send(request)).status !== 200) await sleep(putOffMs);
  });
  one.close();
}

function question({ key }: Victim, asked: Readonly<Record<string, string>>) {
  const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const range = { sdate: dayOf(Date.now() - daysOfPlays * dayMs), edate: dayOf(Date.now()) };
  const query = new URLSearchParams({ ...range, ...asked });
  return { path: `/report/statistics/video/v2/query?${query}`, headers: { 'x-api-key': key } };
}

/** What a dashboard asks, one after the other. */
function askCheaply(
  reader: ReturnType<typeof stranger>,
  victim: Victim,
  isOver: () => boolean,
): Promise<Answered[]> {
  const asked = [
    { measures: 'plays,playMs', dimensions: 'date' },
    { measures: 'plays,playMs', dimensions: 'video' },
    { measures: 'plays,viewers', dimensions: 'os' },
  ];
  return all(numbers(isOver), 1, async (number) => {
    await sleep(pauseMs);
    return reader.send(question(victim, asked[number % asked.length] ?? {}));
  });
}

function until(durationMs: number): () => boolean {
  const endMs = performance.now() + durationMs;
  return () => performance.now() > endMs;
}

function* numbers(isOver: () => boolean) {
  for (let number = 0; !isOver(); number += 1) yield number;
}

function p95Of(answers: readonly Answered[]): number {
  const times = answers.map(({ afterMs }) => afterMs).toSorted((one, other) => one - other);
  return Math.round(percentile(times, 0.95));
}
