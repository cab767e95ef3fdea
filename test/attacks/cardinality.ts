/** Ever new values: of dimensions, of names that nobody has, of whatever might be kept by name. */
import { randomUUID } from 'node:crypto';
import { type Attack, type Stage, type Struck, wrongIn } from './attack.ts';
import { seatBystanders } from './bystanders.ts';
import {
  type Answered,
  all,
  madeUpBeacon,
  type Sent,
  statusesOf,
  stranger,
  strangersSystem,
} from './stranger.ts';
import type { Target } from './target.ts';
import { addVictim, aroundToday, playbackOf, type Victim } from './victim.ts';

const beaconsPerRequest = 1_000;
/** 200 of each operating system on each day, and `Other`; two days may be in the answer. */
const mostVersions = 402;
const longestTurnMs = 50;

export const newVersions: Attack = {
  name: 'new-versions',
  does: 'Ever new versions of an operating system, then one question for all of them',
  wanted:
    'at most 200 versions a day, then Other; no answer holds the event loop for more than 50 ms',
  seatsBystanders: true,
  async strike(stage): Promise<Struck> {
    const target = await stage.start();
    const victim = await addVictim(target);
    const bystanders = await seatBystanders(stage, target, victim);
    const one = stranger(target, { address: stage.address(), connections: 4 });
    const requests = stage.isLong ? 200 : 3;
    const answers = await all(Array(requests).keys(), 4, (request) =>
      one.report(beaconsOfNewVersions(victim, request, stage)),
    );
    one.close();
    const detail = await detailOf(target, victim, stage.isLong);
    const seen = await bystanders.leave();
    return {
      measured:
        `${(requests * beaconsPerRequest).toLocaleString('en-US')} versions sent: ` +
        `${detail.rows} rows, answered ${detail.statuses} within ${detail.slowestMs} ms, event ` +
        `loop held up to ${detail.heldMs} ms; ${JSON.stringify(statusesOf(answers))}; ${seen.measured}`,
      wrong: [
        ...seen.wrong,
        ...wrongIn({
          'the question was not answered': !detail.isAnswered,
          [`${detail.rows} rows`]: detail.rows === 0 || detail.rows > mostVersions,
          'no gauge of the event loop': Number.isNaN(detail.heldMs),
        }),
      ],
      slow: [
        ...seen.slow,
        ...wrongIn({ [`held for ${detail.heldMs} ms`]: detail.heldMs > longestTurnMs }),
      ],
    };
  },
};

interface AnswerPage {
  readonly list: readonly object[];
  readonly requestId: string;
  readonly nextToken: string;
}

/** So many of the requests report a day for each version: sums in 97 slots. */
const requestsOfDays = 10;
const dayMs = 86_400_000;

/** A system that has had many releases, so that millions of versions are of a plausible form. */
const system = 'ChromeOS';
const majors = 240;
const minors = 99;

function beaconsOfNewVersions(
  { videoKey }: Victim,
  request: number,
  { isLong }: Pick<Stage, 'isLong'>,
): object[] {
  const playMs = isLong && request < requestsOfDays ? dayMs : 1_000;
  return Array.from({ length: beaconsPerRequest }, (_, index) => {
    const number = request * beaconsPerRequest + index;
    const platformVersion = [
      4 + (number % majors),
      1 + (Math.floor(number / majors) % minors),
      1 + Math.floor(number / majors / minors),
    ].join('.');
    return { ...madeUpBeacon(videoKey, playMs), platform: system, platformVersion };
  });
}

/** Asks for all versions, page by page, when all are in. */
async function detailOf(target: Target, { key, accessKey }: Victim, isLong: boolean) {
  const headers = { 'x-api-key': key };
  const query = new URLSearchParams({
    ...{ ...aroundToday(), accessKey, os: system, pageSize: '1000' },
  });
  const asked = `${target.url}/report/statistics/video/v1/os/detail?${query}`;
  const startedMs = Date.now();
  let through = 0;
  const timed: number[] = [];
  const statuses: { status: number }[] = [];
  const ask = async (url: string) => {
    const askedAt = performance.now();
    const response = await fetch(url, { headers }).catch(() => undefined);
    timed.push(performance.now() - askedAt);
    statuses.push({ status: response?.status ?? 0 });
    if (!response) return undefined;
    through = Date.parse(response.headers.get('complete-through') ?? '');
    return response.ok ? ((await response.json()) as { data: AnswerPage }).data : undefined;
  };
  await heldMs(target, key);
  let page = await ask(asked);
  // In the short form of a service that bounds nothing there is little to wait for.
  while (!(through > startedMs) && Date.now() < startedMs + 120_000) page = await ask(asked);
  let rows = page?.list.length ?? 0;
  const mostPages = isLong ? 500 : 5;
  for (let pages = 1; page?.nextToken && pages < mostPages; pages += 1) {
    const { requestId, nextToken } = page;
    page = await ask(`${asked}&requestId=${requestId}&nextToken=${nextToken}`);
    rows += page?.list.length ?? 0;
  }
  return {
    /** To the last page, when all was in. */
    isAnswered: page !== undefined && through > startedMs,
    rows,
    statuses: JSON.stringify(statusesOf(statuses)),
    slowestMs: Math.round(Math.max(...timed)),
    heldMs: await heldMs(target, key),
  };
}

