/** Ever new values of every dimension of the audience that a stranger fills. */
import { setTimeout as sleep } from 'node:timers/promises';
import { browserNames } from '../../src/collect/enrich/browser/browser-names.ts';
import { deviceKinds } from '../../src/collect/enrich/browser/device-kind.ts';
import { countryCodes } from '../../src/collect/enrich/country/country-codes.ts';
import { type Attack, type Stage, type Struck, wrongIn } from './attack.ts';
import { all, madeUpBeacon, statusesOf, stranger } from './stranger.ts';
import type { Target } from './target.ts';
import { addAccount, addVictim, addVideo, aroundToday, playbackOf, type Victim } from './victim.ts';

const beaconsPerRequest = 1_000;
const settledWithinMs = 120_000;
/** 1,000 on each of two days, and `Other`. */
const mostValues = 2_001;
/** Most rows by each dimension. */
const mostRows = {
  host: mostValues,
  page: mostValues,
  referrer: mostValues,
  player: mostValues,
  'label.course': mostValues,
  // 200 of each of two days, and `Other`.
  browserVersion: 401,
  // Of closed lists, and `Other` or `Unknown`.
  browser: browserNames.length + 2,
  country: countryCodes.size + 1,
  device: deviceKinds.length + 1,
  viewerKind: 3,
} as const;
type Dimension = keyof typeof mostRows;
const dimensions = Object.keys(mostRows) as Dimension[];
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
/** Of a plausible form, more than an account counts. */
const majors = 140;
const minors = 4;

export const newValues: Attack = {
  name: 'new-values',
  does:
    'Ever new hosts, pages, referrers, players, viewers, labels and their values, browsers and ' +
    'countries',
  wanted:
    'at most 1,000 of each a day and 200 versions, then Other; no browser or country that there ' +
    'is not; nothing is lost; memory bounded; one stranger takes no real viewer the page, counted ' +
    'or set apart',
  async strike(stage): Promise<Struck> {
    const environment = {
      // Every view and value counts, as if each came from an address of its own.
      ...{ USUAL_VIEWS_BY_ADDRESS: '0', USUAL_VIEWS_BY_VIDEO: '0', NEW_VALUES_BY_ADDRESS: '0' },
      // As behind a proxy that passes on what a stranger wrote.
      ...{ TRUST_PROXY: 'loopback', GEO_HEADER: 'x-country' },
    };
    const target = await stage.start({ environment });
    const victim = await addVictim(target);
    const account = String(victim.accountId);
    await target.run('label', 'create', '--account', account, '--name', 'course');
    const one = stranger(target, { address: stage.address(), connections: 4 });
    const beforeMb = target.residentMb();
    const requests = stage.isLong ? 200 : 3;
    const values = await all(Array(requests).keys(), 4, (request) =>
      one.report(beaconsOfNewValues(victim, request)),
    );
    const sendFrom = (headers: Readonly<Record<string, string>>) =>
      one.send({
        ...{ method: 'POST', path: '/collect/v1/beacons' },
        headers: { 'content-type': 'text/plain', ...headers },
        body: JSON.stringify({ beacons: [madeUpBeacon(victim.videoKey, 1_000)] }),
      });
    const versions = await all(Array(stage.isLong ? majors * minors : 250).keys(), 4, (index) =>
      sendFrom({ 'user-agent': agentOf(index) }),
    );
    // All countries that two letters can name, most of which there are not.
    const forged = await all(Array(stage.isLong ? letters.length ** 2 : 100).keys(), 4, (index) =>
      sendFrom({ 'user-agent': madeUpAgent(index), 'x-country': madeUpCountry(index) }),
    );
    one.close();
    const sent = requests * beaconsPerRequest + versions.length + forged.length;
    const rows = await rowsOf(target, victim, sent);
    const grownMb = Math.round(target.residentMb() - beforeMb);
    const tooMany = Object.entries(rows.by).filter(
      ([name, { count }]) => count > mostRows[name as Dimension],
    );
    const hidden = [...(await hiddenBy(stage, 'open')), ...(await hiddenBy(stage, 'prefer'))];
    const lost = Object.entries(rows.by).filter(([, { plays }]) => plays !== sent);
    return {
      measured:
        `${sent.toLocaleString('en-US')} beacons, ${JSON.stringify(statusesOf(values))}; rows: ` +
        Object.entries(rows.by)
          .map(([name, { count }]) => `${name} ${count}`)
          .join(', ') +
        `; each dimension answered within ${rows.slowestMs} ms; memory ${grownMb} MB more; ` +
        `of a real viewer behind one stranger's 1,000 values hidden: ${hidden.length || 'none'}`,
      wrong: wrongIn({
        [`too many: ${tooMany.map(([name]) => name)}`]: tooMany.length > 0,
        [`lost: ${lost.map(([name, { plays }]) => `${name} ${plays}`)}`]: lost.length > 0,
        [`memory grew by ${grownMb} MB`]: grownMb > 400,
        [`hidden: ${hidden}`]: hidden.length > 0,
      }),
    };
  },
};

