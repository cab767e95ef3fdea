/** The questions of version 2 over a year of views that report everything, as views grow. */
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { atMost, type Figure, type Measured } from '../figure.ts';
import type { Size } from '../size.ts';
import {
  type BenchAccount,
  type BenchService,
  labelNames,
  startBenchService,
} from '../stage/bench-service.ts';
import { fillHistories, historyDays } from '../stage/history.ts';
import { type AskedTimes, askAll, dayOf, timesOf } from '../stage/questions.ts';
import { insertViewings, stretchesPerView } from '../stage/viewings.ts';
import { viewersAtOnce, whilePlaying } from '../stage/while-playing.ts';

const videos = 100;
/** A slow question is asked less often, or it would be asked for hours. */
const fewestAsks = 5;
const longEnoughMs = 20_000;

interface AudienceQuestion {
  readonly what: string;
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly mostMs: number;
}

const year = { sdate: dayOf(0), edate: dayOf(historyDays - 1) };
const month = { sdate: dayOf(180), edate: dayOf(209) };
const aDay = { sdate: dayOf(200), edate: dayOf(200) };
const counts = 'plays,playMs';
/** Those that need no position. */
const everything = 'plays,playMs,views,viewers,averagePlayMs,mediaMs';
/** Of which each is asked for by itself. */
const dimensions = [
  ...['os', 'device', 'browser', 'country', 'viewerKind', 'host', 'page', 'referrer', 'player'],
  ...['os,osVersion', 'browser,browserVersion', 'video', 'package', 'folder'],
  ...['date', 'month', 'weekday', 'hourOfDay', ...labelNames.map((name) => `label.${name}`)],
];
const ofQuality = 'exitShare,failureShare,startupMs,stallsPerHour,stalledTimeShare,bitrate';
const qualityDimensions = ['country', 'device', 'page', 'player', 'mediaHost', 'video', 'date'];
const spread = ['startupMs', 'stallMs', 'bitrate', 'playMs', 'seen'];
const timeDimensions = [
  'hour',
  'date',
  'week',
  'month',
  'year',
  'hourOfDay',
  'weekday',
  'hourOfWeek',
];
/** Nine hours from UTC, so that no day there is one of the store's. */
const inSeoul = { timeZone: 'Asia/Seoul' };
/** It gets a hundredth of the views. */
const watchedVideo = 24;

function questionsOf({ accessKeys }: BenchAccount): AudienceQuestion[] {
  const query = (what: string, parameters: Record<string, string>, mostMs: number) => ({
    ...{ what, path: 'query', parameters, mostMs },
  });
  const rankings = ['video', 'package', 'folder', ...timeDimensions].map((name) =>
    query(`${name} over a year`, { ...year, measures: counts, dimensions: name }, 50),
  );
  const audience = dimensions.flatMap((name) => {
    const by = { measures: everything, dimensions: name };
    return [
      query(`${name}, all measures, a month`, { ...month, ...by }, 300),
      query(`${name}, all measures, a year`, { ...year, ...by }, 1_500),
    ];
  });
  const elsewhere = ['month', 'date', 'country', 'hourOfDay'].map((name) => {
    const by = { measures: everything, dimensions: name, ...inSeoul };
    return query(`${name}, all measures, a year in Seoul`, { ...year, ...by }, 1_500);
  });
  const shareSeen = [undefined, 'video', 'month'].map((name) =>
    query(
      `share seen, ${name ? `by ${name}` : 'in total'}, a year`,
      { ...year, measures: 'averageSeen', ...(name && { dimensions: name }) },
      1_500,
    ),
  );
  const quality = [ofQuality, 'startupP95'].flatMap((measures) =>
    qualityDimensions.flatMap((name) => {
      const by = { measures, dimensions: name };
      const what = measures === ofQuality ? 'six measures of quality' : measures;
      return [
        query(`${what} by ${name}, a month`, { ...month, ...by }, 300),
        query(`${what} by ${name}, a year`, { ...year, ...by }, 1_500),
      ];
    }),
  );
  const distributions = spread.map((measure) => ({
    what: `distribution of ${measure}, a year`,
    path: 'distribution',
    parameters: { ...year, measure },
    mostMs: 1_500,
  }));
  return [
    ...quality,
    ...distributions,
    ...rankings,
    ...elsewhere,
    ...shareSeen,
    query('totals over a year', { ...year, measures: counts }, 50),
    ...audience,
    {
      what: 'retention of a video with a hundredth of the views, a year',
      path: 'retention',
      parameters: { ...year, accessKey: accessKeys[watchedVideo] ?? '' },
      mostMs: 300,
    },
    {
      what: 'concurrency of a day by minutes',
      path: 'concurrency',
      parameters: { ...aDay, interval: 'minute' },
      mostMs: 150,
    },
    {
      what: 'concurrency of a year by days',
      path: 'concurrency',
      parameters: { ...year, interval: 'day' },
      mostMs: 1_000,
    },
    {
      what: 'concurrency of a year by days, of one country',
      path: 'concurrency',
      parameters: { ...year, interval: 'day', filters: 'country==KR' },
      mostMs: 1_000,
    },
    {
      what: `live, while ${viewersAtOnce.toLocaleString('en-US')} play`,
      path: 'live',
      parameters: {},
      mostMs: 50,
    },
  ];
}

