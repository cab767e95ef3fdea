/** What is chosen on a page of statistics, and that it is then what the interface answers. */
import { expect, test } from 'vitest';
import type { Retention } from '../../client/src/index.ts';
import { createFormats } from '../../dashboard/src/formats.ts';
import { type Measure, measures, unitOf } from '../../dashboard/src/measures.ts';
import { en } from '../../dashboard/src/messages/en.ts';
import { cards, dimensionsAsked } from '../../dashboard/src/overview/dimensions.ts';
import { accepted } from '../../src/managing/accepted.ts';
import type { Locator, Page } from '../support/browser.ts';
import { waitUntil } from '../support/wait-until.ts';
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
    const playMs = 1_000 + 150 * index;
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

async function query(parameters: string) {
  type Answer = { data: { totals: Row; list: Row[] } };
  return (await stage().read<Answer>(`${v2}/query?${parameters}`)).data;
}

const written = (value: Values[string], measure: Measure) =>
  formats.measure(value as number | null | undefined, unitOf[measure]);

/** The figures of the page, and its chart as a table, are those that the interface has. */
async function expectFigures(page: Page, parameters: string): Promise<void> {
  const { totals } = await query(`${parameters}&measures=${measures}`);
  await expect
    .poll(() => page.locator('.figure-value').allTextContents(), { message: parameters })
    .toEqual(measures.map((measure) => written(totals[measure], measure)));
}

async function expectChart(page: Page, measure: Measure, interval: string, parameters: string) {
  const asked = `measures=${measure}&dimensions=${interval}&fill=zero&pageSize=1000`;
  const { list } = await query(`${parameters}&${asked}`);
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

/** The first list of each card. */
async function expectLists(page: Page, parameters: string, from = 0): Promise<void> {
  for (const { name, dimensions } of cards.slice(from)) {
    const [dimension] = dimensions;
    if (!dimension) continue;
    const asked = `measures=plays&pageSize=8&dimensions=${dimensionsAsked(dimension)}`;
    const { list } = await query(`${parameters}&${asked}`);
    const panel = page.getByRole('region', { name: en[name], exact: true });
    await expect
      .poll(() => panel.locator('.row-value').allTextContents(), { message: name })
      .toEqual(list.map(({ plays }) => String(plays)));
  }
}

test('the page of a video has the figures, the chart and the lists of that video', async () => {
  const page = await stage().open(`/videos/${kites}?period=90d`);
  const days = `sdate=${day(89)}&edate=${day(0)}&compare=weekdays`;
  const ofVideo = `${days}&accessKey=${kites}`;
  await expectFigures(page, ofVideo);
  await expectChart(page, 'plays', 'date', ofVideo);
  await expectLists(page, ofVideo, 1);
  const [own, all] = await Promise.all([ofVideo, days].map((of) => query(`${of}&measures=plays`)));
  expect(Number(own?.totals.plays)).toBeLessThan(Number(all?.totals.plays));

  // A row filters the curve beside the film as well.
  await page.getByRole('link', { name: 'iOS', exact: true }).click();
  const filtered = `${ofVideo}&filters=os%3D%3DiOS`;
  await expectFigures(page, filtered);
  await expectLists(page, filtered, 1);
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
  for (const [name, days] of [
    ['Today', 0],
    ['Last 7 days', 6],
    ['Last 90 days', 89],
  ] as const) {
    await period.selectOption(name);
    await expectFigures(page, `sdate=${day(days)}&edate=${day(0)}&compare=weekdays`);
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
    const before = Number((totals.previous as Values | null)?.plays);
    const more = (Number(totals.plays) - before) / before;
    await expect.poll(() => change.textContent()).toContain(formats.change(more));
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
