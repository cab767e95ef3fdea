/** Who watches now, by a clock that stands still. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { accepted } from '../../src/operations/refusal-faults.ts';
import type { Fact } from '../../src/store/facts.ts';
import { numberOfWait } from '../../src/vocabulary/waits.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';

const slotMs = 900_000;
/** Half an hour from UTC, and 10 seconds into a slot. */
const nowMs = Date.UTC(2026, 10, 20, 12, 15, 10);
const reported = { quality: 'reported' };
const suspect = 'VIDEO:2026-11-20:1';

let service: TestService;
let account: TestAccount;
let videos: { readonly accessKey: string; readonly videoId: number }[];
beforeAll(async () => {
  service = await startTestService({ clock: { now: () => nowMs } });
});
beforeEach(async () => {
  account = await service.addAccount('Asia/Kolkata');
  const { accountId } = account;
  const keys = [await account.addVideo(), await account.addVideo()];
  videos = await Promise.all(
    keys.map(async (key, index) =>
      accepted(await service.catalog.videos.change(accountId, key, { title: `Film ${index}` })),
    ),
  );
});
afterAll(() => service.stop());

/** The facts of a stretch of a view of its own, from so many seconds before now until so many. */
function stretchOf(fromSeconds: number, untilSeconds: number, other: Partial<Fact> = {}): Fact[] {
  const [startMs, endMs] = [nowMs - fromSeconds * 1_000, nowMs - untilSeconds * 1_000];
  const view = randomUUID();
  const facts: Fact[] = [];
  let fromMs = startMs;
  do {
    const slotStart = Math.floor(fromMs / slotMs) * slotMs;
    const untilMs = Math.min(endMs, slotStart + slotMs);
    const details = { startMs, laterMs: endMs - untilMs, mediaMs: 0, attributes: {} };
    facts.push({
      ...{ accountId: account.accountId, slotStart, packageId: 1, os: 'iOS', osVersion: '1', view },
      ...{ videoId: videos[0]?.videoId ?? 0, stretch: 0, suspect: '', plays: 1 },
      ...{ playMs: untilMs - fromMs, details, ...other },
    });
    fromMs = untilMs;
  } while (fromMs < endMs);
  return facts;
}

async function live(zone = ''): Promise<{
  asOf: string;
  playing: number;
  videos: object[];
  lastMinutes: { time: string; peak: number }[];
  quality: object;
}> {
  await service.facts.rollUp();
  const response = await service.get(`/report/statistics/video/v2/live${zone}`, account.key);
  const text = await response.text();
  if (response.status !== 200) throw new Error(text);
  expect(response.headers.get('as-of')).toBe(new Date(nowMs).toISOString());
  return JSON.parse(text).data;
}

test('what was last reported to run to within 15 seconds before now is playing', async () => {
  await service.facts.stretches.write([
    ...stretchOf(60, 15),
    ...stretchOf(60, 15.001),
    ...stretchOf(3_600, -240),
    ...stretchOf(5, 5, { videoId: videos[1]?.videoId ?? 0 }),
    ...stretchOf(-60, -60, { videoId: videos[1]?.videoId ?? 0 }),
    ...stretchOf(2_000, -1, { videoId: videos[1]?.videoId ?? 0 }),
    ...stretchOf(40, -10, { suspect }),
  ]);
  const video = (index: number, playing: number) => {
    return { video: videos[index]?.accessKey, videoTitle: `Film ${index}`, playing };
  };
  const before = await live();
  expect(before).toMatchObject({ asOf: '2026-11-20T12:15:10.000Z', playing: 5 });
  expect(before.videos).toEqual([video(1, 3), video(0, 2)]);
  const { accountId } = account;
  accepted(await service.catalog.verdicts.decide({ accountId, suspect }, 'accepted'));
  expect(await live()).toMatchObject({ playing: 6, videos: [video(0, 3), video(1, 3)] });
  accepted(await service.catalog.verdicts.decide({ accountId, suspect }, 'refused'));
  expect(await live()).toEqual(before);
});

test('a stretch of two beginnings plays once, from the first one on', async () => {
  const view = randomUUID();
  await service.facts.stretches.write([
    ...stretchOf(30, 20, { view }),
    ...stretchOf(20, 0, { view }),
  ]);
  const { playing, lastMinutes } = await live();
  const peaks = lastMinutes.slice(-2).map(({ peak }) => peak);
  expect({ playing, peaks }).toEqual({ playing: 1, peaks: [1, 0] });
});

