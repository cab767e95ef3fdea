/** From nothing to the first counted play, with the dashboard alone. */
import { expect, test } from 'vitest';
import { accepted } from '../../src/managing/accepted.ts';
import { visitDashboard } from './dashboard.ts';
import { useDashboard } from './use-dashboard.ts';

const stage = useDashboard();

test('the guide leads from an empty account to the first counted play', async () => {
  const { service, browser } = stage();
  const { accounts, keys } = service.catalog;
  const { accountId } = accepted(await accounts.create({ name: 'New', timeZone: 'UTC' }));
  const scopes = ['stats:read', 'info:read', 'manage'] as const;
  const { secret } = accepted(await keys.create({ accountId, scopes }));
  const { page } = await visitDashboard(browser, service, secret);
  await page.goto('/');
  const guide = page.getByRole('region', { name: 'To your first counted play' });
  await guide.getByText('Waiting for the first play').waitFor();
  expect(await guide.locator('code').textContent()).toContain('YOUR_VIDEO_KEY');

  await guide.getByRole('link', { name: 'Library' }).click();
  await page.getByText('There is no folder yet').waitFor();
  await page.getByRole('button', { name: 'New folder' }).click();
  await page.getByLabel('Name of the folder').fill('Films');
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
  await page.getByText('Add a video to “Films”').click();
  await page.getByLabel('Title', { exact: true }).fill('The first one');
  await page.getByLabel(/^Length/).fill('1:05');
  await page.getByRole('button', { name: 'Create' }).click();
  const row = page.getByRole('row').filter({ hasText: 'The first one' });
  await row.getByRole('button').click();
  await page.getByRole('dialog').getByRole('link', { name: 'Packages' }).click();
  await page.getByLabel('New package').fill('Site');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: 'Site' }).waitFor();

  await page.getByRole('link', { name: 'Library' }).click();
  await row.getByRole('button').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Site').check();
  const code = (await dialog.locator('code.block').textContent()) ?? '';
  const videoKey = /data-video-key="([\w-]+)"/.exec(code)?.[1] ?? '';
  expect(videoKey).not.toBe('');
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Overview' }).click();
  await guide.getByText('Waiting for the first play').waitFor();
  await expect.poll(() => guide.locator('code').textContent()).toBe(code);
  const way = guide.getByRole('link', { name: 'Try it with the watch page' });
  expect(await way.getAttribute('href')).toBe(`/watch/${videoKey}`);

  // Answers of the page below that were asked for before the play, and come after it.
  let held = 0;
  const late = Promise.withResolvers<void>();
  await page.route(/v2\/query\?.*playMs/, async (route) => {
    const response = await route.fetch();
    held += 1;
    await late.promise;
    await route.fulfill({ response }).catch(() => undefined);
  });
  await page.reload();
  await guide.getByText('Waiting for the first play').waitFor();
  await expect.poll(() => held).toBeGreaterThan(0);

  const at = new Date(Date.now() - 10_000).toISOString();
  const beacon = { view: 'first', stretch: 0, at, playMs: 10_000, videoKey };
  const userAgent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/141.0.0.0';
  await service.send([beacon], { 'user-agent': userAgent });
  await page.getByText('Counted plays: 1').waitFor();
  late.resolve();
  // The page below does not wait for somebody to load it again.
  await expect.poll(() => page.textContent('[data-measure="plays"]')).toBe('1');
});
