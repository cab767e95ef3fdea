/** What is chosen on a page of statistics, and that it is then what the interface answers. */
import { expect, test } from 'vitest';
import type { Retention } from '../../client/src/index.ts';
import { addDays, addMonths, todayIn } from '../../dashboard/src/calendar.ts';
import { createFormats, type Formats } from '../../dashboard/src/formats.ts';
import { type Measure, measures, unitOf } from '../../dashboard/src/measures.ts';
import { en } from '../../dashboard/src/messages/en.ts';
import {
  type Card,
  cards,
  dimensionsAsked,
  labelCard,
} from '../../dashboard/src/overview/dimensions.ts';
import { accepted } from '../../src/managing/accepted.ts';
import type { Locator, Page } from '../support/browser.ts';
import { waitUntil } from '../support/wait-until.ts';
import { visitDashboard } from './dashboard.ts';
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

/** Half a year of two films and two systems, and some of the year before. */
const playCount = 60;
let kites = '';
const stage = useDashboard(async ({ service, account }) => {
  const { accountId, key } = account;
  accepted(await service.catalog.labels.create(accountId, 'series'));
  const packageId = await account.addPackage();
  const films = [await account.addVideo(), await account.addVideo()];
  for (const film of films) {
    await account.publish(packageId, film);
    accepted(await service.catalog.videos.change(accountId, film, { durationMs: 12_000 }));
  }
  kites = films[0] ?? '';
  const beacons = Array.from({ length: playCount }, (_, index) => {
    const before = index < 50 ? 1 + 4 * index : 366 + 3 * (index - 50);
    const playMs = 2_000 + 150 * index;
    return {
      ...{ view: `view-${index}`, stretch: 0, playMs, position: 0, mediaMs: playMs, packageId },
      at: new Date(Date.now() - before * dayMs - (index % 5) * 3_600_000).toISOString(),
      ...{ accessKey: films[index % 3 === 0 ? 0 : 1], userAgent: userAgents[index % 2] },
      page: `https://example.com/${index % 12}`,
      labels: { series: index % 4 === 0 ? 'first' : 'second' },
    };
  });
  const sent = await service.send(beacons, { 'x-api-key': key });
  expect(await sent.json()).toMatchObject({ accepted: playCount });
  await waitUntil('all is counted', async () => {
    return (await query(`sdate=${day(500)}&edate=${day(0)}&measures=plays`)).totals.plays === 60;
  });
});

const day = (before: number) => new Date(Date.now() - before * dayMs).toISOString().slice(0, 10);

async function query(parameters: string, key = stage().account.key) {
  const answer = await stage().service.get(`${v2}/query?${parameters}`, key);
  return ((await answer.json()) as { data: { totals: Row; list: Row[] } }).data;
}

const written = (value: Values[string], measure: Measure, by = formats) =>
  by.measure(value as number | null | undefined, unitOf[measure]);

interface Reader {
  /** Of another account. */
  readonly key?: string;
  readonly formats?: Formats;
}

/** The figures of the page, and its chart as a table, are those that the interface has. */
async function expectFigures(page: Page, parameters: string, reader: Reader = {}): Promise<void> {
  const { totals } = await query(`${parameters}&measures=${measures}`, reader.key);
  await expect
    .poll(() => page.locator('.figure-value').allTextContents(), { message: parameters })
    .toEqual(measures.map((measure) => written(totals[measure], measure, reader.formats)));
}

async function expectChart(
  page: Page,
  measure: Measure,
  interval: string,
  parameters: string,
  key?: string,
) {
  const asked = `measures=${measure}&dimensions=${interval}&fill=zero&pageSize=1000`;
  const { list } = await query(`${parameters}&${asked}`, key);
  const chart = page.getByRole('region', { name: `${en[`measure.${measure}`]} over time` });
  await openTable(chart);
  const none = measure === 'averageSeen' ? null : 0;
  const cells = list.flatMap((row) => [
    written(row[measure], measure),
    ...(parameters.includes('compare') ? [written(row.previous?.[measure] ?? none, measure)] : []),
  ]);
  await expect
    .poll(() => chart.locator('tbody td').allTextContents(), { message: `${interval} ${measure}` })
    .toEqual(cells);
  expect(new Set(cells).size).toBeGreaterThan(1);
}

