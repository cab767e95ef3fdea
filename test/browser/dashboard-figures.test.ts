/** Each figure and row of the overview is the interface's, and explains what it means. */
import { expect, test } from 'vitest';
import type { Live } from '../../client/src/index.ts';
import { createFormats } from '../../dashboard/src/formats.ts';
import { measures, unitOf } from '../../dashboard/src/measures.ts';
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
import { useDashboard } from './use-dashboard.ts';

type Values = Record<string, number | string | null>;
interface Found {
  readonly totals: Values;
  readonly list: readonly (Values & { readonly previous: Values | null })[];
}

const dayMs = 86_400_000;
const v2 = '/report/statistics/video/v2';
const formats = createFormats('en-US');
const playCount = 60;
const systems = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/141.0.0.0',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) Version/17.4 Mobile Safari/604.1',
];
let film = '';

/** Of each list two values or more, played so often that no two of them are equal. */
const stage = useDashboard(async ({ service, account }) => {
  const { accountId, key } = account;
  const { folders, labels, packages, videos } = service.catalog;
  accepted(await labels.create(accountId, 'series'));
  const { folderId } = accepted(await folders.create(accountId, { folderName: 'Series' }));
  const fields = { packageName: 'App', packageType: 'VOD' } as const;
  const app = accepted(await packages.create(accountId, fields)).packageId;
  const site = await account.addPackage();
  film = await account.addVideo(12_000);
  const episode = { folderId, title: 'Kite', durationMs: 12_000 };
  const { accessKey: other } = accepted(await videos.create(accountId, episode));
  for (const accessKey of [film, other]) {
    for (const packageId of [app, site]) await account.publish(packageId, accessKey);
  }
  // Over for some time: a running day is compared with the same part of the one a week before.
  const endedMs = Date.now() - 60_000;
  const beacons = Array.from({ length: playCount }, (_, index) => {
    const playMs = 2_000 + 150 * index;
    const one = <Value>(every: number, rare: Value, usual: Value) =>
      index % every === 0 ? rare : usual;
    return {
      ...{ view: `view-${index}`, stretch: 0, position: 0, playMs, mediaMs: playMs },
      at: new Date(endedMs - dayMs * (1 + (index % 14))).toISOString(),
      accessKey: one(3, other, film),
      packageId: one(5, app, site),
      userAgent: one(4, systems[1], systems[0]),
      player: one(3, 'video.js/8.23.4', 'hls.js/1.7.2'),
      page: `https://${one(4, 'shop', 'video')}.example/${one(6, 'kites', 'boats')}`,
      referrer: one(5, 'https://search.example/?q=kite', 'https://news.example/today'),
      labels: { series: one(3, 'second', 'first') },
      address: one(4, '133.11.0.1', '8.8.8.8'),
    };
  });
  const sent = await service.send(beacons, { 'x-api-key': key });
  expect(await sent.json()).toEqual({ accepted: playCount, rejected: [] });
  await waitUntil(
    'all is counted',
    async () => (await ask(28, 'plays')).totals.plays === playCount,
  );
});

function range(days: number): string {
  const day = (before: number) => new Date(Date.now() - before * dayMs).toISOString().slice(0, 10);
  return `sdate=${day(days - 1)}&edate=${day(0)}`;
}

/** What the interface answers of the last days. */
async function ask(days: number, asked: string, more = ''): Promise<Found> {
  const path = `${v2}/query?${range(days)}&measures=${asked}${more}`;
  return (await stage().read<{ data: Found }>(path)).data;
}

test('every figure, change, point of the chart and row of a list is the interface’s', async () => {
  const { page, complaints } = await stage().visitAsOwner();
  const query = (asked: string, more = '') => ask(7, asked, `&compare=weekdays${more}`);
  const { totals } = await query(measures.join());
  const before = totals.previous as unknown as Record<string, number>;
  await page.goto('/?period=7d');
  await expect.poll(() => page.textContent('[data-measure=plays]')).toBe(String(totals.plays));
  for (const [index, measure] of measures.entries()) {
    const value = Number(totals[measure]);
    const cell = page.locator('.figure-cell').nth(index);
    await expect
      .poll(() => cell.locator('.figure-value').textContent())
      .toBe(formats.measure(value, unitOf[measure]));
    const change = formats.change((value - (before[measure] ?? 0)) / (before[measure] ?? 0));
    expect(await cell.locator('.change').textContent()).toContain(change);
  }

  const days = await query('plays', '&dimensions=date&fill=zero');
  const chart = page.getByRole('region', { name: 'Plays over time' });
  await chart.getByText('Show as table').click();
  await expect
    .poll(() => chart.locator('tbody td').allTextContents())
    .toEqual(days.list.flatMap(({ plays, previous }) => [`${plays}`, `${previous?.plays ?? 0}`]));

  const labels = labelCard(['label.series']);
  for (const card of [...cards, ...(labels ? [labels] : [])]) {
    await expectLists(page, card, (asked) => query('plays', `&pageSize=8&dimensions=${asked}`));
  }
  expect(complaints).toEqual([]);
});

