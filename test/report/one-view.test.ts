/** What is known of a view belongs to the view, whichever of its beacons told it, and whenever. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';

const iPhone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 ' +
  '(KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
const day = '2026-10-05';
const at = (time: string) => `${day}T${time}.000Z`;

let service: TestService;
let account: TestAccount;
let videoKey: string;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  account = await service.addAccount('UTC');
  videoKey = await account.publish(await account.addPackage(), await account.addVideo());
});

type Told = Record<string, unknown>;

/** Each by itself, summed in between. */
async function tell(beacons: readonly Told[]): Promise<void> {
  for (const beacon of beacons) {
    const whole = { view: 'v', stretch: 0, at: at('10:00:00'), videoKey, ...beacon };
    const { answer } = await send(whole);
    expect(answer).toEqual({ accepted: 1, rejected: [] });
    await service.facts.rollUp();
  }
}

async function send(beacon: Told) {
  const response = await fetch(`${service.url}/collect/v1/beacons`, {
    method: 'POST',
    headers: { 'x-api-key': account.key, 'content-type': 'application/json' },
    body: JSON.stringify({ beacons: [beacon] }),
  });
  return { answer: await response.json() };
}

async function v1() {
  const query = new URLSearchParams({ sdate: day, edate: '2026-10-06' });
  const path = `/report/statistics/video/v1/os?${query}`;
  const { data } = (await (await service.get(path, account.key)).json()) as {
    data: { list: { os: string; videoCount: string; duration: string }[] };
  };
  return data.list.map(({ os, videoCount, duration }) => `${os} ${videoCount} ${duration}`);
}

async function v2(dimensions: string, measures = 'plays,playMs,views,viewers') {
  const by = dimensions === '' ? {} : { dimensions };
  const query = new URLSearchParams({ sdate: day, edate: '2026-10-06', measures, ...by });
  const path = `/report/statistics/video/v2/query?${query}`;
  const { data } = (await (await service.get(path, account.key)).json()) as {
    data: { list: Record<string, unknown>[]; totals: unknown; viewerBasis?: unknown };
  };
  return data;
}

const counted = (playMs: number) => ({ plays: 1, playMs, views: 1, viewers: 1 });

const ofFirstOrSecond: readonly [string, Told, Told, string, 'long'?][] = [
  ['a User-Agent in the first beacon alone', { userAgent: iPhone }, {}, 'iOS', 'long'],
  ['a platform in the second alone', { userAgent: iPhone }, { platform: 'iPadOS' }, 'iPadOS'],
  ['a platform in the first', { platform: 'Windows' }, { userAgent: iPhone }, 'Windows', 'long'],
  ['a system in the second alone', {}, { userAgent: iPhone }, 'iOS'],
];
for (const [name, first, second, os, tag] of ofFirstOrSecond) {
  test(`a stretch is one play of the longest time: ${name}`, { tags: tag ?? [] }, async () => {
    await tell([
      { playMs: 10_000, ...first },
      { playMs: 20_000, ...second },
    ]);
    expect(await v1()).toEqual([`${os} 1 20`]);
    const { list, totals } = await v2('os');
    expect({ list, totals }).toEqual({
      list: [{ os, ...counted(20_000) }],
      totals: counted(20_000),
    });
  });
}

const told = {
  ...{ userAgent: iPhone, page: 'https://example.com/a', viewer: 'anna', player: 'hls.js/1.7.2' },
};

for (const [which, tags] of [
  ['first', []],
  ['second', ['long']],
] as const) {
  test(`what the ${which} beacon tells holds for all of an hour`, { tags: [...tags] }, async () => {
    const [first, second] = which === 'first' ? [told, {}] : [{}, told];
    await tell([
      { playMs: 600_000, ...first },
      { playMs: 3_000_000, ...second },
    ]);
    expect(await v1()).toEqual(['iOS 1 3000']);
    for (const [dimension, value] of [
      ['page', 'example.com/a'],
      ['player', 'hls.js/1.7.2'],
      ['viewerKind', 'named'],
      ['browser', 'Safari'],
      ['os', 'iOS'],
    ] as const) {
      const { list, totals, viewerBasis } = await v2(dimension);
      expect(list).toEqual([{ [dimension]: value, ...counted(3_000_000) }]);
      expect(totals).toEqual(counted(3_000_000));
      expect(viewerBasis).toEqual({ named: 1, daily: 0, none: 0 });
    }
  });
}

