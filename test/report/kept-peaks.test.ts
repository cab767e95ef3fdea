/** Peaks that are kept by slot: when they are read, when the facts are, and how they come to be. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type FactStore, openFactStore } from '../../src/store/client/store-client.ts';
import type { Fact } from '../../src/store/facts.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';
import { engineAccess } from '../support/shared-parts.ts';
import { waitUntil } from '../support/wait-until.ts';

const day = Date.UTC(2026, 1, 28);
const noon = day + 12 * 3_600_000;

let service: TestService;
let store: FactStore;
let account: TestAccount;
let packageId: number;
let videos: { accessKey: string; videoId: number }[];
/** One of its own, so that it stays when the service is stopped. */
const database = `test_${randomUUID().replaceAll('-', '')}`;
const environment = { CLICKHOUSE_DATABASE: database };
beforeAll(async () => {
  service = await startTestService({ environment });
  store = openFactStore({ ...engineAccess(), database });
});
afterAll(async () => {
  await store?.close();
  await service?.stop();
});
beforeEach(async () => {
  account = await service.addAccount();
  packageId = await account.addPackage();
  videos = [];
  for (const accessKey of [await account.addVideo(), await account.addVideo()]) {
    const videoId = await service.catalog.publications.findVideoId(account.accountId, accessKey);
    videos.push({ accessKey, videoId: videoId ?? 0 });
  }
});

/** A minute of playback from an instant within its slot. */
function played(startMs: number, other: Partial<Fact> = {}): Fact {
  const details = { startMs, laterMs: 0, mediaMs: 0, attributes: {} };
  const about = { accountId: account.accountId, packageId, videoId: videos[0]?.videoId ?? 0 };
  return {
    ...about,
    ...{ slotStart: startMs - (startMs % 900_000), os: 'iOS', osVersion: '18', suspect: '' },
    ...{ view: randomUUID(), stretch: 0, plays: 1, playMs: 60_000, details },
    ...other,
  };
}

async function peaksBy(parameters: Record<string, string> = {}) {
  const query = new URLSearchParams({
    ...{ sdate: '2026-02-28', edate: '2026-02-28', interval: 'day', timeZone: 'UTC' },
    ...parameters,
  });
  const path = `/report/statistics/video/v2/concurrency?${query}`;
  const { list } = (await service.ask(path, account.key)) as unknown as {
    list: { time: string; peak: number; peakAt: string | null; average: number }[];
  };
  return list;
}
const firstPeak = async (parameters: Record<string, string> = {}) =>
  (await peaksBy(parameters))[0]?.peak;

const change = (sql: string) =>
  store.command({ name: 'test', sql, parameters: { accountId: account.accountId } });
const forget = (condition = '') =>
  change(`ALTER TABLE peak DELETE WHERE accountId = {accountId:UInt32} ${condition}
    SETTINGS mutations_sync = 1`);
/** One more in each kept peak. */
const falsify = () =>
  change(`INSERT INTO peak SELECT * REPLACE (peak + bitShiftLeft(toUInt256(1), 32) AS peak)
    FROM peak FINAL WHERE accountId = {accountId:UInt32}`);
const keep = () => service.facts.upkeep.rollUp();

test('kept peaks answer for an account, a package and a video, and the facts all else', async () => {
  await service.facts.stretches.write([played(noon), played(noon + 5_000)]);
  await service.facts.rollUp();
  // A day that was touched just now is read from the facts.
  await falsify();
  expect(await firstPeak()).toBe(2);
  await keep();
  expect(await firstPeak()).toBe(2);
  await falsify();
  const { accessKey = '' } = videos[0] ?? {};
  const ofPackage = { packageId: String(packageId) };
  expect(await firstPeak()).toBe(3);
  expect(await firstPeak({ interval: 'hour' })).toBe(0);
  expect((await peaksBy({ interval: 'hour' }))[12]).toEqual({
    ...{ time: '2026-02-28T12:00:00+00:00', peak: 3, peakAt: '2026-02-28T12:00:05.000+00:00' },
    average: 0.033,
  });
  expect(await firstPeak(ofPackage)).toBe(3);
  expect(await firstPeak({ accessKey })).toBe(3);
  expect(await firstPeak({ accessKey, ...ofPackage })).toBe(3);
  expect(await firstPeak({ filters: 'os==iOS' })).toBe(2);
  const minutes = await peaksBy({ interval: 'minute' });
  expect(Math.max(...minutes.map(({ peak }) => peak))).toBe(2);
});

test('slots that an earlier release stored are read from the facts, beside kept ones', async () => {
  await service.facts.stretches.write([played(day), played(noon), played(noon + 20_000)]);
  await keep();
  await forget(`AND slot = ${day / 1_000}`);
  await falsify();
  // Only the second slot is kept, so none of the day is taken from there.
  expect(await firstPeak()).toBe(2);
});

test('a stretch that turns out to have begun earlier makes a peak smaller', async () => {
  const first = played(noon + 300_000);
  const second = played(noon + 330_000);
  await service.facts.stretches.write([first, second]);
  await keep();
  expect(await firstPeak()).toBe(2);
  const details = { startMs: noon, laterMs: 0, mediaMs: 0, attributes: {} };
  await service.facts.stretches.write([{ ...second, details }]);
  await keep();
  expect((await peaksBy())[0]).toMatchObject({ peak: 1, peakAt: '2026-02-28T12:00:00.000+00:00' });
  await falsify();
  expect(await firstPeak()).toBe(2);
});

test('a video in several packages has the peak of all of them, also once it is in one more', async () => {
  const others = [await account.addPackage(), await account.addPackage()];
  const { accessKey = '' } = videos[0] ?? {};
  const { videoId: other = 0 } = videos[1] ?? {};
  const write = async (...facts: Fact[]) => {
    await service.facts.stretches.write(facts);
    await keep();
  };
  await write(played(noon), played(noon, { videoId: other }));
  expect(await firstPeak({ accessKey })).toBe(1);
  await write(played(noon, { packageId: others[0] ?? 0 }));
  expect(await firstPeak({ accessKey })).toBe(2);
  await write(played(noon, { packageId: others[1] ?? 0 }));
  expect(await firstPeak({ accessKey })).toBe(3);
  expect(await firstPeak()).toBe(4);
  expect(await firstPeak({ accessKey, packageId: String(others[0]) })).toBe(1);
});

// The last one: the accounts of the new catalog have the same numbers.
test('peaks of what an earlier release stored are made in the background after a start', {
  tags: 'long',
}, async () => {
  await service.facts.stretches.write([played(noon), played(noon + 5_000), played(day)]);
  await keep();
  const kept = () =>
    store.select({
      name: 'test',
      sql: `SELECT toString(grouping), videoId, packageId, slot, hex(max(peak)) FROM peak
        WHERE accountId = {accountId:UInt32} GROUP BY ALL ORDER BY ALL`,
      parameters: { accountId: account.accountId },
    });
  const before = await kept();
  expect(before).toHaveLength(6);
  await forget();
  await service.stop();
  service = await startTestService({ environment, pace: { everyMs: 20 } });
  await waitUntil('the peaks are kept again', async () => (await kept()).length === before.length);
  expect(await kept()).toEqual(before);
});
