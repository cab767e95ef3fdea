/** What the dashboard shows of statistics is what the interface answers. */
import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accepted } from '../../src/managing/accepted.ts';
import { contentFolderOf } from '../../src/service.ts';
import { type Browser, type Page, startBrowser } from '../support/browser.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';
import { waitUntil } from '../support/wait-until.ts';
import { visitDashboard } from './dashboard.ts';

const dayMs = 86_400_000;
const v2 = '/report/statistics/video/v2';
const systems = {
  Windows: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/141.0.0.0',
  iOS: 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) Version/17.4 Mobile Safari/604.1',
};

let service: TestService;
let account: TestAccount;
let browser: Browser;
let accessKey: string;

beforeAll(async () => {
  [service, browser] = await Promise.all([startTestService(), startBrowser()]);
  account = await service.addAccount();
  accessKey = await addFilm();
  await play(accessKey);
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

/** The clip, in a package, with its file. */
async function addFilm(): Promise<string> {
  const key = await account.addVideo();
  await account.publish(await account.addPackage(), key);
  const { videos } = service.catalog;
  accepted(await videos.change(account.accountId, key, { durationMs: 12_000 }));
  const { videoId } = (await videos.find(account.accountId, key)) ?? {};
  const folder = contentFolderOf(service.config);
  await mkdir(folder, { recursive: true });
  const clip = join(import.meta.dirname, '../../demo/clip.mp4');
  await copyFile(clip, join(folder, `${videoId}.mp4`));
  return key;
}

/** Three views on Windows and one with iOS on each of ten days. */
async function play(key: string): Promise<void> {
  const { list } = await ask<{ list: { packageId: number }[] }>('/manage/v1/packages');
  const packageId = list.at(-1)?.packageId ?? 0;
  const beacons = Array.from({ length: 40 }, (_, index) => {
    const playMs = 2_000 + 200 * index;
    return {
      ...{ view: `view-${index}`, stretch: 0, accessKey: key, packageId, playMs },
      at: new Date(Date.now() - dayMs * (1 + Math.floor(index / 4))).toISOString(),
      ...{ position: 0, mediaMs: playMs },
      userAgent: index % 4 === 3 ? systems.iOS : systems.Windows,
      page: 'https://example.com/watch',
    };
  });
  const sent = await service.send(beacons, { 'x-api-key': account.key });
  expect(await sent.json()).toEqual({ accepted: 40, rejected: [] });
  const [from, to] = range();
  const counted = async () => (await figures(`sdate=${from}&edate=${to}`)).plays === 40;
  await waitUntil('all is counted', counted);
}

/** The 28 days that the dashboard shows at first. */
function range(): [string, string] {
  const day = (before: number) => new Date(Date.now() - before * dayMs).toISOString().slice(0, 10);
  return [day(27), day(0)];
}

async function ask<Body>(path: string): Promise<Body> {
  return (await (await service.get(path, account.key)).json()) as Body;
}

async function figures(parameters: string): Promise<Record<string, number>> {
  const measures = 'plays,playMs,viewers,averagePlayMs,averageSeen';
  const answer = await ask<{ data: { totals: Record<string, number> } }>(
    `${v2}/query?${parameters}&measures=${measures}`,
  );
  return answer.data.totals;
}

/** As the page writes them, read back. */
async function shown(page: Page): Promise<Record<string, string | null>> {
  const figure = (name: string) => page.textContent(`[data-measure=${name}]`);
  return { plays: await figure('plays'), viewers: await figure('viewers') };
}

test('figures, lists, filters, address and history agree with the interface', async () => {
  const { page, complaints, asked } = await visitDashboard(browser, service, account.key);
  await page.goto('/');
  const [from, to] = range();
  const all = await figures(`sdate=${from}&edate=${to}`);
  await expect.poll(() => shown(page)).toEqual({ plays: '40', viewers: String(all.viewers) });

  await page.getByRole('link', { name: 'iOS', exact: true }).click();
  await expect.poll(() => shown(page)).toMatchObject({ plays: '10' });
  expect(new URL(page.url()).searchParams.get('filters')).toBe('os==iOS');
  await page.getByRole('button', { name: 'Playback time' }).click();
  const some = await figures(`sdate=${from}&edate=${to}&filters=os%3D%3DiOS`);
  expect(some.plays).toBe(10);
  await page.reload();
  await expect.poll(() => shown(page)).toMatchObject({ plays: '10' });
  const chart = page.getByRole('region', { name: 'Playback time over time' });
  await chart.getByText('Show as table').click();
  await expect.poll(() => chart.locator('tbody tr').count()).toBe(28);

  await page.goBack();
  await page.goBack();
  await expect.poll(() => shown(page)).toMatchObject({ plays: '40' });
  expect(complaints).toEqual([]);
  expect([...asked]).toEqual([service.url]);
});

test('CSV is the interface’s own', async () => {
  const { page } = await visitDashboard(browser, service, account.key);
  await page.goto('/');
  const chart = page.getByRole('region', { name: 'Plays over time' });
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    chart.getByRole('button', { name: 'CSV' }).click(),
  ]);
  const [sdate, edate] = range();
  const query = new URLSearchParams({
    ...{ sdate, edate, compare: 'previous', measures: 'plays', dimensions: 'date', fill: 'zero' },
  });
  const answer = await fetch(`${service.url}${v2}/query?${query}`, {
    headers: { 'x-api-key': account.key, accept: 'text/csv' },
  });
  expect(await readFile(await download.path(), 'utf8')).toBe(await answer.text());
  expect(download.suggestedFilename()).toBe(`plays-date-${sdate}-${edate}.csv`);
});