export const audience: Figure = {
  name: 'audience',
  async measure(size, say, { keptIn }) {
    const service = await startBenchService({}, keptIn);
    try {
      const asked: { views: number; times: Record<string, AskedTimes> }[] = [];
      const measured: Measured[] = [];
      for (const { account, views } of await filledAccounts(service, size, say)) {
        const times = await askAudience(service, account, size, say);
        const first = await askAll(service, account, size.asksPerQuestion);
        say(`asked over ${views} views`);
        asked.push({ views, times });
        if (views === size.views.at(-1))
          measured.push(...figuresOf(account, times, views), ...firstOf(first, views));
      }
      const [before, last] = asked.slice(-2);
      if (before && last) measured.push(growthOf(last.times, before.times));
      measured.push(await bytesOf(service));
      return { measured };
    } finally {
      await service.stop();
      await service.remove();
    }
  },
};

interface FilledAccount {
  readonly account: BenchAccount;
  readonly views: number;
}

/** Those of an earlier run of the day, if the service was kept. */
async function filledAccounts(
  service: BenchService,
  { views: sizes }: Size,
  say: (line: string) => void,
): Promise<FilledAccount[]> {
  const file = join(service.dataFolder, 'bench-accounts.json');
  if (existsSync(file)) {
    const kept = JSON.parse(await readFile(file, 'utf8')) as {
      readonly firstDay: string;
      readonly filled: FilledAccount[];
    };
    if (kept.firstDay === dayOf(0)) return kept.filled;
    throw new Error(`Filled for a year from ${kept.firstDay}, and not ${dayOf(0)}: ${file}`);
  }
  const filled: FilledAccount[] = [];
  for (const views of sizes) {
    const account = await service.addAccount(videos);
    const neighbour = await service.addAccount(1);
    const history = { account, neighbour, beacons: views, videos };
    await fillHistories(service, [history], say, {
      insertDays: insertViewings,
      checksViews: true,
    });
    filled.push({ account, views });
  }
  await writeFile(file, JSON.stringify({ firstDay: dayOf(0), filled }));
  return filled;
}

async function askAudience(
  service: BenchService,
  account: BenchAccount,
  { asksPerQuestion }: Size,
  say: (line: string) => void,
): Promise<Record<string, AskedTimes>> {
  const asked: Record<string, AskedTimes> = {};
  for (const question of questionsOf(account)) {
    const askSome = () => askOften(service, account, question, asksPerQuestion);
    const isLive = question.path === 'live';
    const times = isLive ? await whilePlaying(service, account, askSome) : await askSome();
    asked[question.what] = timesOf(times);
    say(`${question.what}: ${times.length} asks, p95 ${asked[question.what]?.p95Ms.toFixed(0)} ms`);
  }
  return asked;
}

