/** What the dashboard shows of statistics is what the interface answers. */
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Retention } from '../../client/src/index.ts';
import { createFormats } from '../../dashboard/src/formats.ts';
import { measures } from '../../dashboard/src/measures.ts';
import { findContentFolder } from '../../src/app/own-urls.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import type { Locator } from '../support/browser.ts';
import type { TestAccount, TestService } from '../support/service.ts';
import { waitUntil } from '../support/wait-until.ts';
import { saved, visitDashboard } from './dashboard.ts';
import { useDashboard } from './use-dashboard.ts';

const dayMs = 86_400_000;
const v2 = '/report/statistics/video/v2';
const systems = {
  Windows: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/141.0.0.0',
  iOS: 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) Version/17.4 Mobile Safari/604.1',
};

let service: TestService;
let account: TestAccount;
let accessKey: string;

const stage = useDashboard(async (prepared) => {
  ({ service, account } = prepared);
  accessKey = await addFilm();
  await play(accessKey);
});

/** The clip, in a package, with its file. */
async function addFilm(): Promise<string> {
  const key = await account.addVideo();
  await account.publish(await account.addPackage(), key);
  const { videos } = service.catalog;
  accepted(await videos.change(account.accountId, key, { durationMs: 12_000 }));
  const { videoId } = (await videos.find(account.accountId, key)) ?? {};
  const folder = findContentFolder(service.config);
  await mkdir(folder, { recursive: true });
  const clip = join(import.meta.dirname, '../../demo/clip.mp4');
  await copyFile(clip, join(folder, `${videoId}.mp4`));
  return key;
}

/** Three views on Windows and one with iOS on each of ten days; those of the last begin again. */
async function play(key: string): Promise<void> {
  const { list } = await ask<{ list: { packageId: number }[] }>('/manage/v1/packages');
  const packageId = list.at(-1)?.packageId ?? 0;
  // Over for some time: a running day is compared with the same part of the one a week before.
  const endedMs = Date.now() - 30_000;
  const beacons = Array.from({ length: 40 }, (_, index) => {
    const playMs = 2_000 + 200 * index;
    return {
      ...{ view: `view-${index}`, stretch: 0, accessKey: key, packageId, playMs },
      at: new Date(endedMs - dayMs * (1 + Math.floor(index / 4))).toISOString(),
      ...{ position: 0, mediaMs: playMs },
      userAgent: index % 4 === 3 ? systems.iOS : systems.Windows,
      page: 'https://example.com/watch',
    };
  });
  const again = beacons.slice(0, 4).map((beacon) => ({
    ...{ ...beacon, stretch: 1, at: new Date(Date.parse(beacon.at) + 20_000).toISOString() },
    ...{ playMs: 1_000, mediaMs: 1_000 },
  }));
  const sent = await service.send([...beacons, ...again], { 'x-api-key': account.key });
  expect(await sent.json()).toEqual({ accepted: 44, rejected: [] });
  const [from, to] = range();
  const bySystem = `${v2}/query?sdate=${from}&edate=${to}&measures=plays&dimensions=os`;
  // In the sums, too: a page asks for its lists once.
  await waitUntil('all is counted', async () => {
    const { data } = await ask<{ data: { totals: { plays: number } } }>(bySystem);
    const counted = await figures(`sdate=${from}&edate=${to}`);
    return data.totals.plays === 40 && counted.plays === 40;
  });
}

/** The 28 days that the dashboard shows at first. */
function range(): [string, string] {
  const day = (before: number) => new Date(Date.now() - before * dayMs).toISOString().slice(0, 10);
  return [day(27), day(0)];
}

async function ask<Body>(path: string): Promise<Body> {
  return (await (await service.get(path, account.key)).json()) as Body;
}

/** What the button of this region saves: by its mark a spreadsheet reads it as UTF-8. */
async function savedCsv(region: Locator): Promise<{ name: string; text: string }> {
  const { name, text } = await saved(region, 'CSV');
  expect(text[0]).toBe('\ufeff');
  return { name, text: text.slice(1) };
}

/** The answer of the interface as CSV. */
async function csvOf(path: string, key = account.key): Promise<string> {
  const headers = { 'x-api-key': key, accept: 'text/csv' };
  return (await service.request(v2 + path, { headers })).text();
}

