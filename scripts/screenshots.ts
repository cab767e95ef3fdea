/**
 * npm run screenshots: draws the pictures of docs/screenshots/ from a service of its own, with
 * plays that a seeded generator makes up.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Browser, personAt, startBrowser } from '../test/support/browser.ts';
import { type ServiceProcess, startServiceProcess } from '../test/support/service-process.ts';

const folder = join(import.meta.dirname, '../docs/screenshots');
const dayMs = 86_400_000;
const days = 60;
/** What is acknowledged is in the answers after two seconds. */
const countedWithinMs = 4_000;
const titles = [
  ...['A walk along the river', 'Seoul at night', 'Cooking with barley', 'Backstage'],
  ...['The harbour before sunrise', 'Interview: the long road', 'Lecture 12', 'Kite season'],
];
const systems = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/141.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) Version/17.4 Mobile Safari/604.1',
  'Mozilla/5.0 (Linux; Android 14; SM-G991N) Chrome/140.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.1 Safari/605.1.15',
];
const pages = ['watch/river', 'series/night/1', '', 'feed'].map(
  (path) => `https://example.com/${path}`,
);
const referrers = ['https://www.google.com/', 'https://search.naver.com/', 'https://news.example/'];
/** Public resolvers, each in a country of its own. */
const addresses = ['168.126.63.1', '8.8.8.8', '1.1.1.1', '133.242.0.3'];

/** What is read of answers. */
interface Answer {
  readonly accessKey?: string;
  readonly list?: readonly { readonly accessKey: string }[];
}

interface Picture {
  readonly name: string;
  readonly path: string;
  readonly width: number;
  readonly theme: 'light' | 'dark';
}

const service = await startServiceProcess({ RATE_LIMIT_PER_MINUTE: '100000' });
const browser = await startBrowser();
try {
  const film = await fill(service);
  const pictures: readonly Picture[] = [
    { name: 'overview', path: '/', width: 1440, theme: 'light' },
    { name: 'overview-dark', path: '/?measure=playMs', width: 1440, theme: 'dark' },
    { name: 'overview-phone', path: '/', width: 390, theme: 'light' },
    { name: 'video', path: `/videos/${film}`, width: 1440, theme: 'light' },
    { name: 'now-dark', path: '/now', width: 1440, theme: 'dark' },
    { name: 'library', path: '/library', width: 1440, theme: 'light' },
  ];
  await mkdir(folder, { recursive: true });
  for (const picture of pictures) await draw(browser, picture);
} finally {
  await browser.close();
  await service.remove();
}

async function draw(browser: Browser, { name, path, width, theme }: Picture): Promise<void> {
  const context = await browser.newContext({
    ...personAt(browser),
    ...{ viewport: { width, height: 900 }, colorScheme: theme, locale: 'en-US' },
  });
  const headers = { 'x-api-key': service.key, 'x-requested-with': 'playmeter' };
  await context.request.post(`${service.url}/session`, { headers });
  const page = await context.newPage();
  await page.goto(service.url + path);
  await page.waitForLoadState('networkidle');
  await page.screenshot({ path: join(folder, `${name}.png`) });
  await context.close();
}

/** Returns the accessKey of the clip, whose film is there. */
async function fill({ url, key }: ServiceProcess): Promise<string> {
  const call = async (method: string, path: string, message?: object) => {
    const response = await fetch(url + path, {
      ...{ method, headers: { 'x-api-key': key, 'content-type': 'application/json' } },
      ...(message && { body: JSON.stringify(message) }),
    });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return (await response.json()) as Answer;
  };
  const { list = [] } = await call('GET', '/manage/v1/videos?folderId=1');
  const films = list.map(({ accessKey }) => ({ accessKey, lengthMs: 12_000 }));
  for (const [index, title] of titles.entries()) {
    const lengthMs = (60 + 45 * index) * 1_000;
    const { accessKey = '' } = await call('POST', '/manage/v1/videos', {
      ...{ folderId: 1, title, duration: lengthMs },
    });
    await call('PUT', `/manage/v1/packages/1/videos/${accessKey}`);
    films.push({ accessKey, lengthMs });
  }
  const beacons = madeUp(films);
  for (let start = 0; start < beacons.length; start += 500) {
    await call('POST', '/collect/v1/beacons', { beacons: beacons.slice(start, start + 500) });
  }
  await sleep(countedWithinMs);
  return films[0]?.accessKey ?? '';
}

function madeUp(films: readonly { readonly accessKey: string; readonly lengthMs: number }[]) {
  let state = 11;
  const random = () => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  const pick = <Item>(items: readonly Item[]) =>
    items[Math.floor(random() ** 1.7 * items.length)] as Item;
  const midnightMs = Date.now() - (Date.now() % dayMs);
  const beacons: object[] = [];
  for (let day = days; day >= 0; day -= 1) {
    const plays = Math.round(
      40 + 25 * Math.sin((day / 7) * 6.28) + 20 * random() + (days - day) / 3,
    );
    for (let play = 0; play < plays; play += 1) {
      const atMs = midnightMs - day * dayMs + (4 + 18 * ((random() + random()) / 2)) * 3_600_000;
      const { accessKey, lengthMs } = pick(films);
      const position = random() < 0.85 ? 0 : Math.round(lengthMs * 0.3);
      const seenMs = Math.round(lengthMs * Math.min(1, random() ** 0.8 * 1.25));
      const playMs = Math.min(seenMs, lengthMs - position);
      if (atMs + playMs > Date.now()) continue;
      beacons.push({
        ...{ view: `${day}-${play}`, stretch: 0, at: new Date(atMs).toISOString() },
        ...{ playMs, position, mediaMs: playMs, accessKey, packageId: 1 },
        ...{ userAgent: pick(systems), page: pick(pages), referrer: pick(referrers) },
        ...{ address: pick(addresses), player: pick(['video.js/8.24', 'hls.js/1.7']) },
      });
    }
  }
  for (let viewer = 0; viewer < 12; viewer += 1) {
    const playMs = 60_000 * (1 + (viewer % 9));
    const { accessKey } = films[1 + (viewer % 5)] as { accessKey: string };
    const at = new Date(Date.now() - playMs).toISOString();
    const view = { view: `now-${viewer}`, stretch: 0, at, playMs, accessKey, packageId: 1 };
    beacons.push({ ...view, position: 0, mediaMs: playMs, userAgent: pick(systems) });
  }
  return beacons;
}