const shown = {
  page: 'www.myschool.example/lesson/1',
  host: 'www.myschool.example',
  referrer: 'search.example',
  player: 'hls.js/1.7.2',
};

/**
 * One request by the usual settings: a view of 1,000 values, which counts, or is set apart for want
 * of a token. Which values of a real viewer after it are not shown.
 */
async function hiddenBy(stage: Stage, signing: 'open' | 'prefer'): Promise<string[]> {
  const target = await stage.start();
  const account = await addAccount(target);
  const victim = await addVideo(target, account);
  const watched = signing === 'open' ? victim : await addVideo(target, account);
  const change = await fetch(`${target.url}/manage/v1/packages/${victim.packageId}`, {
    method: 'PATCH',
    headers: { 'x-api-key': account.key, 'content-type': 'application/json' },
    body: JSON.stringify({ signing }),
  });
  if (!change.ok) throw new Error(`The package was not changed: ${await change.text()}`);
  const [one, viewer] = [1, 2].map(() => stranger(target, { address: stage.address() }));
  const { view, at } = madeUpBeacon(victim.videoKey, 1_000);
  const values = beaconsOfNewValues(victim, 0);
  await one?.report(values.map((beacon, stretch) => ({ ...beacon, view, at, stretch, playMs: 1 })));
  await viewer?.report([
    {
      ...madeUpBeacon(watched.videoKey, 1_000),
      ...{ page: `https://${shown.page}`, referrer: `https://${shown.referrer}/` },
      player: shown.player,
    },
  ]);
  one?.close();
  viewer?.close();
  await playbackOf(target, watched);
  const hidden: string[] = [];
  for (const [dimension, value] of Object.entries(shown)) {
    const filters = `video==${watched.accessKey};${dimension}==${value}`;
    const query = new URLSearchParams({ ...aroundToday(), measures: 'plays', filters });
    const { plays } = await totalsOf(target, account.key, query);
    if (plays !== 1) hidden.push(`${signing} ${dimension}`);
  }
  return hidden;
}

function beaconsOfNewValues({ videoKey }: Victim, request: number): object[] {
  return Array.from({ length: beaconsPerRequest }, (_, index) => {
    const number = request * beaconsPerRequest + index;
    return {
      ...madeUpBeacon(videoKey, 1_000),
      page: `https://host${number}.example/${'p'.repeat(300)}/${number}`,
      referrer: `https://from${number}.example/`,
      player: `player ${number}/1.0`,
      viewer: `viewer ${number}`,
      labels: { course: `course ${number}`, [`undeclared${number}`]: 'value' },
    };
  });
}

function agentOf(index: number): string {
  const version = `${1 + (index % majors)}.${Math.floor(index / majors)}`;
  return `Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:${version}) Gecko/20100101 Firefox/${version}`;
}

function madeUpAgent(index: number): string {
  const [name, version] = [`MadeUp${index}Browser`, `${index}.0`];
  return `Mozilla/5.0 (Gadget${index}; Linux x86_64) ${name}/${version} Safari/537.36`;
}

function madeUpCountry(index: number): string {
  return `${letters[Math.floor(index / letters.length)]}${letters[index % letters.length]}`;
}

/** By each dimension, when all plays are in. */
async function rowsOf(target: Target, victim: Victim, plays: number) {
  const by: Record<string, { count: number; plays: number }> = {};
  let slowestMs = 0;
  const deadlineMs = Date.now() + settledWithinMs;
  while ((await ask(target, victim, 'device')).plays < plays && Date.now() < deadlineMs) {
    await sleep(500);
  }
  for (const name of dimensions) {
    const askedAt = performance.now();
    by[name] = await ask(target, victim, name);
    slowestMs = Math.max(slowestMs, Math.round(performance.now() - askedAt));
  }
  return { by, slowestMs };
}

async function ask(target: Target, { key, accessKey }: Victim, dimension: string) {
  const asked = dimension === 'browserVersion' ? `browser,${dimension}` : dimension;
  const query = new URLSearchParams({
    ...aroundToday(),
    ...{ measures: 'plays', dimensions: asked, filters: `video==${accessKey}`, pageSize: '1' },
  });
  return totalsOf(target, key, query);
}

async function totalsOf({ url }: Target, key: string, query: URLSearchParams) {
  const response = await fetch(`${url}/report/statistics/video/v2/query?${query}`, {
    headers: { 'x-api-key': key },
  });
  const { data } = (await response.json()) as {
    data?: { rowCount: number; totals: { plays: number } };
  };
  return { count: data?.rowCount ?? 0, plays: data?.totals.plays ?? 0 };
}
