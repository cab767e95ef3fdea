/** Sharing a view: made at the dashboard, opened by anybody, embedded where its owner says. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { type LocalServer, startLocalServer } from '../support/local-server.ts';
import { visitDashboard } from './dashboard.ts';
import { useDashboard } from './use-dashboard.ts';

const dayMs = 86_400_000;
const systems = {
  iOS: 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) Version/17.4 Mobile Safari/604.1',
  Windows: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/141.0.0.0',
};

let film = '';
const stage = useDashboard(async ({ service, account }) => {
  const packageId = await account.addPackage();
  film = await account.addVideo();
  await account.publish(packageId, film);
  const { accountId, key } = account;
  const fields = { title: 'A walk along the river', durationMs: 60_000 };
  accepted(await service.catalog.videos.change(accountId, film, fields));
  // Today and a year ago: three on iOS and two on Windows now, and many long ago.
  const plays = [...Array(40).keys()].map((index) => ({
    ...{ view: `view-${index}`, stretch: 0, playMs: 30_000, position: 0, mediaMs: 30_000 },
    at: new Date(Date.now() - (index < 5 ? 60_000 : 200 * dayMs)).toISOString(),
    ...{ accessKey: film, packageId, userAgent: systems[index % 2 === 0 ? 'iOS' : 'Windows'] },
  }));
  const sent = await service.send(plays, { 'x-api-key': key });
  expect(await sent.json()).toMatchObject({ accepted: plays.length });
  await service.facts.rollUp();
});

/** A page of another origin with this in it. */
let elsewhere: LocalServer;
let content = '';
beforeAll(async () => {
  elsewhere = await startLocalServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(`<!doctype html><html lang="en"><title>Elsewhere</title>${content}</html>`);
  });
});
afterAll(() => elsewhere?.close());
beforeEach(() => {
  content = '';
});

/** Another host than the service's, so that it is another site as well. */
const siteOf = ({ port }: LocalServer) => `http://localhost:${port}`;

async function openDialog(path: string) {
  const page = await stage().open(path);
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  return { page, dialog: page.getByRole('dialog') };
}

async function makeShare(path: string, sites = '') {
  const { page, dialog } = await openDialog(path);
  await dialog.getByLabel('Sites that may embed it').fill(sites);
  await dialog.getByRole('button', { name: 'Create the link' }).click();
  const codes = dialog.locator('code');
  await codes.first().waitFor();
  const [link = '', frame = ''] = await codes.allTextContents();
  await page.close();
  return { link, frame };
}

const plays = '[data-measure="plays"]';

test('a link shows the page as it was filtered, to whoever has it', async () => {
  const { link, frame } = await makeShare('/?period=28d&filters=os%3D%3DiOS');
  expect(frame).toBe('');
  expect(link).toMatch(new RegExp(`^${stage().service.url}/shared/[\\w-]{8}#[\\w-]{43}$`));
  const { page, context, complaints, asked } = await stage().visit();
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.url()));
  await page.goto(link);
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await expect.poll(() => page.locator(plays).textContent()).toBe('3');
  // Whose days, comparison and filters it has is not for the reader to choose.
  expect(await page.getByLabel('Period', { exact: true }).count()).toBe(0);
  expect(await page.getByRole('button', { name: /Sign out|Share$/ }).count()).toBe(0);
  await page.getByText('iOS', { exact: true }).first().waitFor();

  await page.getByRole('button', { name: /^Playback time/ }).click();
  await page.waitForURL(/measure=playMs#[\w-]{43}$/);
  await page.reload();
  await expect.poll(() => page.locator(plays).textContent()).toBe('3');
  expect(await context.cookies()).toEqual([]);
  const secret = link.split('#')[1] ?? '';
  expect(sent.filter((url) => url.split('#')[0]?.includes(secret))).toEqual([]);
  expect([...asked]).toEqual([stage().service.url]);
  expect(complaints).toEqual([]);
});

test('a share works for as long as is chosen: 90 days if nothing is', {
  tags: 'long',
}, async () => {
  const chosen = { '2999-01-31': '2999-01-31T23:59:59.000Z', '': null };
  const ends = new Set<string | null>();
  for (const [day, end] of Object.entries(chosen)) {
    const { page, dialog } = await openDialog('/');
    const until = dialog.getByLabel('Works until');
    const usual = new Date(Date.now() + 90 * dayMs).toISOString().slice(0, 10);
    expect(await until.inputValue()).toBe(usual);
    await dialog.getByLabel('Name').fill(`Until ${day}`);
    await until.fill(day);
    await dialog.getByRole('button', { name: 'Create the link' }).click();
    await dialog.locator('code').first().waitFor();
    await page.close();
    type Shares = { list: { name: string; expiresAt: string | null }[] };
    const { list } = await stage().read<Shares>('/manage/v1/shares');
    const made = list.find(({ name }) => name === `Until ${day}`.trim());
    expect(made?.expiresAt, day).toBe(end);
    ends.add(end);
  }
  const page = await stage().open('/settings/shares');
  const row = page.getByRole('row').filter({ hasText: 'Until 2999-01-31' });
  await row.getByRole('cell', { name: 'Jan 31, 2999' }).waitFor();
});

