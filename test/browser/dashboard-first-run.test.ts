/** From nothing to the first counted play, with the dashboard alone; then who watches now. */
import { expect, test } from 'vitest';
import type { Live } from '../../client/src/index.ts';
import { cards } from '../../dashboard/src/filters/dimensions.ts';
import { createFormats } from '../../dashboard/src/formats.ts';
import { en } from '../../dashboard/src/messages/en.ts';
import { collectDemo } from '../../demo/data/collect-demo.ts';
import { createDemoAccount } from '../../demo/data/demo-account.ts';
import { findContentFolder } from '../../src/app/own-urls.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import type { BeaconsAnswer } from '../../src/wire/beacons/beacon.ts';
import { chooseList, expectAccessible, visitDashboard } from './dashboard.ts';
import { expectRoom, extremeScreens } from './page-layout.ts';
import { useDashboard } from './use-dashboard.ts';

const stage = useDashboard();
const windows = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/141.0.0.0' };

test('one flow leads from an empty account to the first counted play', async () => {
  const { service, browser } = stage();
  const { accounts, keys } = service.catalog;
  const { accountId } = accepted(await accounts.create({ name: 'New', timeZone: 'UTC' }));
  const scopes = ['stats:read', 'info:read', 'manage'] as const;
  const { secret } = accepted(await keys.create({ accountId, scopes }));
  const { page } = await visitDashboard(browser, service, secret);
  await page.goto('/');
  const guide = page.getByRole('region', { name: 'To your first counted play' });
  await guide.getByText('Waiting for the first play').waitFor();
  await guide.getByRole('link', { name: 'Add a video' }).click();

  // By the keyboard alone: from the title to the code.
  const dialog = page.getByRole('dialog', { name: 'Add a video' });
  await dialog.getByLabel('Title', { exact: true }).fill('The first one');
  await dialog.getByLabel(/^Length/).fill('1:65:00:00');
  await page.keyboard.press('Enter');
  await dialog.getByRole('alert').filter({ hasText: 'minutes and seconds' }).waitFor();
  await dialog.getByLabel(/^Length/).fill('1:05');
  await page.keyboard.press('Enter');
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await expect.poll(focused).toBe('Where is “The first one” played?');
  await expectAccessible(page, 'where it is played');
  await expectRoom(page, 'where it is played', extremeScreens);
  await dialog.getByLabel('Name of the package').fill('Site');
  await page.keyboard.press('Enter');
  await expect.poll(focused).toBe('Put the code into the page that plays “The first one”');
  const code = dialog.locator('code.block');
  const one = (await code.textContent()) ?? '';
  const [, videoKey = ''] = /data-video-key="([\w-]+)"/.exec(one) ?? [];
  await dialog.getByText('Waiting for the first play').waitFor();
  await expectAccessible(page, 'the code for its page', ['light', 'dark']);
  await expectRoom(page, 'the code for its page', extremeScreens);
  for (const [kind, text] of [
    ['Several videos', `<video src="film.mp4" data-video-key="${videoKey}" controls></video>`],
    ['A player of your own', `track(video, { url: '${service.url}', videoKey: '${videoKey}' });`],
  ] as const) {
    await dialog.getByRole('button', { name: kind }).click();
    expect(await code.textContent()).toContain(text);
  }
  const { list } = (await service.manage(secret, 'GET', '/videos')).body;
  expect(list).toMatchObject([{ title: 'The first one', duration: 65_000, packageCount: 1 }]);
  const { list: packages } = (await service.manage(secret, 'GET', '/packages')).body;
  expect(packages).toMatchObject([{ packageName: 'Site' }]);

  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('link', { name: 'Overview' }).click();
  await guide.getByText('Waiting for the first play').waitFor();
  await expect.poll(() => guide.locator('code').textContent()).toBe(one);
  const way = guide.getByRole('link', { name: 'Try it with the watch page' });
  expect(await way.getAttribute('href')).toBe(`/watch/${videoKey}`);

  // Answers of the page below that were asked for before the play, and come after it. The first
  // question is the one that shows the guide.
  let asked = 0;
  let held = 0;
  const late = Promise.withResolvers<void>();
  await page.route(/v2\/query\?.*playMs/, async (route) => {
    asked += 1;
    const isFirst = asked === 1;
    const response = await route.fetch();
    if (isFirst) return route.fulfill({ response });
    held += 1;
    await late.promise;
    await route.fulfill({ response }).catch(() => undefined);
  });
  await page.reload();
  await guide.getByText('Waiting for the first play').waitFor();
  await page.getByLabel('Period', { exact: true }).selectOption('Last 7 days');
  await expect.poll(() => held).toBeGreaterThan(0);

  const at = new Date(Date.now() - 10_000).toISOString();
  const beacon = { view: 'first', stretch: 0, at, playMs: 10_000, videoKey };
  await service.send([beacon], windows);
  await page.getByText('Counted plays: 1').waitFor();
  late.resolve();
  // The page below does not wait for somebody to load it again.
  await expect.poll(() => page.textContent('[data-measure="plays"]')).toBe('1');
});