async function figures(parameters: string): Promise<Record<string, number>> {
  const answer = await ask<{ data: { totals: Record<string, number> } }>(
    `${v2}/query?${parameters}&measures=plays,playMs,viewers,averagePlayMs,averageSeen`,
  );
  return answer.data.totals;
}

test('CSV is the interface’s own', async () => {
  const { page } = await stage().visitAsOwner();
  await page.goto('/');
  const [sdate, edate] = range();
  const query = `sdate=${sdate}&edate=${edate}&compare=weekdays&measures=plays`;
  const chart = await savedCsv(page.getByRole('region', { name: 'Plays over time' }));
  expect(chart.text).toBe(await csvOf(`/query?${query}&dimensions=date&fill=zero`));
  expect(chart.name).toBe(`plays-date-${sdate}-${edate}.csv`);
  const list = await savedCsv(page.getByRole('region', { name: 'Devices' }));
  expect(list.text).toBe(await csvOf(`/query?${query}&dimensions=os`));
  expect(list.text).toMatch(/^os,plays,previous\.plays\r\nWindows,30,/);
  expect(list.name).toBe(`os-${sdate}-${edate}.csv`);
});

test('the retention curve is the interface’s, and seeks the film', async () => {
  const { page, complaints } = await stage().visitAsOwner();
  await page.goto(`/videos/${accessKey}`);
  const panel = page.getByRole('region', { name: 'How far people watch' });
  await panel.getByText('Show as table').click();
  const [sdate, edate] = range();
  const { data } = await ask<{ data: Retention }>(
    `${v2}/retention?accessKey=${accessKey}&sdate=${sdate}&edate=${edate}`,
  );
  const column = (index: number) =>
    panel.locator(`tbody td:nth-of-type(${index})`).allTextContents();
  const { list, positionedViews } = data;
  await expect.poll(() => column(1)).toEqual(list.map(({ audience }) => String(audience)));
  const formats = createFormats('en-US');
  expect(await column(2)).toEqual(list.map(({ watched }) => formats.number(watched)));
  // Some see the beginning twice.
  expect(Math.max(...list.map(({ watched }) => watched))).toBeGreaterThan(1);
  const audience = await heightsOf(panel, 'line');
  const watched = await heightsOf(panel, 'watched');
  const floor = Math.max(...audience);
  // All see the first part.
  const whole = floor - (audience[0] ?? 0);
  for (const [index, part] of list.entries()) {
    const share = part.audience / positionedViews;
    expect(floor - (audience[index] ?? 0)).toBeCloseTo(whole * share, 0);
    expect(floor - (watched[index] ?? 0)).toBeCloseTo(whole * part.watched, 0);
  }
  const csv = await savedCsv(panel);
  expect(csv.text).toBe(
    await csvOf(`/retention?accessKey=${accessKey}&sdate=${sdate}&edate=${edate}`),
  );
  expect(csv.name).toBe(`retention-${sdate}-${edate}.csv`);

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

  // From the second second on, one leaves every 0.2 s.
  const place = panel.getByRole('button', { name: '−100%' });
  expect(await place.textContent()).toBe('0:02–0:09 −100%');
  await place.click();
  await expect
    .poll(() => film.evaluate((video: HTMLVideoElement) => video.currentTime))
    .toBeCloseTo(2, 0);

  // The pointer reads the second, and a click goes there.
  const { width = 0 } = (await curve.boundingBox()) ?? {};
  const position = { x: width * 0.75, y: 100 };
  await curve.hover({ position });
  const read = Number(await curve.getAttribute('aria-valuenow'));
  expect(read).toBeGreaterThan(6);
  expect(await curve.getAttribute('aria-valuetext')).toMatch(/^0:\d\d: .*%/);
  await curve.click({ position });
  await expect
    .poll(() => film.evaluate((video: HTMLVideoElement) => Math.round(video.currentTime)))
    .toBe(read);
  expect(complaints).toEqual([]);
});

/** Of each point of a curve, from the top. */
async function heightsOf(panel: Locator, curve: string): Promise<number[]> {
  const drawn = (await panel.locator(`path.${curve}`).getAttribute('d')) ?? '';
  return [...drawn.matchAll(/[ML][\d.]+ ([\d.]+)/g)].map(([, y]) => Number(y));
}

