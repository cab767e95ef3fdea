/**
 * What a page of statistics shows is what the interface answers, also of what is chosen there, and
 * explains what it means.
 */
import { expect, test } from 'vitest';
import type { Live, Retention } from '../../client/src/index.ts';
import {
  type Card,
  cards,
  dimensionsAsked,
  labelCard,
} from '../../dashboard/src/filters/dimensions.ts';
import { createFormats } from '../../dashboard/src/formats.ts';
import { drawnValue, type Measure, measures, unitOf } from '../../dashboard/src/measures.ts';
import { en } from '../../dashboard/src/messages/en.ts';
import { listMeasures } from '../../dashboard/src/overview/row-figures.ts';
import { usualBand } from '../../dashboard/src/overview/usual-band.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import type { Locator, Page } from '../support/browser.ts';
import { chooseList, openMenu, saved, visitDashboard } from './dashboard.ts';
import { useDashboard } from './use-dashboard.ts';

const dayMs = 86_400_000;
const v2 = '/report/statistics/video/v2';
const formats = createFormats('en-US');
const userAgents = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/141.0.0.0',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) Version/17.4 Mobile Safari/604.1',
];

type Values = Readonly<Record<string, number | string | null | undefined>>;
type Row = Values & { readonly previous?: Values | null };

/** So many of two weeks, of the half year before them, and of the year before. */
const [recent, older, lastYear] = [60, 50, 10];
const playCount = recent + older + lastYear;
let kites = '';
let app = 0;
let film = '';
/** Of each list two values or more. */
const stage = useDashboard(async ({ service, account }) => {
  const { accountId, key } = account;
  const { folders, labels, packages, videos } = service.catalog;
  accepted(await labels.create(accountId, 'series'));
  const { folderId } = accepted(await folders.create(accountId, { folderName: 'Series' }));
  const fields = { packageName: 'App', packageType: 'VOD' } as const;
  app = accepted(await packages.create(accountId, fields)).packageId;
  const site = await account.addPackage();
  film = await account.addVideo(12_000);
  const episode = { folderId, title: 'Kite', durationMs: 12_000 };
  kites = accepted(await videos.create(accountId, episode)).accessKey;
  for (const accessKey of [film, kites]) {
    for (const packageId of [app, site]) await account.publish(packageId, accessKey);
  }
  // Over for some time: a running day is compared with the same part of the one a week before.
  const endedMs = Date.now() - 60_000;
  const daysBefore = (index: number) => {
    if (index < recent) return 1 + (index % 14);
    return index < recent + older ? 15 + 4 * (index - recent) : 366 + 3 * (playCount - index);
  };
  const beacons = Array.from({ length: playCount }, (_, index) => {
    const playMs = 2_000 + 75 * index;
    const one = <Value>(every: number, rare: Value, usual: Value) =>
      index % every === 0 ? rare : usual;
    return {
      ...{ view: `view-${index}`, stretch: 0, position: 0, playMs, mediaMs: playMs },
      at: new Date(endedMs - dayMs * daysBefore(index) - (index % 5) * 3_600_000).toISOString(),
      accessKey: one(3, kites, film),
      packageId: one(5, app, site),
      userAgent: one(4, userAgents[1], userAgents[0]),
      player: one(3, 'video.js/8.23.4', 'hls.js/1.7.2'),
      page: `https://${one(4, 'shop', 'video')}.example/${index % 12}`,
      referrer: one(5, 'https://search.example/?q=kite', 'https://news.example/today'),
      labels: { series: one(3, 'second', 'first') },
      address: one(4, '133.11.0.1', '8.8.8.8'),
    };
  });
  const sent = await service.send(beacons, { 'x-api-key': key });
  expect(await sent.json()).toEqual({ accepted: playCount, rejected: [] });
  await service.facts.rollUp();
});

const day = (before: number) => new Date(Date.now() - before * dayMs).toISOString().slice(0, 10);

async function query(parameters: string, key = stage().account.key) {
  const answer = await stage().service.get(`${v2}/query?${parameters}`, key);
  return ((await answer.json()) as { data: { totals: Row; list: Row[] } }).data;
}

const written = (values: Values | null | undefined, measure: Measure, by = formats) =>
  by.measure(drawnValue(values as Record<Measure, number> | null, measure), unitOf[measure]);

