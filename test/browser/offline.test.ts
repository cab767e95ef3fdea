/** Ten minutes without a network, from one hour of the service's clock into the next. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWallClock, type WallClock } from '../faults/wall-clock.ts';
import { personAt } from '../support/browser.ts';
import { addProcessAccount } from '../support/process-accounts.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { type Site, startSite } from './site.ts';
import { pause, play, playedFor } from './stage.ts';
import { useBrowser } from './use-dashboard.ts';

const tenMinutesMs = 600_000;

let clock: WallClock;
let service: ServiceProcess;
let site: Site;
const browser = useBrowser();
beforeAll(async () => {
  clock = await createWallClock();
  service = await startServiceProcess(clock.environment);
  site = await startSite(service.url);
});
afterAll(async () => {
  await site?.close();
  await service?.remove();
  await clock?.remove();
});

test('nothing is lost, nothing doubled, and each hour has what was played in it', async () => {
  // Five minutes before an hour, whatever the device's clock says.
  const aheadMs = new Date().setUTCHours(12, 55, 0, 0) - Date.now();
  await clock.set(service, aheadMs);
  const account = await addProcessAccount(service, 'UTC');
  const videoKey = await account.publish(await account.addPackage(), await account.addVideo());
  const context = await browser().newContext(personAt(browser()));
  const page = await context.newPage();
  await page.clock.install();
  await page.goto(`${site.url}/module.html?key=${videoKey}`);
  const measuredMs = () => page.evaluate(() => window.measured());

  await play(page);
  await playedFor(page, 1_500);
  await context.setOffline(true);
  await playedFor(page, 3_500);
  await pause(page);
  const firstMs = await measuredMs();
  await Promise.all([
    clock.set(service, aheadMs + tenMinutesMs),
    page.clock.fastForward(tenMinutesMs),
  ]);
  await play(page);
  await playedFor(page, firstMs + 2_500);
  await pause(page);
  const secondMs = (await measuredMs()) - firstMs;
  await context.setOffline(false);

  await expect.poll(() => page.evaluate(() => Object.keys(localStorage))).toEqual([]);
  const date = new Date(Date.now() + aheadMs).toISOString().slice(0, 10);
  const path = `/report/statistics/video/v1/info/date/hour?date=${date}&sortDirection=asc`;
  const hours = async () => {
    const headers = { 'x-api-key': account.key };
    const { data } = await (await fetch(service.url + path, { headers })).json();
    return data.list.map(({ hour, videoCount, duration }: Record<string, string>) => {
      const playedMs = hour === '12' ? firstMs : secondMs;
      const isRight = Math.abs(Number(duration) - Math.floor(playedMs / 1_000)) <= 1;
      return { hour, videoCount, isRight };
    });
  };
  await expect.poll(hours).toEqual([
    { hour: '12', videoCount: '1', isRight: true },
    { hour: '13', videoCount: '0', isRight: true },
  ]);
  await context.close();
});