test('all videos are listed, and searched by their titles', async () => {
  const other = await service.addAccount();
  const { folders, videos } = service.catalog;
  const { accountId } = other;
  const { folderId } = accepted(await folders.create(accountId, { folderName: 'Series' }));
  const packageId = await other.addPackage();
  const titles = [...Array.from({ length: 8 }, (_, index) => `Episode ${index}`), 'Kite, season 2'];
  const at = new Date(Date.now() - 60_000).toISOString();
  for (const title of titles) {
    const video = accepted(await videos.create(accountId, { folderId, title }));
    const videoKey = await other.publish(packageId, video.accessKey);
    const beacon = { view: title, stretch: 0, at, playMs: 5_000, videoKey };
    await service.send([beacon], { 'user-agent': systems.Windows });
  }
  await service.facts.rollUp();
  const { page } = await visitDashboard(stage().browser, service, other.key);
  await page.goto('/');
  await page.getByRole('button', { name: 'Show all 9' }).click();
  const dialog = page.getByRole('dialog');
  await expect.poll(() => dialog.locator('tbody tr').count()).toBe(9);
  await dialog.getByRole('searchbox').fill('KITE, sea');
  await expect.poll(() => dialog.locator('tbody th').allTextContents()).toEqual(['Kite, season 2']);
  await dialog.getByRole('searchbox').fill('no such title');
  await dialog.getByText('Nothing here contains “no such title”.').waitFor();
  await dialog.getByRole('button', { name: 'Clear the search' }).click();
  await expect.poll(() => dialog.locator('tbody tr').count()).toBe(9);
});

test('a thousand rows are shown at once, those in sight are drawn, and all are saved', async () => {
  const other = await service.addAccount();
  const packageId = await other.addPackage();
  const film = await other.addVideo();
  await other.publish(packageId, film);
  const rowCount = 1_020;
  // Of two days: a day has 1,000 pages.
  const beacons = Array.from({ length: rowCount }, (_, index) => ({
    ...{ view: `page-${index}`, stretch: 0, playMs: 1_000 + index, accessKey: film, packageId },
    at: new Date(Date.now() - 60_000 - (index % 2) * dayMs).toISOString(),
    ...{ page: `https://example.com/${index}`, userAgent: systems.Windows },
  }));
  for (let start = 0; start < rowCount; start += 500) {
    const some = beacons.slice(start, start + 500);
    const sent = await service.send(some, { 'x-api-key': other.key });
    expect(await sent.json()).toMatchObject({ accepted: some.length });
  }
  await service.facts.rollUp();
  const { page } = await visitDashboard(stage().browser, service, other.key);
  await page.goto('/?measure=playMs');
  await page.getByRole('button', { name: 'Show all 1,020' }).click();
  const dialog = page.getByRole('dialog');
  const table = dialog.getByRole('table');
  const names = () => table.locator('tbody th').allTextContents();
  await expect.poll(async () => (await names())[0]).toBe('example.com/1019');
  // As the list has them; nothing was played before.
  const first = await table.locator('[aria-rowindex="2"] td').allTextContents();
  const wholeMs = beacons.reduce((sum, { playMs }) => sum + playMs, 0);
  const share = createFormats('en-US').share((beacons.at(-1)?.playMs ?? 0) / wholeMs);
  expect(first[measures.indexOf('playMs')]).toBe(
    `2sShare ${share}–Too few plays before to compare with`,
  );
  expect(await table.getAttribute('aria-rowcount')).toBe('1001');
  expect((await names()).length).toBeLessThan(100);
  const scroll = dialog.locator('.scroll');
  await scroll.evaluate((node) => node.scrollTo(0, node.scrollHeight));
  await expect.poll(async () => (await names()).at(-1)).toBe('example.com/20');
  expect((await names()).length).toBeLessThan(100);
  const last = table.locator('[aria-rowindex="1001"]');
  expect(await last.locator('td').allTextContents()).toContain('1s');
  // In between as well, each row stands where its number says.
  await scroll.evaluate((node) => node.scrollTo(0, node.scrollHeight / 2));
  await table.getByText('example.com/520', { exact: true }).waitFor();
  await table.getByText('example.com/1019', { exact: true }).waitFor({ state: 'detached' });
  const lines = (await savedCsv(dialog)).text.trimEnd().split('\r\n');
  const before = measures.map((name) => `previous.${name}`);
  expect(lines[0]).toBe(['page', ...measures, ...before].join(','));
  expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(
    Array.from({ length: rowCount }, (_, index) => `example.com/${rowCount - 1 - index}`),
  );
  await dialog.getByRole('button', { name: 'Load more' }).click();
  await dialog.locator(`table[aria-rowcount="${rowCount + 1}"]`).waitFor();
  await scroll.evaluate((node) => node.scrollTo(0, node.scrollHeight));
  await expect.poll(async () => (await names()).at(-1)).toBe('example.com/0');
  expect(await dialog.getByRole('button', { name: 'Load more' }).count()).toBe(0);
});

