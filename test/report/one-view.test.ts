/** What is known of a view belongs to the view, whichever of its beacons told it, and whenever. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/service.ts';

const iPhone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 ' +
  '(KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
const day = '2026-10-05';
const at = (time: string) => `${day}T${time}.000Z`;

type Told = Record<string, unknown>;

interface Case {
  readonly what: string;
  /** Summed in between. */
  readonly beacons: readonly Told[];
  readonly os?: string;
  readonly playMs: number;
  /** Default: one. */
  readonly plays?: 0;
  /** What the view has of other dimensions. */
  readonly other?: Readonly<Record<string, string>>;
  readonly viewers?: 'named';
}

const told = {
  ...{ userAgent: iPhone, page: 'https://example.com/a', viewer: 'anna', player: 'hls.js/1.7.2' },
};
const ofTold = {
  ...{ page: 'example.com/a', player: 'hls.js/1.7.2', viewerKind: 'named', browser: 'Safari' },
};

const notYetPlayed: Told[] = [
  { stretch: 1, playMs: 0, ...told },
  { stretch: 1, playMs: 2_000_000 },
];

const cases: readonly Case[] = [
  {
    what: 'a User-Agent in the first beacon alone',
    beacons: [{ playMs: 10_000, userAgent: iPhone }, { playMs: 20_000 }],
    ...{ os: 'iOS', playMs: 20_000 },
  },
  {
    what: 'a platform in the second alone',
    beacons: [
      { playMs: 10_000, userAgent: iPhone },
      { playMs: 20_000, platform: 'iPadOS' },
    ],
    ...{ os: 'iPadOS', playMs: 20_000 },
  },
  {
    what: 'a platform in the first',
    beacons: [
      { playMs: 10_000, platform: 'Windows' },
      { playMs: 20_000, userAgent: iPhone },
    ],
    ...{ os: 'Windows', playMs: 20_000 },
  },
  {
    what: 'all in the first of two beacons, an hour long',
    beacons: [{ playMs: 600_000, ...told }, { playMs: 3_000_000 }],
    ...{ os: 'iOS', playMs: 3_000_000, viewers: 'named', other: ofTold },
  },
  {
    what: 'all in the second',
    beacons: [{ playMs: 600_000 }, { playMs: 3_000_000, ...told }],
    ...{ os: 'iOS', playMs: 3_000_000, viewers: 'named' },
  },
  ...[notYetPlayed, notYetPlayed.toReversed()].map((beacons, index): Case => {
    const when = ['before', 'after'][index];
    return {
      ...{ what: `a beacon that played nothing yet, ${when} all others`, beacons },
      ...{ os: 'iOS', playMs: 2_000_000, plays: 0, viewers: 'named', other: ofTold },
    };
  }),
  {
    what: 'a player told differently, of which the largest holds',
    beacons: [
      { playMs: 600_000, player: 'B/1' },
      { playMs: 3_000_000, player: 'A/1' },
    ],
    ...{ playMs: 3_000_000, other: { player: 'B/1' } },
  },
  {
    what: 'a viewer from the second stretch on',
    beacons: [
      { playMs: 10_000 },
      { stretch: 1, at: at('23:59:00'), playMs: 120_000, viewer: 'anna' },
    ],
    ...{ playMs: 130_000, viewers: 'named' },
  },
  {
    what: 'a system told when its time has changed',
    beacons: [
      { playMs: 600_000, userAgent: iPhone },
      { playMs: 3_000_000 },
      { stretch: 1, at: at('11:20:00'), playMs: 5_000 },
      { stretch: 1, at: at('11:20:00'), playMs: 9_000, platform: 'iPadOS' },
    ],
    ...{ os: 'iPadOS', playMs: 3_009_000 },
  },
  {
    what: 'two beginnings, half a second apart, over a quarter of an hour',
    beacons: [
      { at: '2026-10-05T10:14:59.800Z', playMs: 10_000 },
      { at: '2026-10-05T10:15:00.300Z', playMs: 20_000 },
    ],
    playMs: 20_000,
  },
  {
    what: 'two beginnings, half a second apart, over midnight, the earlier one told later',
    beacons: [
      { at: '2026-10-06T00:00:00.300Z', playMs: 20_000 },
      { at: '2026-10-05T23:59:59.800Z', playMs: 10_000 },
    ],
    playMs: 20_000,
  },
  {
    what: 'two beginnings, a minute and a half apart, while it played',
    beacons: [
      { at: at('10:00:00'), playMs: 120_000 },
      { at: at('10:01:30'), playMs: 180_000 },
    ],
    playMs: 120_000,
  },
];

