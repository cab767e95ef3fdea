/** A page of another site, in a real browser: whatever it tries, nothing is counted for it. */
import { afterAll, expect, test } from 'vitest';
import { type LocalServer, startLocalServer } from '../support/local-server.ts';
import type { TestAccount, TestService } from '../support/service.ts';
import { waitUntil } from '../support/wait-until.ts';
import { useDashboard } from './use-dashboard.ts';

let service: TestService;
let pages: LocalServer;
let html = '';
const stage = useDashboard(async (prepared) => {
  ({ service } = prepared);
  pages = await startLocalServer((_, response) => {
    response.setHeader('content-type', 'text/html').end(html);
  });
});
afterAll(() => pages?.close());

/** The same server under two names: to the browser, two sites. */
const siteNamed = (host: string) => `http://${host}:${pages.port}`;

interface Urls {
  readonly log: string;
  readonly cmcd: string;
  readonly beacons: string;
  readonly body: string;
}

/** A new video in a package that allows the pages of `localhost` alone. */
async function publish(account: TestAccount): Promise<Urls> {
  const packageId = await account.addPackage();
  const videoKey = await account.publish(packageId, await account.addVideo());
  const allowedOrigins = [siteNamed('localhost')];
  await service.catalog.packages.change(account.accountId, packageId, { allowedOrigins });
  const info = await service.request(`/v1/player/stats/info.json?k=${videoKey}`);
  const { statsInfo } = (await info.json()) as { statsInfo: object };
  const data = JSON.stringify({ e: 'vs', ...statsInfo });
  const event = `e=ps,sid="x",sn=0,sta=p,ts=${Date.now()},v=2`;
  const at = new Date().toISOString();
  const beacons = [{ view: 'v', stretch: 0, at, playMs: 0, videoKey }];
  return {
    log: `${service.url}/play/api/videoPlays?${new URLSearchParams({ data })}`,
    cmcd: `${service.url}/collect/v1/cmcd/${videoKey}?${new URLSearchParams({ CMCD: event })}`,
    beacons: `${service.url}/collect/v1/beacons`,
    body: JSON.stringify({ beacons }),
  };
}

const quoted = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
const script = (code: string) => `<script>${code}</script>`;

const pagesThatTry: Record<string, (of: Urls) => string> = {
  'an image': ({ log }) => `<img src="${quoted(log)}">`,
  'an image that hides its page': ({ log }) =>
    `<img referrerpolicy="no-referrer" src="${quoted(log)}">`,
  'a frame': ({ cmcd }) => `<iframe referrerpolicy="no-referrer" src="${quoted(cmcd)}"></iframe>`,
  'a frame without an origin': ({ log }) =>
    `<iframe sandbox srcdoc='<img src="${quoted(log)}">'></iframe>`,
  'a script': ({ cmcd }) => `<script src="${quoted(cmcd)}"></script>`,
  'a fetch without CORS': ({ log }) =>
    script(`fetch(${JSON.stringify(log)}, { mode: 'no-cors', referrerPolicy: 'no-referrer' })`),
  'a fetch of beacons': ({ beacons, body }) =>
    script(`fetch('${beacons}', { method: 'POST', body: ${JSON.stringify(body)} })`),
  'a fetch of beacons without CORS': ({ beacons, body }) =>
    script(
      `fetch('${beacons}', { method: 'POST', mode: 'no-cors', referrerPolicy: 'no-referrer',` +
        ` body: ${JSON.stringify(body)} })`,
    ),
  sendBeacon: ({ beacons, body }) =>
    script(`navigator.sendBeacon('${beacons}', ${JSON.stringify(body)})`),
};

async function outcomesAt(host: string, pageOf: (of: Urls) => string): Promise<unknown> {
  const account = await service.addAccount();
  html = `<!doctype html><title>Page</title>${pageOf(await publish(account))}`;
  const page = await stage().openAsViewer(siteNamed(host));
  const today = new Date().toISOString().slice(0, 10);
  const path = `/manage/v1/ledger?sdate=${today}&edate=${today}`;
  let days: { received: number; counted: number; refused: object }[] = [];
  await waitUntil('the ledger to know', async () => {
    const answer = await service.get(path, account.key);
    days = ((await answer.json()) as { list: typeof days }).list;
    return days.some(({ received }) => received > 0);
  });
  await page.close();
  const [{ received, counted, refused } = { received: 0, counted: 0, refused: {} }] = days;
  return { received, counted, refused };
}

/** One of each kind of request. */
const everyday = ['an image that hides its page', 'a frame without an origin', 'sendBeacon'];
for (const [name, pageOf] of Object.entries(pagesThatTry)) {
  test(name, { tags: everyday.includes(name) ? [] : ['long'] }, async () => {
    expect(await outcomesAt('127.0.0.1', pageOf)).toMatchObject({
      received: 1,
      counted: 0,
      refused: { ORIGIN: 1 },
    });
  });
}

test.each(['an image', 'a fetch of beacons'])('%s of an allowed page is counted', async (name) => {
  const pageOf = pagesThatTry[name] as (of: Urls) => string;
  expect(await outcomesAt('localhost', pageOf)).toMatchObject({ received: 1, counted: 1 });
});