test('the flow goes on where a video stands, and shows its first play when it comes', async () => {
  const { service, account, open } = stage();
  const accessKey = await account.addVideo();
  const page = await open(`/videos/${accessKey}`);
  await page.getByRole('link', { name: 'Put it on a page' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name of the package').fill('App');
  await dialog.getByRole('button', { name: 'Put it into the package' }).click();
  const code = (await dialog.locator('code.block').textContent()) ?? '';
  const [, videoKey] = /data-video-key="([\w-]+)"/.exec(code) ?? [];
  await dialog.getByText('Waiting for the first play').waitFor();
  const at = new Date(Date.now() - 10_000).toISOString();
  await service.send([{ view: 'one', stretch: 0, at, playMs: 10_000, videoKey }], windows);
  await dialog.getByRole('status').filter({ hasText: 'Counted plays: 1' }).waitFor();
  await dialog.getByRole('link', { name: 'Show its statistics' }).click();
  await expect.poll(() => page.textContent('[data-measure="plays"]')).toBe('1');
});

test('now shows who watches what, by the clock of the account, and moves by itself', {
  tags: 'long',
}, async () => {
  const { service, browser } = stage();
  const timeZone = 'Asia/Kathmandu';
  const account = await service.addAccount(timeZone);
  const packageId = await account.addPackage();
  const keys = [await account.addVideo(), await account.addVideo()];
  const [often = '', once = ''] = keys;
  for (const [index, key] of keys.entries()) {
    const title = `Film ${index}`;
    accepted(await service.catalog.videos.change(account.accountId, key, { title }));
    await account.publish(packageId, key);
  }
  /** Begun a while ago, and reported as running for minutes to come. */
  const watch = async (view: string, accessKey: string, sinceMs: number) => {
    const play = { view, stretch: 0, at: new Date(Date.now() - sinceMs).toISOString() };
    const watched = { accessKey, packageId, userAgent: windows['user-agent'] };
    const beacon = { ...play, ...watched, playMs: sinceMs + 280_000 };
    const sent = await service.send([beacon], { 'x-api-key': account.key });
    expect(await sent.json()).toEqual({ accepted: 1, rejected: [] });
  };
  await watch('first', often, 600_000);
  await watch('second', often, 300_000);
  await watch('third', once, 120_000);

  // The browser's own clock is hours behind that of the account.
  const { page, complaints } = await visitDashboard(browser, service, account.key, {
    timezoneId: 'America/New_York',
  });
  await page.goto('/now');
  await expect.poll(() => page.textContent('[data-now]')).toBe('3');
  const panel = page.getByRole('region', { name: 'playing now' });
  await panel.getByText('Show as table').click();
  const formats = createFormats('en-US');
  const written = (text: string) => text.replaceAll(/\s/g, ' ');
  const shown = async () => ({
    playing: await page.textContent('[data-now]'),
    videos: await page.getByRole('listitem').filter({ hasText: 'Film' }).allTextContents(),
    minutes: (await panel.locator('tbody tr').allTextContents()).map(written),
  });
  const live = async () => {
    const answer = await service.get('/report/statistics/video/v2/live', account.key);
    const { data } = (await answer.json()) as { data: Live };
    const { playing, videos, lastMinutes } = data;
    return {
      playing: String(playing),
      videos: videos.map((one) => `${one.videoTitle}${one.playing}`),
      minutes: lastMinutes.map(({ time, peak }) =>
        written(`${formats.clock(time, timeZone)}${peak}`),
      ),
    };
  };
  const agree = async () => expect(await shown()).toEqual(await live());
  await expect.poll(() => agree().then(() => true)).toBe(true);
  const { videos, minutes } = await live();
  expect(videos).toEqual(['Film 02', 'Film 11']);
  expect(minutes).toHaveLength(30);
  expect(new Set(minutes.map((text) => text.at(-1)))).toEqual(new Set(['0', '1', '2', '3']));

  await watch('fourth', once, 60_000);
  await watch('fifth', once, 60_000);
  await expect.poll(() => page.textContent('[data-now]')).toBe('5');
  await expect.poll(() => agree().then(() => true)).toBe(true);
  expect((await shown()).videos).toEqual(['Film 13', 'Film 02']);
  await page.getByRole('button', { name: 'Save or explain: By video' }).click();
  await page.getByRole('button', { name: 'About: By video' }).click();
  await page.getByText('The list shows the 20 most watched videos.').waitFor();
  expect(complaints).toEqual([]);
});

test('the demo is marked on every page, and has something to see everywhere, over a year', {
  tags: 'long',
}, async () => {
  const { service, browser } = stage();
  const { catalog, config, facts, url } = service;
  const content = { contentFolder: findContentFolder(config), publicUrl: url };
  const account = await createDemoAccount(catalog, content);
  const { accountId } = account;
  const scopes = ['collect:write', 'stats:read', 'manage'] as const;
  const { secret } = accepted(await catalog.keys.create({ accountId, scopes }));
  const plays = await collectDemo({
    ...{ account, plays: 4_000, seed: 1, clock: systemClock },
    signal: new AbortController().signal,
    noteProgress: () => {},
    collect: (beacons) => sendAll(beacons, secret),
  });
  await facts.rollUp();
  const { page, complaints } = await visitDashboard(browser, service);
  await page.goto(`/#sign-in=${await catalog.sessions.createLink(account.keyId)}`);
  const places = page.getByRole('navigation', { name: 'Pages' });
  for (const place of ['Overview', 'Now', 'Quality', 'Library', 'Settings']) {
    await places.getByRole('link', { name: place }).click();
    await page.getByRole('heading', { level: 1, name: place }).waitFor();
    for (const width of [360, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await page.getByText('Demo: invented films and plays', { exact: true }).waitFor();
    }
  }

  await page.goto('/?period=12mo&compare=none');
  const shown = async () =>
    Number((await page.textContent('[data-measure=plays]'))?.replace(',', ''));
  // Of the first day of its year a part is older than twelve months.
  await expect.poll(shown).toBeGreaterThan(0.95 * plays);
  const chart = page.getByRole('region', { name: 'Plays over time' });
  await chart.getByText('Show as table').click();
  const months = await chart.locator('tbody td').allTextContents();
  expect(months.length).toBeGreaterThanOrEqual(12);
  expect(months.filter((text) => text === '0')).toEqual([]);
  for (const { name, dimensions } of cards) {
    const card = page.getByRole('region', { name: en[name], exact: true });
    for (const { title } of dimensions) {
      if (dimensions.length > 1) await chooseList(card, en[title]);
      await expect
        .poll(() => card.locator('.row-name').count(), { message: title })
        .toBeGreaterThan(1);
    }
  }
  await page.goto('/settings/ledger');
  await page.getByRole('row').filter({ hasText: 'A bot played the video' }).waitFor();
  expect(complaints).toEqual([]);
});

const mostAtOnce = 500;

async function sendAll(beacons: readonly unknown[], key: string): Promise<BeaconsAnswer> {
  let accepted = 0;
  const rejected: BeaconsAnswer['rejected'][number][] = [];
  for (let start = 0; start < beacons.length; start += mostAtOnce) {
    const some = beacons.slice(start, start + mostAtOnce);
    const sent = await stage().service.send(some, { 'x-api-key': key });
    const answer = (await sent.json()) as BeaconsAnswer;
    accepted += answer.accepted;
    rejected.push(...answer.rejected);
  }
  return { accepted, rejected };
}