test('what ended at the border of slots within 15 seconds is playing', async () => {
  // 10 seconds ago, and 15 seconds and 1 ms.
  await service.facts.stretches.write([...stretchOf(60, 10), ...stretchOf(60, 15.001)]);
  expect((await live()).playing).toBe(1);
});

test('the last 30 minutes have their peaks, with the one that is running', async () => {
  await service.facts.stretches.write([
    ...stretchOf(29 * 60 + 10, 29 * 60 + 9),
    ...stretchOf(29 * 60 + 11, 29 * 60 + 10),
    ...stretchOf(70, 0),
    ...stretchOf(70, 10),
    ...stretchOf(70, 10),
    ...stretchOf(10, 9),
  ]);
  const { lastMinutes } = await live();
  expect(lastMinutes).toHaveLength(30);
  expect(lastMinutes[0]).toEqual({ time: '2026-11-20T17:16:00+05:30', peak: 1 });
  const peaks = lastMinutes.map(({ peak }) => peak);
  expect(peaks).toEqual([1, ...Array.from({ length: 27 }, () => 0), 3, 2]);
  expect(lastMinutes.at(-1)?.time).toBe('2026-11-20T17:45:00+05:30');
  const elsewhere = await live('?timeZone=America/New_York');
  expect(elsewhere.lastMinutes.at(-1)).toEqual({ time: '2026-11-20T07:15:00-05:00', peak: 2 });
});

test('nothing is playing where nothing was reported', async () => {
  const { lastMinutes, ...rest } = await live();
  const nothing = { startupP50: null, startupP95: null, exitShare: null, failureShare: null };
  expect(rest).toEqual({
    ...{ asOf: '2026-11-20T12:15:10.000Z', playing: 0, videos: [] },
    quality: {
      ...{ since: '2026-11-20T11:45:00.000Z', ...nothing, stalledTimeShare: null, bitrate: null },
      qualityBasis: { attempts: 0, views: 0 },
    },
  });
  expect(new Set(lastMinutes.map(({ peak }) => peak))).toEqual(new Set([0]));
  const { status } = await service.get(
    '/report/statistics/video/v2/live?timeZone=Nowhere',
    account.key,
  );
  expect(status).toBe(400);
});

test('quality is that of the quarter hours that have the last 30 minutes', async () => {
  const start = (secondsAgo: number, waitMs: number) =>
    stretchOf(secondsAgo, secondsAgo, {
      ...{ stretch: numberOfWait(0), plays: 0, playMs: 0 },
      quality: { wait: { cause: 'start', outcome: 'played', waitMs } },
    }).map((fact) => ({
      ...fact,
      details: {
        startMs: nowMs - secondsAgo * 1_000,
        laterMs: 0,
        mediaMs: 0,
        attributes: reported,
      },
    }));
  await service.facts.stretches.write([
    ...start(60, 1_000),
    ...start(1_700, 3_000),
    ...start(1_811, 9_000),
    ...stretchOf(60, 30),
  ]);
  const { quality } = await live();
  expect(quality).toMatchObject({
    ...{ startupP50: 1_000, startupP95: 3_000, exitShare: 0 },
    qualityBasis: { attempts: 2, views: 3 },
  });
});

test('of many videos the 20 with most playing are named', async () => {
  const keys = await Promise.all(Array.from({ length: 21 }, () => account.addVideo()));
  const many = await service.catalog.videos.known(
    account.accountId,
    Array.from({ length: 100 }, (_, index) => (videos[0]?.videoId ?? 0) + index),
  );
  const others = many
    .filter(({ accessKey }) => keys.includes(accessKey))
    .toSorted((one, other) => one.videoId - other.videoId);
  expect(others).toHaveLength(21);
  await service.facts.stretches.write(
    others.flatMap(({ videoId }, index) => [
      ...stretchOf(20, 0, { videoId }),
      ...(index === 20 ? stretchOf(20, 0, { videoId }) : []),
    ]),
  );
  const { playing, videos: named } = await live();
  expect(playing).toBe(22);
  expect(named).toHaveLength(20);
  expect(named[0]).toMatchObject({ video: others[20]?.accessKey, playing: 2 });
  // Of equals the older come first.
  expect(named[1]).toMatchObject({ video: others[0]?.accessKey, playing: 1 });
});