async function askOften(
  service: BenchService,
  account: BenchAccount,
  question: AudienceQuestion,
  most: number,
): Promise<number[]> {
  const times: number[] = [];
  // The first fills the caches, as any dashboard does.
  await ask(service, account, question);
  const begunAt = performance.now();
  const isEnough = () =>
    times.length >= most ||
    (times.length >= fewestAsks && performance.now() - begunAt > longEnoughMs);
  while (!isEnough()) {
    const startedAt = performance.now();
    await ask(service, account, question);
    times.push(performance.now() - startedAt);
  }
  return times;
}

async function ask(service: BenchService, account: BenchAccount, question: AudienceQuestion) {
  const parameters = new URLSearchParams({ ...question.parameters });
  const path = `/report/statistics/video/v2/${question.path}?${parameters}`;
  const answer = await fetch(service.url + path, { headers: { 'x-api-key': account.key } });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`No answer: ${answer.status} ${path} ${text.slice(0, 500)}`);
}

function figuresOf(
  account: BenchAccount,
  times: Record<string, AskedTimes>,
  views: number,
): Measured[] {
  return questionsOf(account).map(({ what, mostMs }) => ({
    what: `${what}: p95`,
    value: times[what]?.p95Ms ?? Number.NaN,
    unit: 'ms',
    target: atMost(mostMs),
    note: `${sizeOf(views)}, ${stretchesPerView} stretches each`,
  }));
}

const sizeOf = (views: number) => `${views.toLocaleString('en-US')} views of one account in a year`;

/** Version 1 beside it, on the same data. */
function firstOf(times: Record<string, AskedTimes>, views: number): Measured[] {
  return Object.entries(times).map(([what, { p95Ms }]) => ({
    what: `version 1, ${what}: p95`,
    value: p95Ms,
    unit: 'ms',
    target: atMost(25),
    note: sizeOf(views),
  }));
}

function growthOf(times: Record<string, AskedTimes>, before: Record<string, AskedTimes>): Measured {
  const ratios = Object.entries(times).map(([what, { p50Ms }]) => ({
    what,
    value: p50Ms / (before[what]?.p50Ms ?? Number.NaN),
  }));
  const [worst] = ratios.sort((a, b) => b.value - a.value);
  return {
    what: 'time of the same question when views grow 10 times, the worst',
    value: worst?.value ?? Number.NaN,
    unit: 'x',
    note: worst?.what ?? '',
  };
}

const ofDays = ['irregular_view', 'irregular_fact', 'audience_day', 'audience_seen'];

/** Of all tables, after merging, by the plays that are there: also those of earlier rounds. */
async function bytesOf(service: BenchService): Promise<Measured> {
  const engine = await service.engine();
  for (const table of ['stretch', 'playback_sum', 'peak', ...ofDays]) {
    await engine.run(`OPTIMIZE TABLE ${table} FINAL`, { max_execution_time: 3_600 });
  }
  const plays = await engine.number('SELECT sum(plays) FROM stretch');
  const bytesIn = (condition: string) =>
    engine.number(`SELECT sum(bytes_on_disk) FROM system.parts
      WHERE active AND database = 'playmeter' AND ${condition}`);
  const facts = (await bytesIn("table = 'stretch'")) / plays;
  const others = (await bytesIn("table != 'stretch'")) / plays;
  return {
    what: 'bytes on disk per play, everything reported, after merging',
    value: facts + others,
    unit: 'bytes',
    target: atMost(120),
    note: `${facts.toFixed(1)} facts, ${others.toFixed(1)} all else`,
  };
}
