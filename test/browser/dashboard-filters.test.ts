/** Filters of every kind are made, changed and taken away, and the world map filters by a country. */
import { expect, test } from 'vitest';
import { accepted } from '../../src/operations/refusal-faults.ts';
import type { Locator, Page } from '../support/browser.ts';
import { expectAccessible } from './dashboard.ts';
import { expectRoom } from './page-layout.ts';
import { useDashboard } from './use-dashboard.ts';

const v2 = '/report/statistics/video/v2';
const dayMs = 86_400_000;
/** Of three countries and of nobody knows where. */
const addresses = ['8.8.8.8', '133.11.0.1', '168.126.63.1', '10.0.0.1'];
const playCount = 24;

const stage = useDashboard(async ({ service, account }) => {
  const { accountId, key } = account;
  const { folders, videos, labels } = service.catalog;
  accepted(await labels.create(accountId, 'series'));
  const { folderId } = accepted(await folders.create(accountId, { folderName: 'Series' }));
  const packageId = await account.addPackage();
  const keys: string[] = [];
  for (const title of ['Kite, season 1', 'Kite, season 2', 'Low tide']) {
    const { accessKey } = accepted(await videos.create(accountId, { folderId, title }));
    await account.publish(packageId, accessKey);
    keys.push(accessKey);
  }
  const beacons = Array.from({ length: playCount }, (_, index) => ({
    ...{ view: `view-${index}`, stretch: 0, playMs: 5_000, packageId },
    accessKey: keys[index % 3],
    at: new Date(Date.now() - dayMs - index * 60_000).toISOString(),
    address: addresses[index < 12 ? 0 : index % 4],
    page: `https://video.example/${index % 2 === 0 ? 'films' : 'clips'}/${index % 6}`,
    labels: { series: index % 2 === 0 ? 'even' : 'odd' },
    userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/141.0.0.0',
  }));
  const sent = await service.send(beacons, { 'x-api-key': key });
  expect(await sent.json()).toEqual({ accepted: playCount, rejected: [] });
  await service.facts.rollUp();
});

const day = (before: number) => new Date(Date.now() - before * dayMs).toISOString().slice(0, 10);

interface Counted {
  readonly data: { readonly totals: { readonly plays: number } };
}

/** What the page is filtered by, in its URL, and that its plays are those of the interface. */
async function expectFiltered(page: Page, filters: string, chips: readonly string[]) {
  await expect.poll(() => new URL(page.url()).searchParams.get('filters') ?? '').toBe(filters);
  const asked = `sdate=${day(27)}&edate=${day(0)}&measures=plays`;
  const { data } = await stage().read<Counted>(
    `${v2}/query?${asked}&filters=${encodeURIComponent(filters)}`,
  );
  const { plays } = data.totals;
  expect(plays).toBeLessThan(playCount);
  await expect.poll(() => page.textContent('[data-measure="plays"]')).toBe(String(plays));
  const shown = page.getByRole('list', { name: 'Filters' }).getByRole('listitem');
  await expect.poll(() => shown.allTextContents()).toEqual(chips);
  return plays;
}

const openNew = async (page: Page): Promise<Locator> => {
  await page.getByRole('button', { name: 'Add filter' }).click();
  return page.getByRole('dialog', { name: 'Add filter' });
};

const choose = (dialog: Locator, what: string, how: string) =>
  dialog
    .getByLabel('Filter by')
    .selectOption(what)
    .then(() => dialog.getByLabel('Condition').selectOption(how));

test('a filter is one of several values, is changed to none of them, and a link opens the same', async () => {
  const { page, complaints } = await stage().visitAsOwner();
  await page.goto('/');
  const dialog = await openNew(page);
  await choose(dialog, 'Countries', 'is one of');
  // A code is found by what people call it.
  await dialog.getByLabel('Search the values').fill('jap');
  await dialog.getByRole('checkbox', { name: 'Japan' }).check();
  await dialog.getByLabel('Search the values').fill('korea');
  await dialog.getByRole('checkbox', { name: 'South Korea' }).check();
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await dialog.waitFor({ state: 'detached' });
  const any = await expectFiltered(page, 'country==JP,KR', ['Countries: Japan or South Korea']);

  await page.getByRole('button', { name: 'Countries: Japan or South Korea', exact: true }).click();
  const change = page.getByRole('dialog', { name: 'Change this filter' });
  expect(await change.getByRole('checkbox', { name: 'Japan' }).isChecked()).toBe(true);
  await change.getByLabel('Condition').selectOption('is not');
  await change.getByRole('button', { name: 'Apply' }).click();
  const none = await expectFiltered(page, 'country!=JP,KR', [
    'Countries: not Japan or South Korea',
  ]);
  expect(any + none).toBe(playCount);

  const other = await stage().open(page.url());
  await expectFiltered(other, 'country!=JP,KR', ['Countries: not Japan or South Korea']);
  await other.getByRole('button', { name: 'Remove this filter' }).click();
  await expect.poll(() => other.textContent('[data-measure="plays"]')).toBe(String(playCount));
  expect(complaints).toEqual([]);
});