let service: TestService;
/** Each case has one of its own, so that one roll-up serves all. */
const accounts = new Map<Case, Added>();
beforeAll(async () => {
  service = await startTestService();
  for (const one of cases) accounts.set(one, await addAccount());
  for (let turn = 0; cases.some(({ beacons }) => turn < beacons.length); turn += 1) {
    for (const [{ beacons }, added] of accounts) {
      const beacon = beacons[turn];
      if (beacon) expect(await send(added, beacon)).toEqual({ accepted: 1, rejected: [] });
    }
    await service.facts.rollUp();
  }
});
afterAll(() => service.stop());

type Added = Awaited<ReturnType<typeof addAccount>>;

async function addAccount() {
  const account = await service.addAccount('UTC');
  const videoKey = await account.publish(await account.addPackage(), await account.addVideo());
  return { key: account.key, videoKey };
}

async function send({ key, videoKey }: Added, beacon: Told) {
  const whole = { view: 'v', stretch: 0, at: at('10:00:00'), videoKey, ...beacon };
  return (await service.send([whole], { 'x-api-key': key })).json();
}

async function v1({ key }: Added) {
  const query = new URLSearchParams({ sdate: day, edate: '2026-10-06' });
  const { list } = await service.ask(`/report/statistics/video/v1/os?${query}`, key);
  return list.map(({ os, videoCount, duration }) => `${os} ${videoCount} ${duration}`);
}

async function v2({ key }: Added, dimensions: string) {
  const measures = 'plays,playMs,views,viewers';
  const query = new URLSearchParams({ sdate: day, edate: '2026-10-06', measures, dimensions });
  const response = await service.get(`/report/statistics/video/v2/query?${query}`, key);
  const { data } = (await response.json()) as {
    data: { list: object[]; totals: object; viewerBasis?: object };
  };
  return data;
}

test.each(cases)('a view is one of the longest time: $what', async (one) => {
  const { os = 'Unknown', playMs, plays = 1, other = {}, viewers } = one;
  const asked = accounts.get(one) ?? expect.fail('each case has an account');
  const counted = { plays, playMs, views: 1, viewers: 1 };
  expect(await v1(asked)).toEqual([`${os} ${plays} ${playMs / 1_000}`]);
  const { list, totals, viewerBasis } = await v2(asked, 'os');
  expect({ list, totals }).toEqual({ list: [{ os, ...counted }], totals: counted });
  if (viewers) expect(viewerBasis).toEqual({ named: 1, daily: 0, none: 0 });
  for (const [dimension, value] of Object.entries(other)) {
    const answer = await v2(asked, dimension);
    expect(answer.list).toEqual([{ [dimension]: value, ...counted }]);
  }
});

test('a stretch that was numbered anew is refused, and is resolved where it is not', async () => {
  const added = await addAccount();
  expect(await send(added, { playMs: 4_000 })).toEqual({ accepted: 1, rejected: [] });
  await service.facts.rollUp();
  expect(await send(added, { at: at('10:05:00'), playMs: 4_000 })).toEqual({
    accepted: 0,
    rejected: [
      {
        ...{ index: 0, code: 'OTHER_BEGINNING' },
        detail: 'at: the view has another stretch 0, which began at another time',
      },
    ],
  });
  expect(await v1(added)).toEqual(['Unknown 1 4']);
});