/** The figures of the page, and its chart as a table, are those that the interface has. */
async function expectFigures(page: Page, parameters: string, by = formats): Promise<void> {
  const { totals } = await query(`${parameters}&measures=${measures}`);
  await expect
    .poll(() => page.locator('.figure-value').allTextContents(), { message: parameters })
    .toEqual(measures.map((measure) => written(totals, measure, by)));
}

async function expectChart(page: Page, measure: Measure, interval: string, parameters: string) {
  const asked = `measures=${measure}&dimensions=${interval}&fill=zero&pageSize=1000`;
  const { list } = await query(`${parameters}&${asked}`);
  const chart = page.getByRole('region', { name: `${en[`measure.${measure}`]} over time` });
  await openTable(chart);
  const none = { [measure]: measure === 'averageSeen' ? null : 0 };
  const isCompared = parameters.includes('compare');
  // Behind them stands what is usual.
  const columns = isCompared ? 2 : 1;
  const cells = list.flatMap((row) => [
    written(row, measure),
    ...(isCompared ? [written(row.previous ?? none, measure)] : []),
  ]);
  await expect
    .poll(() => chart.locator(`tbody td:nth-of-type(-n + ${columns})`).allTextContents(), {
      message: `${interval} ${measure}`,
    })
    .toEqual(cells);
  expect(new Set(cells).size).toBeGreaterThan(1);
}

async function openTable(part: Locator): Promise<void> {
  const details = part.locator('details');
  if ((await details.getAttribute('open')) === null) await part.getByText('Show as table').click();
}

const allCards = [...cards, ...[labelCard(['label.series'])].filter((card) => card !== undefined)];

interface Lists {
  readonly cards?: readonly Card[];
  readonly measure?: Measure;
  /** Otherwise the first of each card. */
  readonly isAll?: boolean;
}

function sharesOf(row: Row, totals: Row, measure: Measure): string[] {
  if (measure === 'averagePlayMs' || measure === 'averageSeen') return [];
  return [`Share ${formats.share(Number(row[measure]) / Number(totals[measure]))}`];
}

function changesOf(row: Row, measure: Measure): string[] {
  if (row.previous === undefined) return [];
  if (row.previous === null) return ['new'];
  if (Number(row.previous.plays) < 5) return ['–Too few plays before to compare with'];
  const change = changeIn(row, measure);
  const arrow = change > 0 ? '↑ ' : change < 0 ? '↓ ' : ' ';
  return [`${arrow}${formats.change(change)} compared with the period before`];
}

/** The lists of each card, by their names and what stands behind them. */
async function expectLists(page: Page, parameters: string, lists: Lists = {}): Promise<void> {
  const { measure = 'plays', isAll = false } = lists;
  for (const card of lists.cards ?? allCards) {
    const panel = page.getByRole('region', { name: en[card.name], exact: true });
    for (const dimension of isAll ? card.dimensions : card.dimensions.slice(0, 1)) {
      const { under, label, name } = dimension;
      const title = dimension.ownName ?? en[dimension.title];
      if (isAll && card.dimensions.length > 1) await chooseList(panel, title);
      const asked = `measures=${listMeasures(measure)}&pageSize=8&dimensions=${dimensionsAsked(dimension)}`;
      const { list, totals } = await query(`${parameters}&${asked}`);
      if (isAll) expect(list.length, title).toBeGreaterThan(1);
      const named = (row: Row) =>
        [under, label ?? name].flatMap((member) => (member ? [String(row[member])] : []));
      const rows = async () => ({
        names: await panel.locator('.row-name').allTextContents(),
        values: await panel.locator('.row .row-value').allTextContents(),
        shares: await panel.locator('.row .row-share').allTextContents(),
        changes: await panel.locator('.row .change').allTextContents(),
      });
      await expect.poll(rows, { message: `${title} ${measure}` }).toEqual({
        names: list.map(named).map((names) => {
          const text = names.join(' ');
          return name === 'country' ? formats.country(text) : text;
        }),
        values: list.map((row) => written(row, measure)),
        shares: list.flatMap((row) => sharesOf(row, totals, measure)),
        changes: list.flatMap((row) => changesOf(row, measure)),
      });
    }
  }
}