test('where the day is another than in UTC, none is offered that is over when links end', {
  tags: 'long',
}, async () => {
  const { service, browser } = stage();
  const { key } = await service.addAccount('Pacific/Pago_Pago');
  const { page } = await visitDashboard(browser, service, key);
  await page.clock.install({ time: new Date('2031-05-09T05:00:00Z') });
  await page.goto('/?period=today');
  await page.getByText('May 8, 2031, Pacific/Pago_Pago').waitFor();
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  expect(await page.getByLabel('Works until').getAttribute('min')).toBe('2031-05-09');
  await page.goto('/settings/keys');
  expect(await page.getByLabel('Expires').getAttribute('min')).toBe('2031-05-09');
});

test('a video is shared with how far people watch it', { tags: 'long' }, async () => {
  const { link } = await makeShare(`/videos/${film}`);
  const { page } = await stage().visit();
  await page.goto(link);
  await page.getByRole('heading', { level: 1, name: 'A walk along the river' }).waitFor();
  await page.getByRole('slider', { name: 'How far people watch' }).waitFor();
  expect(await page.locator('video').count()).toBe(0);
});

test('of a curve of one package, that package is shared', { tags: 'long' }, async () => {
  const { service, account } = stage();
  const fields = { packageName: 'In the app', packageType: 'VOD' } as const;
  const other = accepted(await service.catalog.packages.create(account.accountId, fields));
  const { packageId } = other;
  await account.publish(packageId, film);
  // Of days that no other test looks at.
  const at = new Date(Date.now() - 100 * dayMs).toISOString();
  const play = { view: 'app', stretch: 0, at, playMs: 5_000, position: 0, mediaMs: 5_000 };
  const about = { accessKey: film, packageId, userAgent: systems.Windows };
  await service.send([{ ...play, ...about }], { 'x-api-key': account.key });
  await service.facts.rollUp();
  const [day] = at.split('T');
  const path = `/videos/${film}?period=custom&from=${day}&to=${day}&package=${packageId}`;
  const { page: owner, dialog } = await openDialog(path);
  await dialog.getByText('chosen for the curve: In the app').waitFor();
  await owner.close();
  const { link } = await makeShare(path);
  const { page } = await stage().visit();
  await page.goto(link);
  await page.getByText('All views reported a position').waitFor();
  await page.getByText('Packages: In the app').waitFor();
  await expect.poll(() => page.locator(plays).textContent()).toBe('1');
});

test('the site that its owner names may embed it', { tags: 'long' }, async () => {
  const { frame } = await makeShare('/', siteOf(elsewhere));
  expect(frame).toMatch(/^<iframe src="[^"]+" title="Overview"/);
  content = frame;
  const { page } = await stage().visit();
  await page.goto(siteOf(elsewhere));
  const inside = page.frameLocator('iframe');
  await inside.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await expect.poll(() => inside.locator(plays).textContent()).toBe('5');
  await inside.getByRole('combobox', { name: 'Theme' }).selectOption('dark');
  await inside.locator('html[data-theme="dark"]').waitFor();
});

test('no other site may', { tags: 'long' }, async () => {
  const { link } = await makeShare('/', 'https://www.example.com');
  content = `<iframe src="${link}" title="Stolen"></iframe>`;
  const { page, complaints } = await stage().visit();
  await page.goto(siteOf(elsewhere));
  await expect.poll(() => complaints.join(' ')).toContain('frame-ancestors');
  expect(await page.frameLocator('iframe').getByRole('heading').count()).toBe(0);
});

test('shares are listed in the settings, and revoked there', { tags: 'long' }, async () => {
  const { link } = await makeShare('/?period=custom&from=2026-01-01&to=2026-01-31');
  const { page: reader } = await stage().visit();
  await reader.goto(link);
  await reader.getByText('Jan 1 – 31, 2026').first().waitFor();

  const page = await stage().open('/settings/shares');
  const row = page.getByRole('row').filter({ hasText: 'Jan 1 – 31, 2026' });
  await row.waitFor();
  await row.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await row.waitFor({ state: 'detached' });
  await reader.reload();
  const over = reader.getByRole('heading', { name: 'This link shows nothing' });
  await over.waitFor();
  // Nor does a link that was copied in part ask for a key.
  await reader.goto(`${link.slice(0, link.indexOf('#') - 2)}#${link.slice(-4)}`);
  await over.waitFor();
});