for (const [when, places] of [
  ['before', [0, 1]],
  ['after', [1, 0]],
] as const) {
  test(`what a beacon tells that played nothing yet holds, ${when} all others`, async () => {
    const beacons = [
      { stretch: 1, playMs: 0, ...told },
      { stretch: 1, playMs: 2_000_000 },
    ];
    await tell(places.map((place) => beacons[place] as Told));
    expect(await v1()).toEqual(['iOS 0 2000']);
    expect((await v2('page,viewerKind')).list).toEqual([
      { page: 'example.com/a', viewerKind: 'named', ...counted(2_000_000), plays: 0 },
    ]);
  });
}

test('a player told differently is the largest, for the whole view', async () => {
  await tell([
    { playMs: 600_000, player: 'B/1' },
    { playMs: 3_000_000, player: 'A/1' },
  ]);
  expect((await v2('player')).list).toEqual([{ player: 'B/1', ...counted(3_000_000) }]);
});

test('a viewer told from the second stretch on is the viewer of the view', async () => {
  await tell([
    { playMs: 10_000 },
    { stretch: 1, at: at('23:59:00'), playMs: 120_000, viewer: 'anna' },
  ]);
  const { totals, viewerBasis } = await v2('');
  expect({ totals, viewerBasis }).toEqual({
    totals: counted(130_000),
    viewerBasis: { named: 1, daily: 0, none: 0 },
  });
});

test('what a view was told stays if its time changes afterwards', { tags: 'long' }, async () => {
  await tell([
    { playMs: 600_000, userAgent: iPhone },
    { playMs: 3_000_000 },
    { stretch: 1, at: at('11:20:00'), playMs: 5_000 },
    { stretch: 1, at: at('11:20:00'), playMs: 9_000, platform: 'iPadOS' },
  ]);
  expect(await v1()).toEqual(['iPadOS 1 3009']);
});

test.each<[string, Told[], playMs: number]>([
  [
    'half a second, over a quarter of an hour',
    [
      { at: '2026-10-05T10:14:59.800Z', playMs: 10_000 },
      { at: '2026-10-05T10:15:00.300Z', playMs: 20_000 },
    ],
    20_000,
  ],
  [
    'half a second, over midnight, the earlier one told later',
    [
      { at: '2026-10-06T00:00:00.300Z', playMs: 20_000 },
      { at: '2026-10-05T23:59:59.800Z', playMs: 10_000 },
    ],
    20_000,
  ],
  [
    'a minute and a half, while it played',
    [
      { at: at('10:00:00'), playMs: 120_000 },
      { at: at('10:01:30'), playMs: 180_000 },
    ],
    120_000,
  ],
])('a stretch has one beginning, and a view one play: %s', async (_, beacons, playMs) => {
  await tell(beacons);
  expect(await v1()).toEqual([`Unknown 1 ${playMs / 1_000}`]);
  const { list, totals } = await v2('os');
  expect({ list, totals }).toEqual({
    list: [{ os: 'Unknown', ...counted(playMs) }],
    totals: counted(playMs),
  });
});

test('a stretch that was numbered anew is refused, and is resolved where it is not', async () => {
  await tell([{ playMs: 4_000 }]);
  const anew = { view: 'v', stretch: 0, at: at('10:05:00'), playMs: 4_000, videoKey };
  expect((await send(anew)).answer).toEqual({
    accepted: 0,
    rejected: [
      {
        ...{ index: 0, code: 'OTHER_BEGINNING' },
        detail: 'at: the view has another stretch 0, which began at another time',
      },
    ],
  });
  expect(await v1()).toEqual(['Unknown 1 4']);
});