test('every figure, change, point of the chart and row of a list is the interface’s', async () => {
  const { page, complaints } = await stage().visitAsOwner();
  await page.goto('/?period=7d');
  const days = `sdate=${day(6)}&edate=${day(0)}&compare=weekdays`;
  await expectFigures(page, days);
  const { totals } = await query(`${days}&measures=${measures}`);
  for (const [index, measure] of measures.entries()) {
    const change = page.locator('.figure-cell').nth(index).locator('.change');
    expect(await change.textContent()).toContain(formats.change(changeIn(totals, measure)));
  }
  await expectChart(page, 'plays', 'date', days);
  await expectLists(page, days, { isAll: true });
  expect(complaints).toEqual([]);
});

test('the page of a video has the figures and the curve of that video', {
  tags: 'long',
}, async () => {
  const page = await stage().open(`/videos/${kites}?period=90d`);
  const days = `sdate=${day(89)}&edate=${day(0)}&compare=weekdays`;
  const ofVideo = `${days}&accessKey=${kites}`;
  await expectFigures(page, ofVideo);
  const [own, all] = await Promise.all([ofVideo, days].map((of) => query(`${of}&measures=plays`)));
  expect(Number(own?.totals.plays)).toBeLessThan(Number(all?.totals.plays));

  // A row filters the curve beside the film as well.
  await page.getByRole('link', { name: 'iOS', exact: true }).click();
  const filtered = `${ofVideo}&filters=os%3D%3DiOS`;
  await expectFigures(page, filtered);
  const panel = page.getByRole('region', { name: 'How far people watch' });
  await openTable(panel);
  const { data } = await stage().read<{ data: Retention }>(
    `${v2}/retention?${filtered.replace('&compare=weekdays', '')}`,
  );
  await expect
    .poll(() => panel.locator('tbody td:nth-of-type(1)').allTextContents())
    .toEqual(data.list.map(({ audience }) => String(audience)));
  expect(data.views).toBeLessThan(Number(own?.totals.plays));
});

test('dates, a comparison and intervals are chosen, and are what is asked', async () => {
  const { page, complaints } = await stage().visitAsOwner();
  await page.goto('/?measure=playMs');
  await page.getByLabel('Period', { exact: true }).selectOption('Other dates');
  await page.getByLabel('First day').fill(day(100));
  await page.getByLabel('Last day').fill(day(3));
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  const dates = `sdate=${day(100)}&edate=${day(3)}`;
  await page.getByLabel('Compare with').selectOption('Year before');
  await expectFigures(page, `${dates}&compare=year`);
  const change = page.locator('.figure-cell').first().locator('.change');
  const { totals } = await query(`${dates}&compare=year&measures=plays`);
  await expect.poll(() => change.textContent()).toContain(formats.change(changeIn(totals)));
  await page.getByRole('button', { name: 'Month', exact: true }).click();
  await expectChart(page, 'playMs', 'month', `${dates}&compare=year`);
  await page
    .getByRole('button', { name: /^Share seen/ })
    .first()
    .click();
  await page.getByLabel('Compare with').selectOption('No comparison');
  await page.getByLabel('First day').fill(day(12));
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.getByRole('button', { name: 'Hour', exact: true }).click();
  // No hour has views enough for a share.
  const hours = page.getByRole('region', { name: 'Share seen over time' });
  await openTable(hours);
  await expect
    .poll(async () => new Set(await hours.locator('tbody td').allTextContents()))
    .toEqual(new Set(['–']));
  expect(await hours.locator('tbody tr').count()).toBe(240);
  expect(complaints).toEqual([]);
});

