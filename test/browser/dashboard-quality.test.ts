/** What the dashboard shows of quality is what the interface answers, and says what is wrong, and for whom. */
import { expect, test } from 'vitest';
import type { Distribution, Live } from '../../client/src/index.ts';
import { createFormats } from '../../dashboard/src/formats.ts';
import { headlines, unitOf } from '../../dashboard/src/measures.ts';
import type { Page } from '../support/browser.ts';
import { expectAccessible, inBothLanguages, saved, visitDashboard } from './dashboard.ts';
import { expectRoom } from './page-layout.ts';
import { useDashboard } from './use-dashboard.ts';

const dayMs = 86_400_000;
const v2 = '/report/statistics/video/v2';
const formats = createFormats('en-US');
const android = 'Mozilla/5.0 (Linux; Android 15; SM-S921N) Chrome/141.0.0.0 Mobile Safari/537.36';
const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/141.0.0.0';
const [korea, america] = ['168.126.63.1', '8.8.8.8'];
/** On the bad day so many viewers of one group wait. */
const [badDay, badCount] = [3, 40];

interface Playback {
  readonly view: string;
  readonly daysAgo: number;
  readonly userAgent: string;
  readonly address: string;
  readonly mediaHost: string;
  readonly waitMs: number;
}

let film = '';
let packageId = 0;
const stage = useDashboard(async ({ service, account }) => {
  film = await account.addVideo();
  packageId = await account.addPackage();
  await account.publish(packageId, film);
  // Of 40 on each of 20 days.
  const others = Array.from({ length: 800 }, (_, index): Playback => {
    const ofDay = Math.floor(index / 20);
    return {
      ...{ view: `usual-${index}`, daysAgo: 1 + (index % 20), waitMs: 600 + ofDay * 10 },
      userAgent: ofDay % 3 === 0 ? android : windows,
      address: ofDay % 2 === 0 ? korea : america,
      mediaHost: index < 4 ? 'cdn3.example' : ofDay % 5 === 0 ? 'cdn2.example' : 'cdn1.example',
    };
  });
  const bad = Array.from(
    { length: badCount },
    (_, index): Playback => ({
      ...{ view: `bad-${index}`, daysAgo: badDay, waitMs: 5_000 + index },
      ...{ userAgent: android, address: korea, mediaHost: 'cdn2.example' },
    }),
  );
  await send([...others, ...bad].flatMap(beaconsOf));
  // One that waits now, and one whose player does not tell.
  const now = beaconsOf({ ...(others[0] as Playback), view: 'now', daysAgo: 0 });
  const [, silent = {}] = beaconsOf({ ...(others[0] as Playback), view: 'silent' });
  await send([...now, silent]);
  await service.facts.rollUp();

  async function send(beacons: readonly object[]): Promise<void> {
    for (let from = 0; from < beacons.length; from += 500) {
      const some = beacons.slice(from, from + 500);
      const sent = await service.send(some, { 'x-api-key': account.key });
      expect(await sent.json()).toEqual({ accepted: some.length, rejected: [] });
    }
  }
});

function beaconsOf({ view, daysAgo, waitMs, ...about }: Playback): object[] {
  const startMs = Date.now() - daysAgo * dayMs - 60_000;
  const common = { view, accessKey: film, packageId, ...about };
  return [
    {
      ...{ ...common, wait: 0, at: new Date(startMs).toISOString(), waitMs, cause: 'start' },
      outcome: 'played',
    },
    {
      ...{ ...common, stretch: 0, at: new Date(startMs + waitMs).toISOString(), playMs: 20_000 },
      ...{ position: 0, mediaMs: 20_000, mediaBits: 20_000 * 2_500 },
    },
  ];
}

const day = (before: number) => new Date(Date.now() - before * dayMs).toISOString().slice(0, 10);
const range = () => `sdate=${day(27)}&edate=${day(0)}`;

type Values = Readonly<Record<string, number | null>>;
interface Answer {
  readonly totals: Values;
  readonly list: readonly (Values & { readonly mediaHost?: unknown })[];
  readonly qualityBasis: { readonly attempts: number; readonly views: number };
}

const ask = async (parameters: string) =>
  (await stage().read<{ data: Answer }>(`${v2}/query?${parameters}`)).data;

const written = (values: Values) =>
  headlines.map((measure) => formats.measure(values[measure], unitOf[measure]));