async function openTable(part: Locator): Promise<void> {
  const details = part.locator('details');
  if ((await details.getAttribute('open')) === null) await part.getByText('Show as table').click();
}

const allCards = [...cards, ...[labelCard(['label.series'])].filter((card) => card !== undefined)];

/** The first list of each card, by its names and what stands behind them. */
async function expectLists(
  page: Page,
  parameters: string,
  of: readonly Card[] = allCards,
  measure: Measure = 'plays',
): Promise<void> {
  for (const { name, dimensions } of of) {
    const [dimension] = dimensions;
    if (!dimension) continue;
    const asked = `measures=${measure}&pageSize=8&dimensions=${dimensionsAsked(dimension)}`;
    const { list } = await query(`${parameters}&${asked}`);
    const panel = page.getByRole('region', { name: en[name], exact: true });
    const rows = async () => ({
      names: await panel.locator('.row-name').allTextContents(),
      values: await panel.locator('.row-value').allTextContents(),
    });
    await expect.poll(rows, { message: `${name} ${measure}` }).toEqual({
      names: list.map((row) => row[dimension.label ?? ''] ?? row[dimension.name]),
      values: list.map((row) => written(row[measure], measure)),
    });
  }
}

test('the page of a video has the figures, the chart and the lists of that video', async () => {
  const page = await stage().open(`/videos/${kites}?period=90d`);
  const days = `sdate=${day(89)}&edate=${day(0)}&compare=weekdays`;
  const ofVideo = `${days}&accessKey=${kites}`;
  await expectFigures(page, ofVideo);
  await expectChart(page, 'plays', 'date', ofVideo);
  const [, ...others] = allCards;
  await expectLists(page, ofVideo, others);
  const [own, all] = await Promise.all([ofVideo, days].map((of) => query(`${of}&measures=plays`)));
  expect(Number(own?.totals.plays)).toBeLessThan(Number(all?.totals.plays));

  // A row filters the curve beside the film as well.
  await page.getByRole('link', { name: 'iOS', exact: true }).click();
  const filtered = `${ofVideo}&filters=os%3D%3DiOS`;
  await expectFigures(page, filtered);
  await expectChart(page, 'plays', 'date', filtered);
  await expectLists(page, filtered, others);
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

test('periods, comparisons, dates and intervals are chosen, and are what is asked', async () => {
  const { page, complaints } = await stage().visitAsOwner();
  await page.goto('/?measure=playMs');
  const period = page.getByLabel('Period', { exact: true });
  for (const [name, from] of [
    ['Today', day(0)],
    ['Last 7 days', day(6)],
    ['Last 28 days', day(27)],
    ['Last 90 days', day(89)],
    ['Last 12 months', addDays(addMonths(day(0), -12), 1)],
  ] as const) {
    await period.selectOption(name);
    await expectFigures(page, `sdate=${from}&edate=${day(0)}&compare=weekdays`);
  }
  await period.selectOption('Other dates');
  await page.getByLabel('First day').fill(day(100));
  await page.getByLabel('Last day').fill(day(3));
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  const dates = `sdate=${day(100)}&edate=${day(3)}`;
  await expectFigures(page, `${dates}&compare=weekdays`);
  const comparisons = { 'Previous period': 'previous', 'Year before': 'year' };
  for (const [name, compare] of Object.entries(comparisons)) {
    await page.getByLabel('Compare with').selectOption(name);
    await expectFigures(page, `${dates}&compare=${compare}`);
    const change = page.locator('.figure-cell').first().locator('.change');
    const { totals } = await query(`${dates}&compare=${compare}&measures=plays`);
    await expect.poll(() => change.textContent()).toContain(formats.change(changeIn(totals)));
  }
  for (const [name, interval] of [
    ['Month', 'month'],
    ['Week', 'week'],
    ['Day', 'date'],
  ] as const) {
    await page.getByRole('button', { name, exact: true }).click();
    await expectChart(page, 'playMs', interval, `${dates}&compare=year`);
  }
  await page
    .getByRole('button', { name: /^Share seen/ })
    .first()
    .click();
  await expectChart(page, 'averageSeen', 'date', `${dates}&compare=year`);
  await page.getByLabel('Compare with').selectOption('No comparison');
  await page.getByLabel('First day').fill(day(12));
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.getByRole('button', { name: 'Hour', exact: true }).click();
  await expectChart(page, 'averageSeen', 'hour', `sdate=${day(12)}&edate=${day(3)}`);
  expect(complaints).toEqual([]);
});

test('rows filter lists and the hours of the week, labels as well; all are cleared', async () => {
  const { page } = await stage().visitAsOwner();
  await page.goto('/?period=90d&compare=none');
  const days = `sdate=${day(89)}&edate=${day(0)}`;
  const labels = page.getByRole('region', { name: 'Labels' });
  await labels.getByRole('link', { name: 'second', exact: true }).click();
  await page.getByRole('link', { name: 'Windows', exact: true }).click();
  const filters = encodeURIComponent('label.series==second;os==Windows');
  await expectFigures(page, `${days}&filters=${filters}`);
  await expectLists(page, `${days}&filters=${filters}`);
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

test('all rows are sorted by any measure, both ways', async () => {
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

test('lists go by the measure that is chosen', async () => {
  const page = await stage().open('/?period=90d&compare=none');
  const days = `sdate=${day(89)}&edate=${day(0)}`;
  for (const measure of measures) {
    const figure = page
      .locator('.figure')
      .filter({ has: page.locator(`[data-measure=${measure}]`) });
    await figure.click();
    await expectLists(page, days, allCards, measure);
  }
});

test('what is shown is written as in Korea to whoever reads Korean', async () => {
  const { page } = await stage().visitAsOwner({ locale: 'ko-KR' });
  await page.goto('/?period=90d&measure=playMs');
  const korean = createFormats('ko-KR');
  const days = `sdate=${day(89)}&edate=${day(0)}&compare=weekdays`;
  await expectFigures(page, days, { formats: korean });
  const { totals } = await query(`${days}&measures=plays`);
  const change = page.locator('.figure-cell .change').first();
  expect(await change.textContent()).toContain(korean.change(changeIn(totals)));
  const head = page.locator('.page-head p');
  expect(await head.textContent()).toContain(korean.range(day(89), day(0)));
});

const changeIn = ({ plays, previous }: Row) =>
  (Number(plays) - Number(previous?.plays)) / Number(previous?.plays);

/** Plays of one film at these instants, in an account of its own, and its owner. */
async function addPlayed(plays: readonly { at: string; address?: string }[], timeZone?: string) {
  const account = await stage().service.addAccount(timeZone);
  const [packageId, accessKey] = [await account.addPackage(), await account.addVideo()];
  await account.publish(packageId, accessKey);
  const [userAgent] = userAgents;
  const beacons = plays.map((play, index) => ({
    ...{ view: `view-${index}`, stretch: 0, playMs: 1_000, accessKey, packageId, userAgent },
    ...play,
  }));
  const { service, browser } = stage();
  const sent = await service.send(beacons, { 'x-api-key': account.key });
  expect(await sent.json()).toEqual({ accepted: plays.length, rejected: [] });
  await service.facts.rollUp();
  // The browser's own clock is in another zone than the account.
  const options = { timezoneId: 'America/New_York' };
  const { page } = await visitDashboard(browser, service, account.key, options);
  return { page, key: account.key };
}

/** One whose day is not that of UTC at this moment; nor, there, are all hours of any day. */
const [farZone, farOffset] =
  new Date().getUTCHours() < 11
    ? ['Pacific/Pago_Pago', '-11:00']
    : ['Pacific/Kiritimati', '+14:00'];

test('days and hours are those of the account', async () => {
  const today = todayIn(farZone);
  const date = addDays(today, -2);
  const times = ['00:30', '23:30', '23:45'];
  const plays = times.map((time) => ({ at: `${date}T${time}:00${farOffset}` }));
  const { page, key } = await addPlayed(plays, farZone);
  const first = addDays(today, -6);
  await page.goto(`/?period=custom&from=${first}&to=${today}&compare=none`);
  const week = `sdate=${first}&edate=${today}`;
  await expectFigures(page, week, { key });
  await expectChart(page, 'plays', 'date', week, key);
  const cells = page.getByRole('region', { name: 'Plays over time' }).locator('tbody td');
  expect(await cells.allTextContents()).toEqual(['0', '0', '0', '0', '3', '0', '0']);
  await page.getByText(`, ${farZone}`).waitFor();

  const hours = page.getByRole('region', { name: 'Plays by hour of the week' });
  await hours.scrollIntoViewIfNeeded();
  await openTable(hours);
  const weekday = (new Date(date).getUTCDay() + 6) % 7;
  const ofDay = hours.locator('tbody tr').nth(weekday).locator('td');
  await expect
    .poll(async () => (await ofDay.allTextContents()).filter((text) => /[1-9]/.test(text)))
    .toEqual(['1', '2']);

  await page.goto(`/?period=custom&from=${date}&to=${date}&compare=none`);
  await expectChart(page, 'plays', 'hour', `sdate=${date}&edate=${date}`, key);
  const [firstHour, ...others] = await cells.allTextContents();
  expect([firstHour, others.at(-1), others.length]).toEqual(['1', '2', 23]);
});

test('a running day is compared with the same part of the day before', async () => {
  const now = Date.now();
  // Where it is about noon: the hours before and after are of the same day. Etc/GMT-5 is at +5.
  const ahead = 12 - new Date(now).getUTCHours() || 1;
  const timeZone = `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
  const at = (days: number, hours: number) => ({
    at: new Date(now - days * dayMs + hours * 3_600_000).toISOString(),
  });
  const plays = [
    at(0, -2),
    ...[at(1, -2), at(1, -2), at(1, 2), at(1, 2), at(1, 2)],
    ...[at(7, -2), at(7, -2), at(7, -2), at(7, -2), at(7, 2)],
  ];
  const { page, key } = await addPlayed(plays, timeZone);
  const today = `sdate=${todayIn(timeZone)}&edate=${todayIn(timeZone)}`;
  const before = { weekdays: -3 / 4, previous: -1 / 2 };
  for (const [compare, change] of Object.entries(before)) {
    await page.goto(`/?period=today&compare=${compare}`);
    await expectFigures(page, `${today}&compare=${compare}`, { key });
    const shown = page.locator('.figure-cell').first().locator('.change');
    await expect.poll(() => shown.textContent()).toContain(formats.change(change));
  }
});

const addressesOfNineCountries = [
  ...['8.8.8.8', '133.11.0.1', '193.99.144.80', '212.58.244.20', '195.154.1.1'],
  ...['200.147.3.157', '139.130.4.5', '168.126.63.1', '151.1.1.1'],
];

test('beside countries stands who made their database, in the list of all of them too', async () => {
  const at = new Date(Date.now() - dayMs).toISOString();
  const plays = addressesOfNineCountries.map((address) => ({ at, address }));
  const { page, key } = await addPlayed(plays);
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
  await page.getByRole('button', { name: 'Countries: Japan' }).waitFor();
  await expect.poll(() => page.textContent('[data-measure=plays]')).toBe('1');
});