test('another video or package is drawn on the same chart, and what is usual behind both', async () => {
  const { page, complaints } = await stage().visitAsOwner();
  const chart = page.getByRole('region', { name: 'Plays over time' });
  const column = (name: string) => chart.locator(`tbody td[data-head="${name}"]`).allTextContents();
  const asked = 'measures=plays&dimensions=date&fill=zero&pageSize=1000';
  const plays = async (more: string, [from, to]: readonly [number, number] = [27, 0]) => {
    const range = `sdate=${day(from)}&edate=${day(to)}`;
    const { list } = await query(`${range}&${asked}&${more}`);
    return list.map((row) => [String(row.date), Number(row.plays)] as const);
  };
  const written = (list: Awaited<ReturnType<typeof plays>>) =>
    list.map(([, count]) => formats.number(count));
  await page.goto('/?period=28d');
  await openTable(chart);
  const choice = chart.getByLabel('Another video or package on the chart');
  const title = async () => (await choice.locator('option:checked').textContent()) ?? '';
  await choice.selectOption(`video:${kites}`);
  const ofKites = await plays(`accessKey=${kites}`);
  await expect.poll(async () => column(`Plays, ${await title()}`)).toEqual(written(ofKites));
  expect(new Set(written(ofKites)).size).toBeGreaterThan(1);
  const slider = chart.getByRole('slider');
  await slider.press('End');
  expect(await slider.getAttribute('aria-valuetext')).toContain(
    `, ${await title()}: ${ofKites.at(-1)?.[1]}`,
  );
  const both = (await plays('')).map(([date, count], at) => `${date},${count},${ofKites[at]?.[1]}`);
  const { text } = await saved(chart, 'CSV');
  expect(text.slice(1).trimEnd().split('\r\n')).toEqual([`date,plays,video:${kites}`, ...both]);
  await choice.selectOption(`package:${app}`);
  const ofApp = written(await plays(`packageId=${app}`));
  await expect.poll(async () => column(`Plays, ${await title()}`)).toEqual(ofApp);

  const before = new Map(await plays('', [27 + 56, 7]));
  const bands = (await plays('')).map(([date]) =>
    formats.between(usualBand(date, before), 'count'),
  );
  expect(new Set(bands).size).toBeGreaterThan(1);
  await expect.poll(() => column('Usual')).toEqual(bands);

  // Of a video, the other one takes its place, and a package narrows it.
  await page.goto(`/videos/${film}?period=28d&beside=video:${kites}`);
  await openTable(chart);
  await expect.poll(async () => column(`Plays, ${await title()}`)).toEqual(written(ofKites));
  await choice.selectOption(`package:${app}`);
  const ofBoth = written(await plays(`accessKey=${film}&packageId=${app}`));
  await expect.poll(async () => column(`Plays, ${await title()}`)).toEqual(ofBoth);
  // The service has no film of it, which the browser notes.
  expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);
});

test('rows filter the hours of the week as well, also those of labels; all are cleared', {
  tags: 'long',
}, async () => {
  const { page } = await stage().visitAsOwner();
  await page.goto('/?period=90d&compare=none');
  const days = `sdate=${day(89)}&edate=${day(0)}`;
  const labels = page.getByRole('region', { name: 'Labels' });
  await labels.getByRole('link', { name: 'second', exact: true }).click();
  await page.getByRole('link', { name: 'Windows', exact: true }).click();
  const filters = encodeURIComponent('label.series==second;os==Windows');
  await expectFigures(page, `${days}&filters=${filters}`);
  const { totals } = await query(`${days}&filters=${filters}&measures=plays`);
  const week = page.getByRole('region', { name: 'Plays by hour of the week' });
  await week.scrollIntoViewIfNeeded();
  await openTable(week);
  await expect
    .poll(async () => {
      const cells = await week.locator('tbody td').allTextContents();
      return cells.reduce((sum, text) => sum + (Number(text) || 0), 0);
    })
    .toBe(totals.plays);
  await page.getByRole('button', { name: 'Clear all' }).click();
  await expectFigures(page, days);
  expect(new URL(page.url()).searchParams.get('filters')).toBeNull();
});

test('all rows are sorted by any measure, both ways', { tags: 'long' }, async () => {
  const page = await stage().open('/?period=90d');
  const sources = page.getByRole('region', { name: 'Sources' });
  await sources.getByRole('button', { name: 'Show all 12' }).click();
  const table = page.getByRole('dialog').getByRole('table');
  const days = `sdate=${day(89)}&edate=${day(0)}`;
  for (const sort of ['-playMs', 'playMs', '-averageSeen']) {
    const measure = sort.replace('-', '') as Measure;
    const head = table.getByRole('columnheader', { name: en[`measure.${measure}`] });
    await head.getByRole('button').click();
    const asked = `dimensions=page&measures=${measures}&sort=${sort}`;
    const { list } = await query(`${days}&${asked}`);
    await expect
      .poll(() => table.locator('tbody th').allTextContents(), { message: sort })
      .toEqual(list.map((row) => row.page));
    const order = sort.startsWith('-') ? 'descending' : 'ascending';
    expect(await head.getAttribute('aria-sort')).toBe(order);
  }
});

