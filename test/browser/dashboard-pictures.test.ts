/** Pictures: charts that are saved as SVG and PNG, and the thumbnail on the page of a video. */
import { expect, test } from 'vitest';
import { placePicture } from '../../demo/data/demo-media.ts';
import { findContentFolder } from '../../src/app/own-urls.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import type { Page } from '../support/browser.ts';
import { saved } from './dashboard.ts';
import { useDashboard } from './use-dashboard.ts';

const hourMs = 3_600_000;

let film = '';
const stage = useDashboard(async ({ service, account }) => {
  film = await account.addVideo();
  const videoKey = await account.publish(await account.addPackage(), film);
  accepted(await service.catalog.videos.change(account.accountId, film, { durationMs: 12_000 }));
  const plays = [4_000, 8_000].map((playMs, index) => ({
    ...{ view: `view-${index}`, stretch: 0, videoKey, playMs, position: 0, mediaMs: playMs },
    at: new Date(Date.now() - (1 + index) * hourMs).toISOString(),
  }));
  // Within the half hour that is looked at as now.
  const at = new Date(Date.now() - 600_000).toISOString();
  plays.push({
    ...{ view: 'now', stretch: 0, videoKey, at },
    playMs: 300_000,
    position: 0,
    mediaMs: 12_000,
  });
  const sent = await service.send(plays, { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0)' });
  expect(await sent.json()).toMatchObject({ accepted: plays.length });
  await service.facts.rollUp();
});

/** The picture as a browser decodes it: its size, and how many colours it has. */
function decoded(page: Page, type: string, bytes: Buffer) {
  return page.evaluate(
    async (target) => {
      const image = new Image();
      image.src = target;
      await image.decode();
      const canvas = document.createElement('canvas');
      const { naturalWidth: width, naturalHeight: height } = image;
      Object.assign(canvas, { width, height });
      const context = canvas.getContext('2d');
      context?.drawImage(image, 0, 0);
      const { data } = context?.getImageData(0, 0, width, height) ?? {};
      return { width, height, colors: new Set(new Uint32Array(data?.buffer ?? [])).size };
    },
    `data:${type};base64,${bytes.toString('base64')}`,
  );
}

interface Chart {
  readonly chart: string;
  readonly ready: string;
  /** That it is in; by default of its own. */
  readonly region?: string;
  /** By default, that of the film. */
  readonly path?: string;
}

test.each<Chart>([
  { chart: 'Plays', region: 'Plays over time', path: '/?compare=none', ready: 'path.line[d^=M]' },
  { chart: 'How far people watch', ready: 'path.line[d^=M]' },
  { chart: 'Plays by hour of the week', ready: 'rect[data-shade="8"]' },
  {
    ...{ chart: 'Most at once, by minute', region: 'playing now', path: '/now' },
    ready: 'path.line[d^=M]',
  },
])('$chart: saved as an SVG that needs nothing else, and as its PNG', async (picture) => {
  const { chart, ready, region = chart, path = `/videos/${film}` } = picture;
  const page = await stage().open(path);
  const panel = page.getByRole('region', { name: region });
  await panel.scrollIntoViewIfNeeded();
  // A line without a play has no height.
  await panel.locator(ready).first().waitFor({ state: 'attached' });
  const svg = await saved(panel, 'SVG');
  expect(svg.text).toContain(`>${chart}<`);
  expect(svg.text).toContain('>Test, UTC<');
  const lines = panel.locator('path.line, path.watched');
  for (const line of await lines.evaluateAll((all) => all.map((one) => one.getAttribute('d')))) {
    expect(svg.text).toContain(`d="${line}"`);
  }
  expect(svg.text).not.toMatch(/class=|style=|var\(|url\(|href/);
  const drawn = await decoded(page, 'image/svg+xml', svg.bytes);
  const png = await saved(panel, 'PNG');
  expect(png.name).toBe(svg.name.replace(/svg$/, 'png'));
  const painted = await decoded(page, 'image/png', png.bytes);
  expect(painted).toMatchObject({ width: 2 * drawn.width, height: 2 * drawn.height });
  // The ground, the texts and the chart itself.
  expect(Math.min(drawn.colors, painted.colors)).toBeGreaterThan(2);
});

test('a video that has no film here shows its thumbnail', async () => {
  const { service, account, open } = stage();
  const { accountId } = account;
  const { videoId = 0 } = (await service.catalog.videos.find(accountId, film)) ?? {};
  const contentFolder = findContentFolder(service.config);
  const url = await placePicture({ contentFolder, publicUrl: service.url }, videoId);
  accepted(await service.catalog.thumbnails.replace(accountId, film, [{ url }]));
  const page = await open(`/videos/${film}`);
  const thumbnail = page.locator('img.film');
  await expect
    .poll(() => thumbnail.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
  expect(await thumbnail.getAttribute('src')).toBe(url);
});

test('of a thumbnail on another host there is no broken picture', async () => {
  const { service, account, open } = stage();
  const url = 'https://pictures.example/film.jpg';
  accepted(await service.catalog.thumbnails.replace(account.accountId, film, [{ url }]));
  const page = await open(`/videos/${film}`);
  await page.locator('p.film').waitFor();
  expect(await page.locator('img.film, img.thumbnail').count()).toBe(0);
});
