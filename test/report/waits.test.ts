/** Waits: reported beside stretches, counted as what they are, and never as playback. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BeaconsAnswer } from '../../src/wire/beacons/beacon.ts';
import { startTestService, type TestService } from '../support/service.ts';

const day = '2026-10-05';
const at = (time: string) => `${day}T${time}.000Z`;

type Told = Record<string, unknown>;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

async function addAccount() {
  const account = await service.addAccount();
  const packageId = await account.addPackage();
  const videoKey = await account.publish(packageId, await account.addVideo());
  return { key: account.key, videoKey };
}
type Added = Awaited<ReturnType<typeof addAccount>>;

async function send({ key, videoKey }: Added, ...beacons: Told[]) {
  const whole = beacons.map((beacon) => ({ view: 'v', at: at('10:00:00'), videoKey, ...beacon }));
  const response = await service.send(whole, { 'x-api-key': key });
  return (await response.json()) as BeaconsAnswer;
}

const start = { wait: 0, waitMs: 800, cause: 'start', outcome: 'played' };
const stretch = { stretch: 0, at: at('10:00:01'), playMs: 60_000 };
const stall = { wait: 1, at: at('10:01:01'), waitMs: 2_000, cause: 'stall', outcome: 'played' };

test('a wait that was numbered anew is refused by its own number', async () => {
  const added = await addAccount();
  await send(added, start, stretch, stall);
  const { rejected } = await send(added, { ...stall, at: at('10:30:00') });
  const detail = 'at: the view has another wait 1, which began at another time';
  expect(rejected).toEqual([{ index: 0, code: 'OTHER_BEGINNING', detail }]);
});

async function ask(
  { key }: Added,
  measures: string,
  { dimensions = '', filters = '' }: { dimensions?: string; filters?: string } = {},
) {
  await service.facts.rollUp();
  const query = new URLSearchParams({ sdate: day, edate: day, measures });
  if (dimensions) query.set('dimensions', dimensions);
  if (filters) query.set('filters', filters);
  const response = await service.get(`/report/statistics/video/v2/query?${query}`, key);
  const { data } = (await response.json()) as { data: Answered };
  return data;
}

interface Answered {
  readonly list: readonly object[];
  readonly totals: object;
  readonly qualityBasis: object;
}

test('a view has its start, its stalls and its playback, in any order and told twice', async () => {
  const growing = [
    ...[{ ...start, waitMs: 300, outcome: 'waiting' }, start],
    ...[stretch, { ...stretch, playMs: 30_000 }],
    ...[{ ...stall, waitMs: 100, outcome: 'left' }, stall],
  ];
  const measures = 'plays,playMs,views,attempts,starts,startupMs,stalls,stallMs,stalledShare';
  const whole = {
    ...{ plays: 1, playMs: 60_000, views: 1, attempts: 1, starts: 1, startupMs: 800 },
    ...{ stalls: 1, stallMs: 2_000, stalledShare: 1 },
  };
  for (const beacons of [growing, growing.toReversed(), [...growing, ...growing]]) {
    const added = await addAccount();
    for (const beacon of beacons) expect(await send(added, beacon)).toMatchObject({ accepted: 1 });
    const { totals, qualityBasis } = await ask(added, measures);
    expect(totals).toEqual(whole);
    expect(qualityBasis).toEqual({ attempts: 1, views: 1 });
  }
});

test('a view of waits alone is an attempt, and no view', async () => {
  const added = await addAccount();
  await send(added, { ...start, outcome: 'left' });
  const { totals, qualityBasis } = await ask(
    added,
    'plays,playMs,views,viewers,attempts,exitShare',
  );
  expect(totals).toEqual({
    ...{ plays: 0, playMs: 0, views: 0, viewers: 0, attempts: 1, exitShare: 1 },
  });
  expect(qualityBasis).toEqual({ attempts: 1, views: 1 });
  const v1 = `/report/statistics/video/v1/os?sdate=${day}&edate=${day}`;
  const { list } = await service.ask(v1, added.key);
  expect(list.filter(({ videoCount }) => videoCount !== '0')).toEqual([]);
});

test('a sender that reports no waits is in no measure of quality', async () => {
  const added = await addAccount();
  await send(added, stretch, { ...stall, view: 'v' });
  const { totals } = await ask(
    added,
    'plays,attempts,stalls,stallsPerHour,failureShare,startupP50',
  );
  expect(totals).toEqual({
    ...{ plays: 1, attempts: 0, stalls: 0, stallsPerHour: null },
    ...{ failureShare: null, startupP50: null },
  });
});

test('what a view tells of its stream and its connection holds for all of it', async () => {
  const added = await addAccount();
  await send(added, { ...start, streamType: 'vod', connection: '4g' });
  await send(added, { ...stretch, streamType: 'live', connection: '2g' });
  await send(added, { ...stall, connection: '3g' });
  const dimensions = 'streamType,connection';
  const { list } = await ask(added, 'plays,attempts,stalls', { dimensions });
  expect(list).toEqual([
    { streamType: 'live', connection: '2g', plays: 1, attempts: 1, stalls: 1 },
  ]);
});

test('media hosts and errors belong to a wait or a stretch', async () => {
  const added = await addAccount();
  const failed = { wait: 2, waitMs: 0, cause: 'error', outcome: 'failed', error: '3016' };
  await send(
    added,
    { ...start, mediaHost: 'cdn1.example' },
    { ...stretch, mediaHost: 'CDN2.example' },
    { ...failed, at: at('10:05:00'), mediaHost: 'https://cdn3.example/' },
  );
  const byHost = await ask(added, 'attempts,playMs,failures', { dimensions: 'mediaHost' });
  expect(byHost.list).toEqual([
    { mediaHost: 'cdn1.example', attempts: 1, playMs: 0, failures: 0 },
    { mediaHost: 'Unknown', attempts: 0, playMs: 0, failures: 1 },
    { mediaHost: 'cdn2.example', attempts: 0, playMs: 60_000, failures: 0 },
  ]);
  const byError = await ask(added, 'failures', { dimensions: 'error', filters: 'error!=Unknown' });
  expect(byError.list).toEqual([{ error: '3016', failures: 1 }]);
});

test('bits and frames are spread over the quarters of an hour as the media is', async () => {
  const added = await addAccount();
  const long = {
    ...{ stretch: 0, at: at('10:10:00'), playMs: 600_000, mediaMs: 600_000, position: 0 },
    ...{ mediaBits: 1_200_000_000, frames: 15_000, droppedFrames: 150 },
  };
  await send(added, { ...start, at: at('10:09:59') }, long);
  const { list } = await ask(added, 'bitrate,droppedShare,mediaMs', { dimensions: 'hour' });
  expect(list).toMatchObject([{ bitrate: 2_000, droppedShare: 0.01, mediaMs: 600_000 }]);
});

test('waits of a stretch whose clock was corrected are one', async () => {
  const added = await addAccount();
  await send(added, stretch, start, { ...start, at: at('10:00:20'), waitMs: 900 });
  await service.facts.rollUp();
  const { totals } = await ask(added, 'attempts,starts,startupMs');
  expect(totals).toEqual({ attempts: 1, starts: 1, startupMs: 900 });
});
