/**
 * npm run screenshots: draws the pictures of docs/screenshots/ from a service of its own, filled
 * by `playmeter demo`: every page in light and dark, on a phone and in Korean. With names of pages
 * behind `--`, those alone.
 */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Browser, type Page, personAt, startBrowser } from '../test/support/browser.ts';
import { type ServiceProcess, startServiceProcess } from '../test/support/service-process.ts';

const folder = join(import.meta.dirname, '../docs/screenshots');
const korean = dirname(createRequire(import.meta.url).resolve('@expo-google-fonts/nanum-gothic'));
const quality = 0.82;
/** Guides and the reference are longer. */
const mostHeight = 3_600;
let key = '';

/** As text: this program knows nothing of browsers. */
const inBrowser = `async (source, quality) => {
  const image = new Image();
  image.src = source;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.width;
  canvas.height = image.height;
  canvas.getContext('2d').drawImage(image, 0, 0);
  return canvas.toDataURL('image/webp', quality).split(',')[1];
}`;

interface Shot {
  readonly name: string;
  readonly path: string;
  /** What is done before the picture is taken. */
  readonly prepare?: (page: Page) => Promise<unknown>;
  /** Shows what plays right now. */
  readonly isOfMoment?: boolean;
  readonly isStranger?: boolean;
  /** Signed in to the account of the first start, where nothing has been played. */
  readonly isNewcomer?: boolean;
  /** No more than a screen shows: a dialog, a long text, or a picture that a text opens with. */
  readonly isScreen?: boolean;
}

interface Look {
  /** Stands behind the name of the page. */
  readonly name: string;
  readonly locale: string;
  readonly theme: 'light' | 'dark';
  readonly width: number;
  readonly height: number;
}

const looks: readonly Look[] = [
  { name: '', locale: 'en-US', theme: 'light', width: 1440, height: 900 },
  { name: '-dark', locale: 'en-US', theme: 'dark', width: 1440, height: 900 },
  { name: '-phone', locale: 'en-US', theme: 'light', width: 390, height: 844 },
  { name: '-korean', locale: 'ko-KR', theme: 'light', width: 1440, height: 900 },
];

const service = await startServiceProcess({
  RATE_LIMIT_PER_MINUTE: '100000',
  PAGE_LIMIT_PER_MINUTE: '100000',
  TZ: 'Asia/Seoul',
});
const browser = await startBrowser([korean]);
try {
  const wanted = process.argv.slice(2);
  const all = await fill(service);
  const shots = all.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
  await mkdir(folder, { recursive: true });
  if (wanted.length === 0) await empty();
  // The demo stops playing while the other pages are drawn.
  const [ofMoment = [], others = []] = [true, false].map((is) =>
    shots.filter(({ isOfMoment = false }) => isOfMoment === is),
  );
  for (const some of [ofMoment, others]) {
    for (const look of looks) await draw(browser, look, some);
  }
} finally {
  await browser.close();
  await service.remove();
}

/** Resolves to the pages there are to look at. */
async function fill({ url, run }: ServiceProcess): Promise<readonly Shot[]> {
  const { accountId } = await run('demo');
  const scopes = 'stats:read,info:read,manage';
  const made = await run('key', 'create', '--account', `${accountId}`, '--scopes', scopes);
  key = String(made.key);
  const videos = await call<{ list: { accessKey: string; title: string }[] }>(
    '/manage/v1/videos?keyword=river',
  );
  const film = videos.list[0]?.accessKey ?? '';
  const clips = await call<{ list: { accessKey: string }[] }>('/manage/v1/videos?keyword=clip');
  const clip = clips.list[0]?.accessKey ?? '';
  const published = await call<{ list: { videoKey: string }[] }>(
    `/manage/v1/videos/${clip}/publications`,
  );
  const share = await call<{ path: string }>('/manage/v1/shares', {
    ...{ name: 'For the partners in Busan', lastDays: 28, compare: 'previous' },
  });
  await call('/manage/v1/signing-keys', {});
  const settings = ['keys', 'packages', 'signing', 'labels', 'shares', 'ledger', 'suspects'];
  return [
    { name: 'overview', path: '/', isScreen: true },
    { name: 'overview-whole', path: '/' },
    { name: 'year', path: '/?period=12mo&measure=playMs&compare=year' },
    { name: 'filtered', path: '/?filters=country%3D%3DKR%3Bos!%3DiOS', isScreen: true },
    { name: 'unread', path: '/', prepare: readNothing, isScreen: true },
    { name: 'all-videos', path: '/', prepare: showAll, isScreen: true },
    { name: 'share', path: '/', prepare: press('.page-controls > button'), isScreen: true },
    { name: 'now', path: '/now', isOfMoment: true },
    { name: 'quality', path: '/quality' },
    { name: 'video', path: `/videos/${clip}`, isScreen: true },
    { name: 'video-whole', path: `/videos/${clip}` },
    { name: 'film', path: `/videos/${film}` },
    { name: 'library', path: '/library' },
    { name: 'refused', path: '/library', prepare: importBadly, isScreen: true },
    { name: 'add', path: '/library?add=1', prepare: publish, isScreen: true },
    { name: 'edit', path: '/library', prepare: press('td > button'), isScreen: true },
    { name: 'settings', path: '/settings' },
    ...[...settings, 'audit'].map((part) => ({ name: part, path: `/settings/${part}` })),
    { name: 'sign-in', path: '/', isStranger: true },
    { name: 'shared', path: share.path, isStranger: true },
    { name: 'watch', path: `/watch/${published.list[0]?.videoKey}`, isStranger: true },
    { name: 'docs', path: '/docs', isStranger: true, isScreen: true },
    { name: 'reference', path: '/docs/statistics', isStranger: true, isScreen: true },
    { name: 'guide', path: '/docs/guide/players', isStranger: true, isScreen: true },
    { name: 'first-run', path: '/', isNewcomer: true },
  ];

  async function call<Body>(path: string, message?: object): Promise<Body> {
    const response = await fetch(url + path, {
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      ...(message && { method: 'POST', body: JSON.stringify(message) }),
    });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return (await response.json()) as Body;
  }
}