async function expectFigures(page: Page, answer: Pick<Answer, 'totals' | 'qualityBasis'>) {
  const figures = page.locator('.six');
  await expect
    .poll(() => figures.locator('.figure-value').allTextContents())
    .toEqual(written(answer.totals));
  const { attempts, views } = answer.qualityBasis;
  const basis = attempts === views ? `all views: ${views}` : `${attempts} of ${views} views`;
  expect(new Set(await figures.locator('[data-basis]').allTextContents())).toEqual(
    new Set([basis]),
  );
}

test('figures, their basis, chart and spread are the interface’s', async () => {
  const { page, complaints } = await stage().visitAsOwner();
  await page.goto('/quality?compare=none');
  const whole = await ask(`${range()}&measures=${headlines}`);
  expect(whole.qualityBasis).toEqual({ attempts: 841, views: 842 });
  await expectFigures(page, whole);

  const chart = page.getByRole('region', { name: 'Slow start (p95) over time' });
  await chart.getByLabel('Measure of the chart').selectOption('attempts');
  const attempts = page.getByRole('region', { name: 'Attempts to play over time' });
  await attempts.getByText('Show as table').click();
  const days = await ask(`${range()}&measures=attempts&dimensions=date&fill=zero&pageSize=1000`);
  await expect
    .poll(() => attempts.locator('tbody td').allTextContents())
    .toEqual(days.list.map((row) => formats.number(row.attempts ?? 0)));
  expect(new URL(page.url()).searchParams.get('measure')).toBe('attempts');

  const spread = page.getByRole('region', { name: 'How long starting takes' });
  const { data } = await stage().read<{ data: Distribution }>(
    `${v2}/distribution?${range()}&measure=startupMs`,
  );
  await expect
    .poll(() => spread.locator('.mark-text').allTextContents())
    .toEqual([`Half: ${formats.wait(data.p50 ?? 0)}`, `95%: ${formats.wait(data.p95 ?? 0)}`]);
  await spread.getByText('Show as table').click();
  const counts = async () => {
    const texts = await spread.locator('tbody td:nth-of-type(1)').allTextContents();
    return texts.map(Number).filter((count) => count > 0);
  };
  const held = data.list.map(({ views }) => views).filter((views) => views > 0);
  await expect.poll(counts).toEqual(held);
  const csv = await saved(spread, 'CSV');
  expect(csv.name).toBe(`startup-${day(27)}-${day(0)}.csv`);
  expect(csv.text).toMatch(/^\ufefffrom,to,views\r\n/);
  expect((await saved(spread, 'SVG')).text).toContain('>How long starting takes<');
  const bars = spread.getByRole('slider');
  await bars.focus();
  await page.keyboard.press('End');
  expect(await bars.getAttribute('aria-valuetext')).toMatch(/^\d.* to .*: 0 \(0%\)$/);
  await page.keyboard.press('Home');
  expect(await bars.getAttribute('aria-valuenow')).toBe('0');
  expect(complaints).toEqual([]);
});

test('the bad day is named with its cause, and both lead to its figures', async () => {
  const { page, complaints } = await stage().visitAsOwner();
  await page.goto('/quality');
  const panel = page.getByRole('region', { name: 'What is wrong, and for whom' });
  const first = panel.getByRole('listitem').first();
  const date = formats.time(day(badDay), 'date', 'long');
  const who = 'Viewers with Android in South Korea served by cdn2.example';
  await first.getByText(`On ${date}: ${who}`).waitFor();
  const conditions = 'os==Android;country==KR;mediaHost==cdn2.example';
  const ofDay = `sdate=${day(badDay)}&edate=${day(badDay)}`;
  const group = await ask(
    `${ofDay}&filters=${encodeURIComponent(conditions)}&measures=startupMs,${headlines}`,
  );
  expect(await first.textContent()).toContain(
    `(${formats.wait(group.totals.startupMs ?? 0)} on average, others`,
  );
  await first.getByRole('link', { name: 'Show these viewers alone' }).click();
  await expectFigures(page, group);
  const { searchParams } = new URL(page.url());
  expect(searchParams.get('filters')).toBe(conditions);
  await page.goBack();
  await first.getByRole('link', { name: 'Show this day' }).click();
  await expectFigures(page, await ask(`${ofDay}&measures=${headlines}`));
  // Of a day alone the group is named without it.
  await panel.getByText(who, { exact: true }).waitFor();
  expect(complaints).toEqual([]);
});