test('the retention curve is the interface’s, and seeks the film', async () => {
  const { page, complaints } = await visitDashboard(browser, service, account.key);
  await page.goto(`/videos/${accessKey}`);
  const panel = page.getByRole('region', { name: 'How far people watch' });
  await panel.getByText('Show as table').click();
  const [sdate, edate] = range();
  const { data } = await ask<{ data: { list: { audience: number }[] } }>(
    `${v2}/retention?accessKey=${accessKey}&sdate=${sdate}&edate=${edate}`,
  );
  await expect
    .poll(() => panel.locator('tbody td:nth-of-type(1)').allTextContents())
    .toEqual(data.list.map(({ audience }) => String(audience)));

  const film = page.locator('video.film');
  await expect
    .poll(() => film.evaluate((video: HTMLVideoElement) => video.readyState))
    .toBeGreaterThan(0);
  const curve = panel.getByRole('slider');
  await curve.focus();
  await page.keyboard.press('Home');
  for (let part = 0; part < 5; part += 1) await page.keyboard.press('PageUp');
  await page.keyboard.press('Enter');
  await expect
    .poll(() => film.evaluate((video: HTMLVideoElement) => video.currentTime))
    .toBeCloseTo(6, 1);
  expect(complaints).toEqual([]);
});

test('a first run waits for the first play and sees it; then it is playing now', async () => {
  const other = await service.addAccount();
  const videoKey = await other.publish(await other.addPackage(), await other.addVideo());
  const { page } = await visitDashboard(browser, service, other.key);
  await page.goto('/');
  const guide = page.getByRole('region', { name: 'To your first counted play' });
  expect(await guide.locator('code').textContent()).toContain('/tracker.js');
  await guide.getByText('Waiting for the first play').waitFor();
  const at = new Date(Date.now() - 10_000).toISOString();
  const beacon = { view: 'first', stretch: 0, at, playMs: 10_000, videoKey };
  await service.send([beacon], { 'user-agent': systems.Windows });
  await page.getByText('Counted plays: 1').waitFor();
  await page.getByRole('link', { name: 'Now', exact: true }).click();
  await expect.poll(() => page.textContent('[data-now]')).toBe('1');
});
