/** The page that plays a video, and what it shows where there is none. */
import { expect, test } from 'vitest';
import { type Page, personAt } from '../support/browser.ts';
import { addFreshVideo } from './counted.ts';
import { expectAccessible } from './dashboard.ts';
import { expectRoom } from './page-layout.ts';
import { useDashboard } from './use-dashboard.ts';

const stage = useDashboard();

async function open(path: string): Promise<Page> {
  const page = await (await stage().browser.newContext(personAt(stage().browser))).newPage();
  await page.goto(stage().service.url + path);
  return page;
}

test('without a file, and of an unknown video or none, it leads to the library', async () => {
  const { videoKey } = await addFreshVideo(stage().service);
  for (const path of [`/watch/${videoKey}`, '/watch/no-such-key', '/watch']) {
    const page = await open(path);
    await page.getByText('There is no film to play here.').waitFor();
    expect(await page.isVisible('video')).toBe(false);
    const way = page.getByRole('link', {
      name: 'Choose a video in the library, or play it on your own page.',
    });
    expect(await way.evaluate((link: HTMLAnchorElement) => link.href)).toBe(
      `${stage().service.url}/library`,
    );
  }
});

test('it is for everybody, in the frame and the theme of the dashboard', async () => {
  const page = await open('/watch');
  const places = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
  expect((await places.allTextContents()).map((text) => text.trim())).toEqual([
    ...['Overview', 'Now', 'Quality', 'Library', 'Settings'],
  ]);
  await expectAccessible(page, '/watch', ['dark', 'light']);
  await expectRoom(page, '/watch');
  await page.getByLabel('Theme').selectOption('dark');
  await page.reload();
  await page.locator('html[data-theme="dark"]').waitFor();
});
