/** The clock of the service is set back: what was counted stays where it is, and is counted once. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { StatsInfo } from '../../src/wire/beacons/player-log.ts';
import { type ManualClock, manualClock } from '../support/manual-clock.ts';
import { nodeEnvironment } from '../support/node-environment.ts';
import { type Postgres, startPostgres } from '../support/postgres.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';

const minuteMs = 60_000;
const startMs = Date.UTC(2026, 10, 20, 12, 17);
const headers = { 'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X)' };

let clock: ManualClock;
let postgres: Postgres;
let environment: Record<string, string>;
let service: TestService;
let account: TestAccount;
let videoKey: string;
beforeAll(async () => {
  clock = manualClock(startMs);
  postgres = await startPostgres();
  environment = await nodeEnvironment(postgres);
  service = await startTestService({ clock: clock.readings, environment });
});
afterAll(async () => {
  await service?.stop();
  await postgres?.stop();
});
beforeEach(async () => {
  account = await service.addAccount();
  videoKey = await account.publish(await account.addPackage(), await account.addVideo());
});

/** Plays and seconds, by date and hour. */
async function hours(): Promise<[string, string, string][]> {
  await service.facts.rollUp();
  const path = '/report/statistics/video/v1/info/date/hour?date=2026-11-20&sortDirection=asc';
  const { list } = await service.ask(path, account.key);
  return list.map((row) => [String(row.hour), row.videoCount, row.duration]);
}

test('the range of a player log that is sent again stays in its hour', async () => {
  const info = await service.request(`/v1/player/stats/info.json?k=${videoKey}`);
  const { statsInfo } = (await info.json()) as StatsInfo;
  const { errorInfo: _, ...ids } = statsInfo;
  const data = JSON.stringify({ e: 'vi', ...ids, dtt: 600, dst: 0, det: 5 });
  const send = () =>
    service.request(`/play/api/videoPlays?${new URLSearchParams({ data })}`, { headers });
  clock.advance(5_000);
  expect((await send()).status).toBe(200);
  const before = await hours();
  expect(before).toEqual([['12', '1', '5']]);
  clock.advance(-30 * minuteMs);
  expect((await send()).status).toBe(200);
  clock.advance(30 * minuteMs);
  expect(await hours()).toEqual(before);
});

test('a CMCD view goes on at another node with its one play', async () => {
  const post = async (node: TestService, numbers: readonly number[]) => {
    const lineOf = (sn: number) =>
      `e=ps,sid="one",sn=${sn},sta=p,ts=${startMs - 19 * minuteMs + sn * minuteMs},v=2`;
    const body = numbers.map(lineOf).join('\n');
    const type = { 'content-type': 'application/cmcd' };
    const init = { method: 'POST', headers: { ...headers, ...type }, body };
    const response = await node.request(`/collect/v1/cmcd/${videoKey}`, init);
    expect(await response.json()).toEqual({ accepted: numbers.length, rejected: [] });
  };
  await post(service, [0, 1]);
  // Remembers nothing, as after a restart; to its clock all that follows comes before the beginning.
  const other = await startTestService({ clock: clock.readings, environment });
  clock.advance(-10 * minuteMs);
  await post(other, [2, 3, 4, 5]);
  clock.advance(3 * minuteMs);
  await post(other, [6]);
  clock.advance(7 * minuteMs);
  await other.stop();
  // From 11:58 on, six minutes of it.
  expect(await hours()).toEqual([
    ['11', '1', '120'],
    ['12', '0', '240'],
  ]);
});
