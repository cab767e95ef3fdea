/** The pages that the READMEs and the guide on blockers print: their videos count, as written. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { requireBuilt } from '../support/shared-parts.ts';
import { useStage } from './stage.ts';

requireBuilt('pages');

const root = join(import.meta.dirname, '../..');
const test = useStage();

/** All HTML of a document, as one page. */
function pageIn(file: string): string {
  const text = readFileSync(join(root, file), 'utf8');
  const blocks = [...text.matchAll(/^```html\n(.*?)^```$/gms)].map(([, block]) => block);
  return `<!doctype html><link rel="icon" href="data:,">${blocks.join('')}`;
}

test.for([
  ['README.md', 'http://127.0.0.1:8080/', 'play.js', 'collect/v1/beacons', 'VIDEO_KEY'],
  [
    ...['tracker/README.md', 'https://media.example.org/', 'play.js', 'collect/v1/beacons'],
    'KEY_OF_THE_FILM',
  ],
  ['docs/blockers.md', '/media/', 'play.js', 'progress.json', 'VIDEO_KEY'],
])('%s', async ([file = '', place = '', script, reports, videoKey], { stage }) => {
  const { context, site } = stage;
  const url = new URL(place, site.url).href;
  const keys = new Set<string>();
  await context.route('**/documented.html', (route) =>
    route.fulfill({ contentType: 'text/html', body: pageIn(file) }),
  );
  await context.route(url + script, (route) =>
    route.fulfill({ path: join(root, 'tracker/dist/tracker.js') }),
  );
  await context.route(url + reports, (route) => {
    const { beacons } = JSON.parse(route.request().postData() ?? '{}');
    for (const beacon of beacons) keys.add(beacon.videoKey);
    const headers = { 'access-control-allow-origin': '*' };
    return route.fulfill({ headers, json: { accepted: beacons.length, rejected: [] } });
  });
  const page = await stage.open('/documented.html');
  await page.evaluate(() => {
    const video = document.querySelector('video') as HTMLVideoElement;
    video.muted = true;
    return video.play();
  });
  await expect.poll(() => [...keys]).toEqual([videoKey]);
});