test('lists go by the measure that is chosen', { tags: 'long' }, async () => {
  const page = await stage().open('/?period=90d&compare=none');
  const days = `sdate=${day(89)}&edate=${day(0)}`;
  for (const measure of measures) {
    const figure = page
      .locator('.figure')
      .filter({ has: page.locator(`[data-measure=${measure}]`) });
    await figure.click();
    await expectLists(page, days, { measure });
  }
});

test('what is shown is written as in Korea to whoever reads Korean', { tags: 'long' }, async () => {
  const { page } = await stage().visitAsOwner({ locale: 'ko-KR' });
  await page.goto('/?period=90d&measure=playMs');
  const korean = createFormats('ko-KR');
  const days = `sdate=${day(89)}&edate=${day(0)}&compare=weekdays`;
  await expectFigures(page, days, korean);
  const { totals } = await query(`${days}&measures=plays`);
  const change = page.locator('.figure-cell .change').first();
  expect(await change.textContent()).toContain(korean.change(changeIn(totals)));
  const head = page.locator('.page-head p');
  expect(await head.textContent()).toContain(korean.range(day(89), day(0)));
});

const changeIn = (row: Row, measure: Measure = 'plays') =>
  (Number(row[measure]) - Number(row.previous?.[measure])) / Number(row.previous?.[measure]);

const addressesOfNineCountries = [
  ...['8.8.8.8', '133.11.0.1', '193.99.144.80', '212.58.244.20', '195.154.1.1'],
  ...['200.147.3.157', '139.130.4.5', '168.126.63.1', '151.1.1.1'],
];