/** The longest that the event loop was held since it was last asked; NaN without that gauge. */
async function heldMs({ url }: Target, key: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`, { headers: { 'x-api-key': key } })).text();
  const seconds = /^playmeter_nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text)?.[1];
  return Math.round(Number(seconds) * 1_000);
}

export const newNames: Attack = {
  name: 'new-names',
  does: 'Ever new video keys, sessions, systems, paths and methods that nobody has',
  wanted:
    'no more metrics than before, memory bounded, systems that nobody knows count as the User-Agent says',
  async strike(stage): Promise<Struck> {
    const target = await stage.start();
    const victim = await addVictim(target);
    const one = stranger(target, { address: stage.address(), connections: 8 });
    const rounds = stage.isLong ? 40 : 2;
    await namesSent(one, victim, 1);
    const before = await metricLines(target, victim.key);
    const beforeMb = target.residentMb();
    const answers = [];
    for (let round = 0; round < rounds; round += 1) {
      answers.push(...(await namesSent(one, victim, 20)));
    }
    const after = await metricLines(target, victim.key);
    const grownMb = Math.round(target.residentMb() - beforeMb);
    const systems = [...(await playbackOf(target, victim)).keys()].join();
    const statuses = statusesOf(answers);
    // Of a report, a wrong key, a name that nobody has and a method.
    const missing = ['200', '401', '404', '405'].filter((each) => !(each in statuses));
    const { status } = await one.send({ path: '/healthz' });
    one.close();
    return {
      measured: `${after - before} new metrics, memory ${grownMb} MB more, systems ${systems}`,
      wrong: wrongIn({
        [`${after - before} new metrics`]: after - before > 40,
        [`memory grew by ${grownMb} MB`]: grownMb > 300,
        [`systems ${systems}`]: systems !== strangersSystem,
        [`no answers ${missing}`]: missing.length > 0,
        [`answered ${status}`]: status !== 200,
      }),
    };
  },
};

type Sender = ReturnType<typeof stranger>;

async function namesSent(one: Sender, { videoKey }: Victim, odd: number): Promise<Answered[]> {
  const unknown = Array.from({ length: 500 }, () => madeUpBeacon(randomUUID(), 1_000));
  const systems = Array.from({ length: 500 }, () => ({
    ...madeUpBeacon(videoKey, 1_000),
    platform: `System ${randomUUID()}`,
  }));
  const reported = await one.report([...unknown, ...systems]);
  const named = await all(Array(odd).keys(), 8, async () => {
    const name = randomUUID();
    const data = { e: 'vs', gid: 1, pid: 1, vid: 1, uid: name, cs: '20260101000000' };
    const cmcd = `sid="${name}",sn=1,ts=${Date.now()},e=ps,sta=p,v=2\n`;
    const type = { 'content-type': 'application/cmcd' };
    const requests: Sent[] = [
      { path: `/${name}` },
      { method: 'PROPFIND', path: `/watch/${name}` },
      { path: `/v1/player/stats/info.json?k=${name}` },
      { path: `/play/api/videoPlays?data=${encodeURIComponent(JSON.stringify(data))}` },
      { method: 'POST', path: `/collect/v1/cmcd/${name}`, headers: type, body: cmcd },
      { path: '/report/statistics/video/v1/info/date', headers: { 'x-api-key': `pm_${name}` } },
    ];
    return all(requests, 1, one.send);
  });
  return [reported, ...named.flat()];
}

/** But for those of garbage collections, whose kinds appear with the first of each. */
async function metricLines({ url }: Target, key: string): Promise<number> {
  const response = await fetch(`${url}/metrics`, { headers: { 'x-api-key': key } });
  if (!response.ok) throw new Error(`There are no metrics: ${response.status}`);
  const text = await response.text();
  return text.split('\n').filter((line) => !/^\w+_nodejs_gc_/.test(line)).length;
}
