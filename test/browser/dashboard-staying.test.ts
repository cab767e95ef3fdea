/** What is open stays open: without a connection, with a service that was updated, or busy. */
import { expect, test } from 'vitest';
import type { Page } from '../support/browser.ts';
import { expectAccessible, openMenu } from './dashboard.ts';
import { expectRoom } from './page-layout.ts';
import { useDashboard } from './use-dashboard.ts';

const stage = useDashboard(async ({ service, account }) => {
  const packageId = await account.addPackage();
  const accessKey = await account.addVideo();
  await account.publish(packageId, accessKey);
  const at = new Date(Date.now() - 60_000).toISOString();
  const play = { view: 'view', stretch: 0, at, playMs: 5_000, accessKey, packageId };
  await service.send([{ ...play, userAgent: 'Windows NT 10.0' }], { 'x-api-key': account.key });
  await service.facts.rollUp();
});

const staleText = 'The page could not be refreshed';
const notFresh = (page: Page) => page.getByRole('status').filter({ hasText: staleText });

/** As if the reader came back to the tab after a while. */
async function comeBack(page: Page): Promise<void> {
  await page.clock.fastForward(60_000);
  await page.evaluate(() =>
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true })),
  );
}

test('a form that is half filled in outlives a connection', async () => {
  const page = await stage().open('/settings/packages');
  const name = page.locator('form.fields').getByLabel('Name').first();
  await name.fill('Half a name');
  const list = '**/manage/v1/packages?*';
  await page.route(list, (route) => route.abort());
  await page.getByLabel('New package').fill('Another');
  await page.getByRole('button', { name: 'Create' }).click();
  await notFresh(page).waitFor();
  expect(await name.inputValue()).toBe('Half a name');

  await page.unroute(list);
  await notFresh(page).getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'Another' }).waitFor();
  await notFresh(page).waitFor({ state: 'detached' });
  expect(await name.inputValue()).toBe('Half a name');
});

test.each([
  ['/', '[data-measure="plays"]'],
  ['/now', '[data-now]'],
  ['/library', '.records tbody tr'],
  ['/settings', '#name'],
  ['/settings/keys', '.records tbody tr'],
  ['/settings/audit', '.records tbody tr'],
])('%s stays as it was last read', async (path, shown) => {
  const { page } = await stage().visitAsOwner();
  await page.clock.install();
  await page.goto(path);
  await expect.poll(() => page.locator(shown).first().textContent()).not.toBe('\u00a0');
  // What is asked after the figures is there as well.
  await page.waitForLoadState('networkidle');
  const before = await page.locator(shown).first().textContent();
  const asked = /\/(report|manage)\//;
  await page.route(asked, (route) => route.abort());
  await comeBack(page);
  await notFresh(page).waitFor();
  expect(await notFresh(page).count()).toBe(1);
  expect(await page.locator(shown).first().textContent()).toBe(before);
  expect(await page.getByRole('alert').filter({ hasText: /./ }).count()).toBe(0);

  await page.unroute(asked);
  await notFresh(page).getByRole('button', { name: 'Try again' }).click();
  await notFresh(page).waitFor({ state: 'detached' });
});

test('where nothing was read yet, the page says why, and asks again', async () => {
  const { page } = await stage().visitAsOwner();
  const asked = '**/manage/v1/keys?*';
  await page.route(asked, (route) => route.abort());
  await page.goto('/settings/keys');
  const alert = page.getByRole('alert').filter({ hasText: 'The service cannot be reached.' });
  await alert.waitFor();
  await page.unroute(asked);
  await alert.getByRole('button', { name: 'Try again' }).click();
  await page.locator('.records tbody tr').first().waitFor();

  // Of all that a page asks for, one note stands for the whole.
  await page.route('**/report/**', (route) => route.abort());
  await page.goto('/?period=7d');
  await alert.waitFor();
  await page.waitForLoadState('networkidle');
  expect(await alert.count()).toBe(1);
  await page.unroute('**/report/**');
  await alert.getByRole('button', { name: 'Try again' }).click();
  const plays = page.getByRole('region', { name: 'Plays over time' });
  await plays.locator('path.running').waitFor();
  await page.getByRole('region', { name: 'Countries' }).locator('.row').first().waitFor();
  await alert.waitFor({ state: 'detached' });
});

test('what it says of that is for everybody', async () => {
  const { page } = await stage().visitAsOwner();
  await page.clock.install();
  const asked = /\/(report|manage)\//;
  for (const path of ['/', '/settings/keys']) {
    await page.route(asked, (route) => route.abort());
    await page.goto(path);
    const alerts = page.getByRole('alert').filter({ hasText: /./ });
    await alerts.first().waitFor();
    await page.waitForLoadState('networkidle');
    await expectAccessible(page, `${path}, not read`);
    await expectRoom(page, `${path}, not read`);
    await page.unroute(asked);
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    await page.route(asked, (route) => route.abort());
    await comeBack(page);
    await page.locator('.stale .note').waitFor();
    await expectAccessible(page, `${path}, not refreshed`);
    await expectRoom(page, `${path}, not refreshed`);
    await page.unroute(asked);
  }
});

