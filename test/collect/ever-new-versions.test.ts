/** User-Agents with ever new versions: an account counts some, and nothing is lost. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/service.ts';

const versionsPerDay = 5;
const hourMs = 3_600_000;
const now = Date.now();
/** Not near midnight: the stretches end on the day on which they begin. */
const at = new Date(now - (now % (24 * hourMs)) - 12 * hourMs);
const day = at.toISOString().slice(0, 10);

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ environment: { VERSIONS_PER_DAY: String(versionsPerDay) } });
});
afterAll(() => service.stop());

test('beyond the bound they are Other, however often and in whatever way they come', async () => {
  const account = await service.addAccount();
  const packageId = await account.addPackage();
  const videoKey = await account.publish(packageId, await account.addVideo());
  const beacons = Array.from({ length: 60 }, (_, index) => ({
    view: `view-${index}`,
    stretch: 0,
    at: at.toISOString(),
    playMs: 1_000,
    videoKey,
    platform: 'iOS',
    platformVersion: `17.${index % 30}.1`,
  }));
  const sent = (headers = {}) => service.send(beacons, headers);
  for (const headers of [{}, {}, { 'x-api-key': account.key }]) {
    expect(await (await sent(headers)).json()).toEqual({ accepted: 60, rejected: [] });
  }
  await service.facts.rollUp();
  const { list } = await service.ask(
    `/report/statistics/video/v1/os/detail?sdate=${day}&edate=${day}&os=iOS&sortDirection=asc`,
    account.key,
  );
  const row = (detail: string, count: number) => {
    return { os: 'iOS', detail, videoCount: String(count), duration: String(count) };
  };
  const counted = Array.from({ length: versionsPerDay }, (_, index) => row(`17.${index}.1`, 2));
  expect(list).toEqual([...counted, row('Other', 60 - 2 * versionsPerDay)]);
});