async function showAll(page: Page): Promise<void> {
  await page.locator('.more').first().click();
  await page.locator('dialog tbody tr').first().waitFor();
}

function press(selector: string) {
  return async (page: Page) => {
    await page.locator(selector).first().click();
    await page.locator('dialog[open] :is(form, section)').first().waitFor();
  };
}

/** As where the service is away; the frame is there from before. */
async function readNothing(page: Page): Promise<void> {
  await page.route('**/report/**', (route) => route.abort());
  await page.reload();
  await page.locator('.note.bad').first().waitFor();
}

async function importBadly(page: Page): Promise<void> {
  const csv = 'cid,title,duration\nfilm-17,Low tide,soon\n,High tide,93000\n';
  const file = { name: 'films.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) };
  await page.locator('.page-controls button:nth-last-of-type(2)').click();
  await page.locator('.import input[type=file]').setInputFiles(file);
  await page.locator('.import tbody tr').first().waitFor();
}

/** To the code for its page. */
async function publish(page: Page): Promise<void> {
  const dialog = page.locator('dialog[open]');
  await dialog.locator('input[required]').fill('Low tide');
  await dialog.locator('button.primary').click();
  await dialog.locator('input[type=radio]').first().check();
  await dialog.locator('button.primary').click();
  await dialog.locator('.waiting').waitFor();
}

/** Pictures of pages that are no more. */
async function empty(): Promise<void> {
  for (const name of await readdir(folder)) await rm(join(folder, name));
}

async function draw(browser: Browser, look: Look, shots: readonly Shot[]): Promise<void> {
  const { locale, theme, width, height } = look;
  const open = () =>
    browser.newContext({
      ...{ ...personAt(browser), viewport: { width, height }, baseURL: service.url },
      ...{ colorScheme: theme, locale, reducedMotion: 'reduce' as const },
    });
  const [owner, newcomer, stranger] = await Promise.all([open(), open(), open()]);
  for (const [context, own] of [
    [owner, key],
    [newcomer, service.key],
  ] as const) {
    const headers = { 'x-api-key': own, 'x-requested-with': 'playmeter' };
    await context.request.post('/session', { headers });
  }
  for (const { name, path, prepare, isStranger, isNewcomer, isScreen } of shots) {
    const context = isStranger ? stranger : isNewcomer ? newcomer : owner;
    const page = await context.newPage();
    await page.goto(path);
    await page.waitForLoadState('networkidle');
    await prepare?.(page);
    // Charts below are asked for and drawn once they are in sight.
    if (!isScreen) await growTo(page, look);
    await settle(page);
    const file = join(folder, `${name}${look.name}.webp`);
    await writeFile(file, await packed(page));
    await page.close();
  }
  await Promise.all([owner.close(), newcomer.close(), stranger.close()]);
}

/** Until all that is in sight is asked for, answered and drawn. */
async function settle(page: Page): Promise<void> {
  await page.evaluate('new Promise((seen) => requestAnimationFrame(() => setTimeout(seen, 200)))');
  await page.waitForLoadState('networkidle');
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
}

/** As tall as its page, or the most that is still read as a picture. */
async function growTo(page: Page, { width, height }: Look): Promise<void> {
  const ofPage = await page.evaluate<number>('document.documentElement.scrollHeight');
  await page.setViewportSize({ width, height: Math.min(Math.max(ofPage, height), mostHeight) });
}

/** The page as WebP, a third of its PNG. Packed by the browser, on a page without a policy. */
async function packed(page: Page): Promise<Buffer> {
  const png = await page.screenshot();
  const packer = await page.context().newPage();
  const source = `data:image/png;base64,${png.toString('base64')}`;
  const text = await packer.evaluate<string>(`(${inBrowser})('${source}', ${quality})`);
  await packer.close();
  return Buffer.from(text, 'base64');
}