test('groups are compared in any order, those of a few attempts at the end', async () => {
  const page = await stage().open('/quality?compare=none');
  const table = page.getByRole('region', { name: 'Compare groups' });
  const names = () => table.locator('tbody th').allTextContents();
  await expect.poll(names).toEqual(['cdn2.example', 'cdn1.example', 'cdn3.example']);
  const last = table.locator('tbody tr').last();
  expect(await last.getAttribute('class')).toBe('quiet');
  await table.getByText('Groups of fewer than 20 attempts are not ranked').waitFor();
  const { list } = await ask(`${range()}&measures=attempts,${headlines}&dimensions=mediaHost`);
  const cells = await table.locator('tbody tr').nth(1).locator('td').allTextContents();
  const row = list.find((one) => one.mediaHost === 'cdn1.example') ?? {};
  expect(cells.slice(1)).toEqual(written(row as Values));
  expect(cells[0]).toBe(
    `${formats.number(Number(row.attempts))}${formats.share(Number(row.attempts) / 841)}`,
  );
  await table.getByRole('button', { name: 'Slow start (p95)' }).press('Enter');
  await expect.poll(names).toEqual(['cdn1.example', 'cdn2.example', 'cdn3.example']);
  await table.getByRole('button', { name: 'Errors' }).press('Enter');
  await table.getByText('No view ended with an error in this period.').waitFor();
  await table.getByRole('button', { name: 'Countries' }).press('Enter');
  await table.getByRole('link', { name: 'South Korea' }).press('Enter');
  const filters = encodeURIComponent('country==KR');
  await expectFigures(page, await ask(`${range()}&filters=${filters}&measures=${headlines}`));
});

test('groups are whole beside each other at 1,024 px, with what they are compared with', async () => {
  const page = await stage().open('/quality');
  await page.setViewportSize({ width: 1_024, height: 768 });
  const table = page.getByRole('region', { name: 'Compare groups' });
  await table.locator('.change').first().waitFor();
  const outOfSight = () =>
    table.locator('.scroll').evaluate((node) => node.scrollWidth - node.clientWidth);
  await expect.poll(outOfSight).toBe(0);
});

test('a video and the last half hour have the same figures', async () => {
  const { page, complaints } = await stage().visitAsOwner();
  await page.goto(`/videos/${film}`);
  await expectFigures(page, await ask(`${range()}&accessKey=${film}&measures=${headlines}`));
  const part = page.getByRole('region', { name: 'Did it start, and did it run' });
  await part.locator('.mark-text').first().waitFor();
  await part.getByRole('link', { name: 'More about quality' }).click();
  await page.getByRole('heading', { level: 1, name: 'Quality' }).waitFor();
  expect(new URL(page.url()).searchParams.get('filters')).toBe(`video==${film}`);

  await page.goto('/now');
  const { data } = await stage().read<{ data: Live }>(`${v2}/live`);
  const { qualityBasis, since: _, ...totals } = data.quality;
  expect(qualityBasis.attempts).toBe(1);
  await expectFigures(page, { totals, qualityBasis });
  // The service has no file of the film.
  expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);
});

test('where nothing tells how it waits, the page says who would', async () => {
  const { service, browser } = stage();
  const other = await service.addAccount();
  const key = await other.addVideo();
  const videoKey = await other.publish(await other.addPackage(), key);
  const { page, complaints } = await visitDashboard(browser, service, other.key);
  await page.goto('/quality');
  await page.getByText('To your first counted play').waitFor();
  const at = new Date(Date.now() - 60_000).toISOString();
  await service.send([{ view: 'old', stretch: 0, at, playMs: 5_000, videoKey }], {
    'user-agent': windows,
  });
  await service.facts.rollUp();
  await page.reload();
  await page.getByText('No view of this period reported how long it waited').waitFor();
  const link = page.getByRole('link', { name: 'What each player reports' });
  expect(await link.getAttribute('href')).toBe('/docs/guide/players#who-tells-what');
  await expectAccessible(page);
  await expectRoom(page, 'without quality');
  expect(complaints).toEqual([]);
});

for (const [locale, tags] of inBothLanguages) {
  test(`the page is for everybody, and has room, in ${locale}`, { tags }, async () => {
    const { page, quiet } = await stage().visitAsOwner({ locale });
    await page.setViewportSize({ width: 360, height: 900 });
    await page.goto('/quality');
    await page.locator('.findings li').first().waitFor();
    await page.locator('.groups tbody tr').first().waitFor();
    await page.locator('.figures .explain').last().click();
    for (const one of await page.locator('.panel .explain').all()) await one.click();
    await quiet();
    await expectAccessible(page, locale, ['light', 'dark']);
    await expectRoom(page, locale);
  });
}
