/** A click is answered before the page that it asks for is drawn. */
import { expect, test } from 'vitest';
import { useDashboard } from './use-dashboard.ts';

const stage = useDashboard();

interface Step {
  readonly place: string | undefined;
  readonly isBusy: boolean;
  readonly title: string | undefined;
}

declare global {
  interface Window {
    steps: Step[];
  }
}

test('the way to another page is marked first, and the page is drawn apart from the click', {
  tags: 'long',
}, async () => {
  const page = await stage().open('/');
  await page.locator('[data-measure="plays"]').waitFor();
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByLabel('Name').waitFor();
  await page.evaluate(() => {
    window.steps = [];
    const text = (selector: string) => document.querySelector(selector)?.textContent?.trim();
    // Called after each time that the page was changed, before the next.
    new MutationObserver(() => {
      window.steps.push({
        place: text('.places [aria-current]'),
        isBusy: document.querySelector('main')?.ariaBusy === 'true',
        title: text('h1'),
      });
    }).observe(document.body, { attributes: true, childList: true, subtree: true });
  });
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  const steps = await page.evaluate(() => window.steps);
  // Some of the page before may come later than its first field.
  const first = steps.find(({ place, title }) => [place, title].includes('Overview'));
  expect(first).toEqual({ place: 'Overview', isBusy: true, title: 'Settings' });
  await page.locator('main:not([aria-busy])').waitFor();
});

test('another page begins at its top, and going back leads to where the reader was', async () => {
  const { page, quiet } = await stage().visitAsOwner();
  await page.setViewportSize({ width: 800, height: 500 });
  await page.goto('/');
  await page.locator('[data-measure="plays"]').waitFor();
  await quiet();
  const top = () => page.evaluate(() => Math.round(scrollY));
  await page.evaluate(() => scrollTo(0, 700));
  await expect.poll(top).toBe(700);
  await page.getByRole('link', { name: 'Settings' }).evaluate((link: HTMLElement) => link.click());
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  await expect.poll(top).toBe(0);
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await expect.poll(top).toBe(700);
});