test('figures of the days before are dimmed under their own dates, and the page says what it waits for', async () => {
  const { page } = await stage().visitAsOwner();
  const { list } = await stage().read<{ list: { accessKey: string }[] }>('/manage/v1/videos');
  await page.clock.install();
  const still = page.getByText(/^Still showing /);
  const late = page.getByRole('status').filter({ hasText: 'Until then, dimmed figures' });
  const question = /\/report\//;
  for (const [path, colorScheme] of [
    ['/?period=7d', 'light'],
    [`/videos/${list[0]?.accessKey}?period=7d`, 'dark'],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto(path);
    await page.getByRole('region', { name: 'Countries' }).locator('.row').first().waitFor();
    await page.getByRole('region', { name: 'hour of the week' }).scrollIntoViewIfNeeded();
    await page.locator('[data-shade="8"]').waitFor();
    const [before] =
      (await page.locator('.page-head .quiet').innerText()).match(/\w+ \d+ – [^,]+, \d+/) ?? [];
    const colors = () =>
      page
        .locator('.figure-value')
        .first()
        .evaluate((one) => getComputedStyle(one).color);
    const color = await colors();

    // What had not come yet would have nothing to keep.
    await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0);
    const letGo = await hold(page, question);
    await page.getByLabel('Period', { exact: true }).selectOption('90d');
    // Figures, chart, each list, the hours of the week.
    const panels = await page.locator('.figures, .panel:has(svg[data-chart], .row)').count();
    await expect.poll(() => still.count()).toBe(panels);
    expect(new Set(await still.allTextContents())).toEqual(new Set([`Still showing ${before}`]));
    await expect.poll(colors).not.toBe(color);
    expect(await late.count()).toBe(0);
    await page.clock.fastForward(3_000);
    await late.filter({ hasText: 'taking longer than usual' }).waitFor();
    await expectAccessible(page, `${path}, late`, [colorScheme]);
    await page.evaluate(() => scrollTo(0, 0));
    await expectRoom(page, `${path}, late`);
    letGo();
    await late.waitFor({ state: 'detached' });
    await expect.poll(() => still.count()).toBe(0);
    await expect.poll(colors).toBe(color);
    await page.unroute(question);
  }
});

test('while the statistics are not ready, the page says so and goes on asking', async () => {
  const { page } = await stage().visitAsOwner();
  await page.clock.install();
  await page.goto('/?period=7d');
  await expect.poll(() => page.textContent('[data-measure="plays"]')).toBe('1');
  const question = /\/report\//;
  const refusal = { code: 'UNAVAILABLE', message: 'The statistics store is not ready' };
  await page.route(question, (route) =>
    route.fulfill({ status: 503, headers: { 'retry-after': '20' }, json: refusal }),
  );
  await page.getByLabel('Period', { exact: true }).selectOption('90d');
  await page.getByText('Still showing').first().waitFor();
  await page.clock.fastForward(3_000);
  const late = page.getByRole('status').filter({ hasText: 'The statistics are not ready.' });
  await late.filter({ hasText: 'The page keeps trying.' }).waitFor();
  await page.unroute(question);
  await page.clock.fastForward(21_000);
  await late.waitFor({ state: 'detached' });
  await expect.poll(() => page.textContent('[data-measure="plays"]')).toBe('1');
});

test('hours of the week that cannot be read are no hours without plays', async () => {
  const { page } = await stage().visitAsOwner();
  const asked = /dimensions=hourOfWeek/;
  let times = 0;
  page.on('request', (request) => {
    if (asked.test(request.url())) times += 1;
  });
  await page.route(asked, (route) => route.abort());
  await page.goto('/');
  const map = page.getByRole('region', { name: 'Plays by hour of the week' });
  await map.scrollIntoViewIfNeeded();
  await map.getByRole('alert').filter({ hasText: 'The service cannot be reached.' }).waitFor();
  expect(await map.locator('rect').count()).toBe(7 * 24);
  expect(await map.locator('rect[data-shade], rect title').count()).toBe(0);
  await page.unroute(asked);
  times = 0;
  await map.getByRole('button', { name: 'Try again' }).click();
  await map.locator('[data-shade="8"]').waitFor();
  expect(await map.locator('[data-shade="0"]').count()).toBe(7 * 24 - 1);
  expect(times).toBe(1);
  await map.getByRole('alert').waitFor({ state: 'detached' });
});

test('the share seen that cannot be read leaves the other figures', async () => {
  const { page } = await stage().visitAsOwner();
  const asked = /measures=averageSeen/;
  await page.route(asked, (route) => route.abort());
  await page.goto('/');
  const figures = page.locator('.figures');
  await figures.getByRole('alert').filter({ hasText: 'The service cannot be reached.' }).waitFor();
  expect(await page.textContent('[data-measure="plays"]')).toBe('1');
  await page.unroute(asked);
  await figures.getByRole('button', { name: 'Try again' }).click();
  // The film has no length.
  await expect.poll(() => page.textContent('[data-measure="averageSeen"]')).toBe('–');
  await figures.getByText('shown from five views on').waitFor();
  await figures.getByRole('alert').waitFor({ state: 'detached' });
});