async function expectLists(page: Page, card: Card, query: (asked: string) => Promise<Found>) {
  const panel = page.getByRole('region', { name: en[card.name], exact: true });
  for (const dimension of card.dimensions) {
    const { under, label, name } = dimension;
    const title = dimension.ownName ?? en[dimension.title];
    if (card.dimensions.length > 1) {
      await panel.getByRole('button', { name: title, exact: true }).click();
    }
    const { list } = await query(dimensionsAsked(dimension).join());
    expect(list.length, title).toBeGreaterThan(1);
    const named = (row: Values) =>
      [under, label ?? name].flatMap((member) => (member ? [String(row[member])] : []));
    const written = (text: string) => (name === 'country' ? formats.country(text) : text);
    await expect
      .poll(() => panel.locator('.row-name').allTextContents(), { message: title })
      .toEqual(list.map((row) => written(named(row).join(' '))));
    expect(await panel.locator('.row-value').allTextContents()).toEqual(
      list.map(({ plays }) => String(plays)),
    );
  }
}

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
  await part.getByRole('button', { name: `About: ${name}`, exact: true }).click();
  const about = part.locator('.about');
  for (const text of [...said, 'Complete: everything received until']) {
    await about.getByText(text).waitFor();
  }
  const text = (await about.textContent()) ?? '';
  return /received until (.*) is in it/.exec(text)?.[1] ?? '';
}

test('the figures of the overview explain what they mean and rest on', async () => {
  const { page } = await stage().visitAsOwner();
  const throughs = throughsOf(page);
  await page.goto('/');
  const { views = 0, positionedViews } = (await ask(28, 'views,positionedViews')).totals;
  const path = `${v2}/query?${range(28)}&measures=viewers`;
  const { data } = await stage().read<{ data: { viewerBasis: Values } }>(path);
  const { named, daily, none } = data.viewerBasis;
  const { totals: known } = await ask(28, 'views', '&filters=country!%3DUnknown');
  const figures = page.getByRole('region', { name: 'Figures of the period' });
  const region = (name: string) => page.getByRole('region', { name, exact: true });
  const plays = 'Views whose playback really started, each counted once, when it started.';
  const all = 'Known of every view.';
  await region('Plays by hour of the week').scrollIntoViewIfNeeded();
  const promised = [
    await explained(figures, 'Plays', plays, all),
    await explained(figures, 'Playback time', 'without pauses, stalls and seeks.', all),
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
      `It rests on ${positionedViews} of ${views} views (100%)`,
    ),
    await explained(region('Plays over time'), 'Plays', plays, all),
    await explained(region('Content'), 'Content', 'The video that was played.', all),
    await explained(
      region('Countries'),
      'Countries',
      'found by the address, which is not',
      `Known of ${known.views} of ${views} views`,
    ),
    await explained(region('Plays by hour of the week'), 'Plays by hour of the week', plays, all),
  ];
  await expect.poll(() => [...throughs]).toEqual(expect.arrayContaining(promised));
});

test('the curve and the places where many leave explain what they mean and rest on', async () => {
  const { page } = await stage().visitAsOwner();
  const throughs = throughsOf(page);
  await page.goto(`/videos/${film}`);
  const panel = page.getByRole('region', { name: 'How far people watch' });
  const { totals } = await ask(28, 'views,positionedViews', `&accessKey=${film}`);
  const promised = await explained(
    panel,
    'How far people watch',
    'Audience: the share of views that saw any of a part.',
    'repeats included.',
    `It rests on ${totals.positionedViews} of ${totals.views} views (100%)`,
  );
  await expect.poll(() => [...throughs]).toContain(promised);
  const leaving = panel.getByText('Up to three places where most viewers leave.');
  expect(await leaving.count()).toBe(0);
  await panel.getByRole('button', { name: 'About: Many leave at' }).click();
  await leaving.waitFor();
});

test('what plays now explains what it means, and until when it is so', async () => {
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