test('beside countries stands who made their database, in the list of all of them too; a row of it filters the page', async () => {
  const { service, browser } = stage();
  const { key, addPackage, addVideo, publish } = await service.addAccount();
  const [packageId, accessKey] = [await addPackage(), await addVideo()];
  await publish(packageId, accessKey);
  const at = new Date(Date.now() - dayMs).toISOString();
  const play = { stretch: 0, at, playMs: 1_000, accessKey, packageId, userAgent: userAgents[0] };
  const plays = addressesOfNineCountries.map((address) => ({ ...play, view: address, address }));
  const sent = await service.send(plays, { 'x-api-key': key });
  expect(await sent.json()).toEqual({ accepted: plays.length, rejected: [] });
  await service.facts.rollUp();
  const { page } = await visitDashboard(browser, service, key);
  await page.goto('/');
  const card = page.getByRole('region', { name: 'Countries' });
  const attribution = 'IP Geolocation by DB-IP (https://db-ip.com), CC BY 4.0';
  await card.getByText(attribution).waitFor();
  expect(await page.getByText('DB-IP').count()).toBe(1);
  const days = `sdate=${day(27)}&edate=${day(0)}`;
  const { list } = await query(`${days}&measures=plays&dimensions=country`, key);
  const codes = list.map(({ country }) => String(country));
  const shown = () => card.locator('.row-name').allTextContents();
  await expect.poll(shown).toEqual(codes.slice(0, 8).map(formats.country));
  expect(codes).toEqual(expect.arrayContaining(['US', 'JP', 'KR', 'DE', 'GB']));
  await card.getByRole('button', { name: /all 9/ }).click();
  await page.getByRole('dialog').getByText(attribution).waitFor();
  await page.getByRole('dialog').getByRole('link', { name: 'Japan' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Countries: Japan', exact: true }).waitFor();
  await expect.poll(() => page.textContent('[data-measure=plays]')).toBe('1');
});

const days28 = () => `sdate=${day(27)}&edate=${day(0)}`;

/** Until when the answers to this page are complete, by the header of each, as a page writes it. */
function throughsOf(page: Page): ReadonlySet<string> {
  const found = new Set<string>();
  page.on('response', (response) => {
    const through = response.headers()['complete-through'];
    if (through) found.add(formats.moment(new Date(through), 'UTC'));
  });
  return found;
}

/** What stands in the explanation of this name, once it says all of that and until when it is so. */
async function explained(part: Locator, name: string, ...said: string[]): Promise<string> {
  const button = part.getByRole('button', { name: `About: ${name}`, exact: true });
  await openMenu(part, button);
  await button.click();
  const about = part.locator('.about');
  for (const text of [...said, 'Includes everything received until']) {
    await about.getByText(text).waitFor();
  }
  const text = (await about.textContent()) ?? '';
  return /received until ([^.]*)\./.exec(text)?.[1] ?? '';
}

test('the figures of the overview explain what they mean and rest on', {
  tags: 'long',
}, async () => {
  const { page } = await stage().visitAsOwner();
  const throughs = throughsOf(page);
  await page.goto('/');
  const { views = 0, positionedViews } = (await query(`${days28()}&measures=views,positionedViews`))
    .totals;
  const path = `${v2}/query?${days28()}&measures=viewers`;
  const { data } = await stage().read<{ data: { viewerBasis: Values } }>(path);
  const { named, daily, none } = data.viewerBasis;
  const { totals: known } = await query(`${days28()}&measures=views&filters=country!%3DUnknown`);
  const figures = page.getByRole('region', { name: 'Figures of the period' });
  const region = (name: string) => page.getByRole('region', { name, exact: true });
  const plays = 'Views whose playback really started, each counted once, when it started.';
  const all = 'Known for every view.';
  await region('Plays by hour of the week').scrollIntoViewIfNeeded();
  const promised = [
    await explained(figures, 'Plays', plays, all),
    await explained(figures, 'Playback time', 'Pauses, stalls and seeking are left out.', all),
    await explained(
      figures,
      'Viewers',
      'Distinct viewers over the whole period.',
      `${named} named by the page, ${daily} anonymous for a day`,
      `other ${none} counts`,
    ),
    await explained(figures, 'Average time', 'Playback time divided by plays.', all),
    await explained(
      figures,
      'Share seen',
      'How much of its video a view saw on average.',
      `Based on ${positionedViews} of ${views} views (100%)`,
    ),
    await explained(region('Plays over time'), 'Plays', plays, all),
    await explained(region('Content'), 'Content', 'The video that was played.', all),
    await explained(
      region('Countries'),
      'Countries',
      'looked up by the IP address, which is not',
      `Known for ${known.views} of ${views} views`,
    ),
    await explained(region('Plays by hour of the week'), 'Plays by hour of the week', plays, all),
  ];
  await expect.poll(() => [...throughs]).toEqual(expect.arrayContaining(promised));
});

test('the curve and the places where many leave explain what they mean and rest on', {
  tags: 'long',
}, async () => {
  const { page } = await stage().visitAsOwner();
  const throughs = throughsOf(page);
  await page.goto(`/videos/${film}`);
  const panel = page.getByRole('region', { name: 'How far people watch' });
  const { totals } = await query(`${days28()}&measures=views,positionedViews&accessKey=${film}`);
  const promised = await explained(
    panel,
    'How far people watch',
    'Audience: the share of views that saw at least some of a part.',
    'repeats included.',
    `Based on ${totals.positionedViews} of ${totals.views} views (100%)`,
  );
  await expect.poll(() => [...throughs]).toContain(promised);
  const leaving = panel.getByText('Up to three places where most viewers leave.');
  expect(await leaving.count()).toBe(0);
  await panel.getByRole('button', { name: 'About: Many leave at' }).click();
  await leaving.waitFor();
});

test('what plays now explains what it means, and until when it is so', {
  tags: 'long',
}, async () => {
  const { page } = await stage().visitAsOwner();
  const answers: (() => Promise<{ data: Live }>)[] = [];
  page.on('response', (response) => {
    if (new URL(response.url()).pathname.endsWith('/live')) answers.push(() => response.json());
  });
  await page.goto('/now');
  const now = page.locator('.now-count');
  const peaks = page.locator('.now > div').last();
  const promised = [
    await explained(now, 'playing now', 'reported to run within the last 15 seconds.'),
    await explained(
      peaks,
      'Most at once, by minute',
      'The largest number of players running at one instant of each minute.',
    ),
  ];
  const momentOf = async (read: (typeof answers)[number]) =>
    formats.moment(new Date((await read()).data.asOf), 'UTC');
  await expect
    .poll(() => Promise.all(answers.map(momentOf)))
    .toEqual(expect.arrayContaining(promised));
});