test('a page whose files are gone says so, and can be opened anew', async () => {
  const page = await stage().open('/');
  await page.locator('[data-measure="plays"]').waitFor();
  const file = '**/dashboard-assets/other-pages-*.js';
  await page.route(file, (route) => route.fulfill({ status: 404 }));
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('heading', { name: 'This page could not be opened' }).waitFor();
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.locator('[data-measure="plays"]').waitFor();
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.unroute(file);
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByLabel('Name').waitFor();
});

/** What is asked under such paths waits until it is let go, and is passed to `notice`. */
async function hold(page: Page, asked: RegExp, notice = (_method: string) => {}) {
  let isHeld = true;
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(asked, async (route) => {
    notice(route.request().method());
    if (isHeld) await held;
    await route.continue();
  });
  return () => {
    isHeld = false;
    release();
  };
}

test('what takes its time shows that it works', async () => {
  const { page } = await stage().visitAsOwner();
  const letGo = await hold(page, /\/manage\/|[?&]dimensions=/);
  const letFiguresGo = await hold(page, /\/query\?(?!.*dimensions=)/);
  await page.goto('/settings/keys');
  await page.getByRole('status').filter({ hasText: 'Loading' }).waitFor();
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.locator('.figures[aria-busy="true"]').waitFor();
  letFiguresGo();
  await expect.poll(() => page.locator('.panel [aria-busy="true"]').count()).toBe(4);
  await page.getByRole('region', { name: 'Plays by hour of the week' }).scrollIntoViewIfNeeded();
  await page.locator('.week-scroll[aria-busy="true"]').waitFor();
  letGo();
  await page.locator('.figures[aria-busy="false"]').waitFor();
  await expect.poll(() => page.textContent('[data-measure="plays"]')).toBe('1');
});

test('lists out of sight are asked for once what is in sight is there', async () => {
  const { page, quiet } = await stage().visitAsOwner({ viewport: { width: 1_280, height: 720 } });
  const lists: string[] = [];
  page.on('request', (request) => {
    const [, list] = /[?&]dimensions=(os|country)\b/.exec(request.url()) ?? [];
    if (list) lists.push(list);
  });
  const letChartGo = await hold(page, /[?&]dimensions=date/);
  const devices = page.getByRole('region', { name: 'Devices' });
  await page.goto('/');
  await devices.locator('[aria-busy="true"]').waitFor();
  await page.waitForTimeout(200);
  expect(lists).toEqual([]);
  letChartGo();
  await quiet();
  expect(lists.toSorted()).toEqual(['country', 'os']);

  // Whoever scrolls there does not wait for the chart.
  await hold(page, /[?&]dimensions=date/);
  await page.goto('/');
  await devices.scrollIntoViewIfNeeded();
  await devices.locator('.row').first().waitFor();
});

test('of labels one is made, however often it is clicked', async () => {
  const page = await stage().open('/settings/labels');
  let sent = 0;
  const letGo = await hold(page, /\/manage\/v1\/labels$/, () => {
    sent += 1;
  });
  await page.getByLabel('New label').fill('twice');
  const create = page.getByRole('button', { name: 'Create', exact: true });
  await create.click();
  await page.locator('button[aria-busy="true"]').waitFor();
  await create.click({ force: true });
  letGo();
  await page.locator('button[aria-busy="true"]').waitFor({ state: 'detached' });
  expect(sent).toBe(1);
});

test.each([
  ['picture', 'SVG'],
  ['share-dialog', 'Share'],
])('while its %s is loaded, a button shows that it works', async (file, name) => {
  const page = await stage().open('/');
  const letGo = await hold(page, new RegExp(`/dashboard-assets/${file}-`));
  const button = page.getByRole('button', { name, exact: true }).first();
  await openMenu(page.getByRole('region', { name: 'Plays over time' }), button);
  await button.click();
  await expect.poll(() => button.getAttribute('aria-busy')).toBe('true');
  letGo();
  await expect.poll(() => button.getAttribute('aria-busy')).toBe(null);
});

test('a film that could not be asked for is not said to be missing', async () => {
  const { list } = await stage().read<{ list: { accessKey: string }[] }>('/manage/v1/videos');
  const { page } = await stage().visitAsOwner();
  const asked = /\/publications/;
  await page.route(asked, (route) => route.abort());
  await page.goto(`/videos/${list[0]?.accessKey}`);
  const panels = ['How far people watch', 'Details'];
  for (const name of panels) {
    await page.getByRole('region', { name }).getByRole('alert').waitFor();
  }
  expect(await page.getByText('This service has no file').count()).toBe(0);
});

test('a page that is left open goes on with the next day', async () => {
  const { page } = await stage().visitAsOwner();
  await page.clock.install({ time: new Date('2031-05-09T23:58:00Z') });
  await page.goto('/?period=7d&compare=year');
  await page.getByText('May 3 – 9, 2031, UTC').waitFor();
  await page.getByText('compared with May 3 – 9, 2030, including all of the last day').waitFor();
  await page.clock.fastForward(300_000);
  await page.getByText('May 4 – 10, 2031, UTC').waitFor();
});
