/** What the first view of the dashboard loads, as the service sends it. */
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { firstViewLimitGzipBytes } from '../../dashboard/build.ts';
import { useDashboard } from './use-dashboard.ts';

const stage = useDashboard();

test('the first view in the larger language stays within its size, and is sent packed', async () => {
  const locale = 'ko-KR';
  const { page } = await stage().visitAsOwner({ locale });
  const sizes = new Map<string, Promise<number>>();
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (pathname !== '/' && !pathname.startsWith('/dashboard-assets/')) return;
    if (pathname !== '/') expect(response.headers()['content-encoding']).toBe('br');
    sizes.set(
      pathname,
      response.body().then((body) => gzipSync(body, { level: 9 }).byteLength),
    );
  });
  await page.goto('/');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  expect(await page.getAttribute('html', 'lang')).toBe(locale.slice(0, 2));
  const total = (await Promise.all(sizes.values())).reduce((sum, bytes) => sum + bytes, 0);
  expect(sizes.size).toBeGreaterThan(3);
  console.info(`The first view in ${locale} loads ${total} bytes, gzipped, in ${sizes.size} files`);
  expect(total).toBeLessThanOrEqual(firstViewLimitGzipBytes);
});

test('what a build names after its content may be kept for good, the page may not', async () => {
  const { service } = stage();
  const page = await service.request('/');
  expect(page.headers.get('cache-control')).toBe('no-cache');
  const [, asset = ''] = /src="(\/dashboard-assets\/[^"]+)"/.exec(await page.text()) ?? [];
  const script = await fetch(service.url + asset);
  expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
});