test('two periods, then two packages, are compared in the retention panel', async () => {
  const packageId = await account.addPackage();
  await account.publish(packageId, accessKey);
  const beacons = Array.from({ length: 6 }, (_, index) => ({
    ...{ view: `other-${index}`, stretch: 0, accessKey, packageId, playMs: 3_000 },
    ...{ at: new Date(Date.now() - dayMs).toISOString(), position: 6_000, mediaMs: 3_000 },
    userAgent: systems.Windows,
  }));
  await service.send(beacons, { 'x-api-key': account.key });
  const day = (before: number) => new Date(Date.now() - before * dayMs).toISOString().slice(0, 10);
  const curve = async (from: number, to: number, more = '') => {
    const path = `${v2}/retention?accessKey=${accessKey}&sdate=${day(from)}&edate=${day(to)}${more}`;
    const { data } = await ask<{ data: Retention }>(path);
    return data;
  };
  // In the sums, too: they are what the packages to choose from are read from, once.
  const played = `${v2}/query?sdate=${day(5)}&edate=${day(0)}&measures=plays&dimensions=package`;
  await waitUntil('the other package counts', async () => {
    const { data } = await ask<{ data: { list: { package: number; plays: number }[] } }>(played);
    const isSummed = data.list.some((row) => row.package === packageId && row.plays === 6);
    return isSummed && (await curve(27, 0, `&packageId=${packageId}`)).views === 6;
  });
  const { page, complaints } = await stage().visitAsOwner();
  const period = `period=custom&from=${day(5)}&to=${day(1)}`;
  await page.goto(`/videos/${accessKey}?${period}`);
  const panel = page.getByRole('region', { name: 'How far people watch' });
  const column = (index: number) =>
    panel.locator(`tbody td:nth-of-type(${index})`).allTextContents();
  const audience = ({ list }: Retention) => list.map((part) => String(part.audience));
  const expectDrawn = async (path: string, { list, positionedViews }: Retention) => {
    const grid = await panel
      .locator('line.grid')
      .evaluateAll((lines) => lines.map((line) => Number(line.getAttribute('y1'))));
    const [none, all] = [Math.max(...grid), Math.min(...grid)];
    const heights = await heightsOf(panel, path);
    expect(heights).toHaveLength(list.length);
    for (const [index, part] of list.entries()) {
      const share = part.audience / positionedViews;
      expect(heights[index]).toBeCloseTo(none - share * (none - all), 0);
    }
  };
  await panel.getByText('Show as table').click();
  await panel.getByLabel('Compare the curve with').selectOption('Previous period');
  await expect.poll(() => column(3)).toEqual(audience(await curve(10, 6)));
  expect(await column(1)).toEqual(audience(await curve(5, 1)));
  await expectDrawn('line:not(.second)', await curve(5, 1));
  await expectDrawn('second', await curve(10, 6));
  await panel.getByRole('slider').focus();
  await page.keyboard.press('Home');
  expect(await panel.getByRole('slider').getAttribute('aria-valuetext')).toMatch(
    /^0:00: .* \d.*%, .* \d.*%$/,
  );

  await panel.getByLabel('Compare the curve with').selectOption(String(packageId));
  const other = await curve(5, 1, `&packageId=${packageId}`);
  const ofOther = audience(other);
  expect(ofOther.some((text) => text === '6')).toBe(true);
  await expect.poll(() => column(3)).toEqual(ofOther);
  await expectDrawn('second', other);
  expect(new URL(page.url()).searchParams.get('against')).toBe(String(packageId));
  const lines = (await savedCsv(panel)).text.trimEnd().split('\r\n');
  expect(lines[0]).toBe('sdate,edate,packageId,part,fromMs,toMs,audience,watched');
  const [days, ofPackage] = [`${day(5)},${day(1)}`, `&packageId=${packageId}`];
  const query = `/retention?accessKey=${accessKey}&sdate=${day(5)}&edate=${day(1)}`;
  const rows = async (more: string) => (await csvOf(query + more)).trimEnd().split('\r\n').slice(1);
  expect(lines.slice(1)).toEqual([
    ...(await rows('')).map((row) => `${days},,${row}`),
    ...(await rows(ofPackage)).map((row) => `${days},${packageId},${row}`),
  ]);
  expect(complaints).toEqual([]);
});

