/** Every page of the dashboard for everybody: axe in both themes and languages, at two widths. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accepted } from '../../src/managing/accepted.ts';
import { type Browser, startBrowser } from '../support/browser.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';
import { expectAccessible, visitDashboard } from './dashboard.ts';

const readers = [
  { locale: 'en-US', width: 1440 },
  { locale: 'ko-KR', width: 360 },
];
const paths = [
  '/',
  '/now',
  '/library',
  '/settings',
  '/settings/keys',
  '/settings/packages',
  '/settings/signing',
  '/settings/labels',
  '/settings/ledger',
  '/settings/suspects',
  '/settings/audit',
  '/settings/nowhere',
];

let service: TestService;
let account: TestAccount;
let browser: Browser;
beforeAll(async () => {
  [service, browser] = await Promise.all([startTestService(), startBrowser()]);
  account = await service.addAccount();
  await account.publish(await account.addPackage(), await account.addVideo());
  const accessKey = await account.addVideo();
  const { accountId } = account;
  accepted(await service.catalog.videos.change(accountId, accessKey, { durationMs: 12_000 }));
  paths.push(`/videos/${accessKey}`);
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

test.each(readers)('all pages, in $locale at $width px', async ({ locale, width }) => {
  const { page, complaints } = await visitDashboard(browser, service, account.key, { locale });
  for (const path of paths) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    for (const one of (await page.locator('.explain').all()).slice(0, 1)) await one.click();
    await expectAccessible(page, [width]);
  }
  expect(complaints).toEqual([]);
});