test('what contains a text is kept or left out, also a title with a comma', async () => {
  const page = await stage().open('/');
  const dialog = await openNew(page);
  await choose(dialog, 'Videos', 'contains');
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await dialog.getByText('Enter a text.').waitFor();
  await dialog.getByLabel('Text', { exact: true }).fill('kite, s');
  const matching = dialog.getByRole('group', { name: 'Values with this text' });
  await expect
    .poll(async () => (await matching.getByRole('listitem').allTextContents()).sort())
    .toEqual(['Kite, season 18', 'Kite, season 28']);
  await dialog.getByRole('button', { name: 'Apply' }).click();
  const kites = 'Videos: containing “kite, s”';
  await expectFiltered(page, 'videoTitle=@kite\\, s', [kites]);

  const second = await openNew(page);
  await choose(second, 'Pages', 'does not contain');
  await second.getByLabel('Text', { exact: true }).fill('CLIPS');
  await second.getByRole('button', { name: 'Apply' }).click();
  const both = [kites, 'Pages: not containing “CLIPS”'];
  await expectFiltered(page, 'videoTitle=@kite\\, s;page!@CLIPS', both);
});

test('labels and values that did not occur can be filtered by, codes cannot be by their letters', async () => {
  const page = await stage().open('/');
  const dialog = await openNew(page);
  await choose(dialog, 'Countries', 'is one of');
  const operators = dialog.getByLabel('Condition').locator('option');
  expect(await operators.allTextContents()).toEqual(['is one of', 'is not']);
  await choose(dialog, 'series', 'is not');
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await dialog.getByText('Choose at least one value.').waitFor();
  await dialog.getByLabel('Search the values').fill('none such');
  await dialog.getByRole('button', { name: 'Add “none such”' }).click();
  await dialog.getByLabel('Search the values').fill('');
  await dialog.getByRole('checkbox', { name: 'odd' }).check();
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await expectFiltered(page, 'label.series!=none such,odd', ['series: not none such or odd']);
});

test('by keyboard alone, at 320 pixels and in Korean a filter is made', async () => {
  const viewport = { width: 320, height: 700 };
  const { page } = await stage().visitAsOwner({ locale: 'ko-KR', viewport });
  await page.goto('/');
  await page.getByRole('button', { name: '필터 추가' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: '필터 추가' });
  await dialog.getByRole('checkbox').first().waitFor();
  await expectAccessible(page, 'the filter dialog');
  await expectRoom(page, 'the filter dialog');
  const what = dialog.getByLabel('필터 기준');
  await what.focus();
  while ((await what.inputValue()) !== 'country') await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.type('일본');
  await dialog.getByRole('checkbox', { name: '일본' }).waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: '국가: 일본', exact: true }).waitFor();
  expect(new URL(page.url()).searchParams.get('filters')).toBe('country==JP');
});

test('the map tells of a country by pointer and keys, and filters by it', async () => {
  const { page, complaints } = await stage().visitAsOwner();
  await page.goto('/');
  const card = page.getByRole('region', { name: 'Countries', exact: true });
  await card.scrollIntoViewIfNeeded();
  const map = card.getByRole('slider', { name: 'Plays by country' });
  await map.waitFor();
  const country = (code: string) => map.locator(`[data-code="${code}"]`).first();
  // 15 of 24, and none in a whole answer; the shades are those of the legend.
  expect(await country('US').getAttribute('data-shade')).toBe('5');
  expect(await country('FR').getAttribute('data-shade')).toBe('0');
  expect(await card.getByText('≥ 25%').count()).toBe(1);

  await map.focus();
  await page.keyboard.press('ArrowRight');
  expect(await map.getAttribute('aria-valuetext')).toBe(
    'United States: 15, 62.5%, Too few plays before to compare with',
  );
  await country('BR').hover();
  const tip = map.locator('.tip');
  expect(await tip.textContent()).toBe('BrazilPlays 0Share 0%');
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await expectFiltered(page, 'country==US', ['Countries: United States']);
  await card.getByRole('button', { name: 'Save or explain: Countries' }).click();
  await card.getByRole('button', { name: 'CSV' }).waitFor();
  await expectAccessible(page, 'the map and its menu');
  await page.keyboard.press('Escape');
  await card.getByRole('button', { name: 'CSV' }).waitFor({ state: 'detached' });
  // What the filter leaves out is not zero.
  await expect.poll(() => country('JP').getAttribute('data-shade')).toBe(null);
  await page.getByRole('button', { name: 'Remove this filter' }).click();
  await expect.poll(() => country('JP').getAttribute('data-shade')).not.toBe(null);
  expect(complaints).toEqual([]);
});