test('the hours of the week are those of the interface, and are saved', async () => {
  const { page, complaints } = await stage().visitAsOwner();
  await page.goto('/');
  const [sdate, edate] = range();
  const panel = page.getByRole('region', { name: 'Plays by hour of the week' });
  await panel.scrollIntoViewIfNeeded();
  await panel.getByText('Show as table').click();
  const plays: (readonly string[])[] = [];
  for (let weekday = 1; weekday <= 7; weekday += 1) {
    const filters = encodeURIComponent(`weekday==${weekday}`);
    const query = `sdate=${sdate}&edate=${edate}&measures=plays&dimensions=hourOfDay`;
    const csv = await csvOf(`/query?${query}&filters=${filters}&fill=zero`);
    const lines = csv.trimEnd().split('\r\n').slice(1);
    plays.push(lines.map((line) => line.split(',')[1] ?? ''));
  }
  expect(new Set(plays.flat()).size).toBeGreaterThan(1);
  const { name, text } = await savedCsv(panel);
  expect(name).toBe(`plays-week-${sdate}-${edate}.csv`);
  const hours = plays.flatMap((ofDay, day) =>
    ofDay.map((count, hour) => `${day + 1}-${String(hour).padStart(2, '0')},${count}`),
  );
  expect(text.trimEnd().split('\r\n')).toEqual(['hourOfWeek,plays', ...hours]);
  await expect
    .poll(async () => {
      const rows = await panel.locator('tbody tr').all();
      const cells = await Promise.all(rows.map((row) => row.locator('td').allTextContents()));
      return cells.map((row) => row.map((cell) => (/^\d/.test(cell) ? cell : '0')));
    })
    .toEqual(plays);
  const darkest = panel.locator('rect[data-shade="8"]').first();
  expect(await darkest.locator('title').textContent()).toMatch(/^\w{3} \d+\s[AP]M: \d+$/);
  const svg = (await saved(panel, 'SVG')).text;
  const shades = [...svg.matchAll(/<rect [^>]*rx="3"[^>]*fill="(rgb\([\d, ]+\))"/g)];
  expect(shades).toHaveLength(7 * 24);
  expect(new Set(shades.map(([, shade]) => shade)).size).toBeGreaterThan(1);
  expect(complaints).toEqual([]);
});

test('of a long film each second is read, and its hours of the week are its own', async () => {
  const { videos } = service.catalog;
  const key = await account.addVideo();
  const videoKey = await account.publish(await account.addPackage(), key);
  const fields = { title: 'The long walk', durationMs: 3_600_000 };
  accepted(await videos.change(account.accountId, key, fields));
  const at = new Date(Date.now() - dayMs).toISOString();
  const seen = { position: 0, mediaMs: 1_800_000, playMs: 1_800_000 };
  await service.send([{ view: 'long', stretch: 0, at, videoKey, ...seen }], {
    'user-agent': systems.Windows,
  });
  await service.facts.rollUp();
  const { page } = await stage().visitAsOwner();
  await page.goto(`/videos/${key}`);
  const curve = page.getByRole('slider', { name: 'How far people watch' });
  await curve.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  expect(await curve.getAttribute('aria-valuetext')).toMatch(/^0:01: 100% /);
  const { width = 0 } = (await curve.boundingBox()) ?? {};
  await curve.hover({ position: { x: width * 0.9, y: 100 } });
  expect(await curve.getAttribute('aria-valuetext')).toMatch(/^\d\d:\d\d: 0% /);
  const panel = page.getByRole('region', { name: 'How far people watch' });
  expect((await savedCsv(panel)).text.trimEnd().split('\r\n')).toHaveLength(1_001);

  const hours = page.getByRole('region', { name: 'Plays by hour of the week' });
  await hours.scrollIntoViewIfNeeded();
  await hours.locator('[data-shade="8"]').waitFor();
  expect(await hours.locator('.week rect:not([data-shade="0"])').count()).toBe(1);
  expect((await saved(hours, 'SVG')).text).toContain('>The long walk<');
});
